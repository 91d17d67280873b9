import { type DrawingLayout, NARROW, WIDE, words } from '../../../core/story/drawing.ts';
import type { Drawing, DrawnMark } from '../../../core/story/scene.ts';
import { type SlideSparseParams, windowsPerGroup } from '../params.ts';
import { assignWindows } from '../slide.ts';
import { drawingOf } from './script-parts.ts';

/** Every way in which a full group can lie, and which window takes what. */

/** By column, the window that takes its weight; -1 for a zero or what no window took. */
type Way = readonly number[];

/** All placements of a full group, run through the encoder's own assignment: two of its columns are zero. O(N^4). */
export function ways({ halfGroup }: SlideSparseParams): { readonly all: readonly Way[]; readonly failures: number } {
  const width = 2 * halfGroup;
  const all: Way[] = [];
  let failures = 0;
  const windowOf = new Int8Array(width);
  for (let first = width - 2; first >= 0; first--) {
    for (let second = width - 1; second > first; second--) {
      const columns = Array.from({ length: width }, (_, c) => c).filter((c) => c !== first && c !== second);
      if (assignWindows(columns, columns.length, halfGroup, windowOf) < columns.length) failures++;
      const taken = new Map(columns.map((c, i) => [c, windowOf[i]]));
      all.push(Array.from({ length: width }, (_, c) => taken.get(c) ?? -1));
    }
  }
  return { all, failures };
}

/** Paler from window to window. */
const levelOf = (window: number, count: number): number => (count < 2 ? 1 : 1 - (0.7 * window) / (count - 1));

/** Before the answer, an outline for each way; after it, every way with the windows that take its weights. */
export function waysPicture(layout: DrawingLayout, params: SlideSparseParams, isAnswered: boolean): Drawing {
  const { all } = ways(params);
  const isWide = layout === 'wide';
  const columns = isWide ? (all.length > 100 ? 8 : 7) : 4;
  const { width } = isWide ? WIDE : NARROW;
  const cell = (width + 10) / columns;
  const pitch = (cell - 10) / (2 * params.halfGroup);
  const lines = Math.ceil(all.length / columns);
  // The answers need room beside the picture, too.
  const room = isWide ? 168 : 216;
  const step = Math.min(isWide ? 36 : 30, room / lines);
  const height = Math.min(26, step * 0.7);
  const marks: DrawnMark[] = all.flatMap((way, i): DrawnMark[] => {
    const x = (i % columns) * cell;
    const y = 4 + Math.floor(i / columns) * step;
    if (!isAnswered) {
      const outline = { id: `way ${i}`, shape: 'box', tone: 'neutral', state: 'ghost' } as const;
      return [{ ...outline, x, y, w: cell - 10, h: height, label: 'a way to lie: not tried yet' }];
    }
    return way.map((window, c): DrawnMark => ({
      id: `way ${i}.${c}`,
      shape: 'box',
      tone: window < 0 ? 'neutral' : 'format',
      level: window < 0 ? 0 : levelOf(window, windowsPerGroup(params)),
      x: x + c * pitch,
      y,
      w: pitch - (pitch > 6 ? 1 : 0.5),
      h: height,
      label: window < 0 ? `column ${c}: zero` : `column ${c}: window ${window} takes it`,
    }));
  });
  const legend = isAnswered ? legendMarks(layout, windowsPerGroup(params), 10 + lines * step) : [];
  return drawingOf(layout, [...marks, ...legend]);
}

function legendMarks(layout: DrawingLayout, count: number, y: number): readonly DrawnMark[] {
  const step = count <= 3 ? 92 : layout === 'wide' ? 88 : 44;
  return Array.from({ length: count }, (_, w): readonly DrawnMark[] => [
    { id: `legend ${w}`, shape: 'box', tone: 'format', level: levelOf(w, count), x: w * step, y: y + 3, w: 12, h: 12 },
    words(`legend words ${w}`, { x: w * step + 18, y }, step < 60 ? String(w) : `window ${w}`, { size: 12 }),
  ]).flat();
}
