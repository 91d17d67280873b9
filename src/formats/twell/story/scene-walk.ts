import { curve, type SlotLine, slotPanel } from '../../../core/story/scene-parts.ts';
import { vectorPanels } from '../../../core/story/scene-vectors.ts';
import type { Link, Panel, Tone } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { activationsPanel, FEW_ROWS, type Picture, type Place } from './scene-activations.ts';
import { packedPanel } from './scene-packed.ts';
import { cellsOf, type TwellStep, type TwellTrace } from './trace.ts';

type RowStep = Extract<TwellStep, { kind: 'row' }>;
type WalkStep = Extract<TwellStep, { kind: 'walk' | 'walked' }>;

/** Chapter 5, first part: y = h x, a token at a time. */
export function rowScene(t: TwellTrace, { row }: RowStep, stepNumber: number): Picture {
  const reads = cellsOf(t.kept, row, 0, t.window.cols);
  const near = Math.floor((reads[0] ?? 0) / t.encoded.tileWidth);
  const place: Place = { row, tile: null, near, max: FEW_ROWS };
  return {
    panels: [
      activationsPanel(t, place),
      packedPanel(t, place, stepNumber),
      ...vectorPanels({
        x: t.x,
        reads,
        y: (r) => (r <= row ? t.sums[r] : null),
        rows: t.window.rows,
        writes: [row],
      }),
    ],
    links: [],
  };
}

/** Chapter 5, second part: one non-zero of one token meets a column of Wu and a row of Wd. */
export function walkScene(t: TwellTrace, step: WalkStep, stepNumber: number): Picture {
  const { entries, row } = t.walk;
  const number = step.kind === 'walk' ? step.entry : entries.length - 1;
  const { element, tile, column } = entries[number];
  const place: Place = step.kind === 'walk' ? { row, tile, element, max: 1 } : { row, tile: null, near: tile, max: 1 };
  const about = step.kind === 'walk' ? step.about : 'walked';
  const links: readonly Link[] = step.kind === 'walk' && about === 'entry' ? [curve(`value ${element}`, 'Wu[0]')] : [];
  return {
    panels: [
      activationsPanel(t, place, (r, c) => (r === row && c === column ? { focus: true } : { focus: false })),
      packedPanel(t, place, stepNumber),
      blockPanel(t, number, about),
    ],
    links,
  };
}

/** Lines of the block that belong together, and the gap between those and the next, in lines. */
const PAIR = 2;
const ROOM = 0.35;

/**
 * The column of Wu and x, h and u, the row of Wd and y, each as a line of slots. Panel id 'block', without a title: the
 * curve comes from above.
 */
function blockPanel({ block, walk }: TwellTrace, number: number, about: 'entry' | 'up' | 'down' | 'walked'): Panel {
  const { width, x, up, down } = block;
  const { column, u, h, y } = walk.entries[number];
  const before = number > 0 ? walk.entries[number - 1].y : new Float64Array(width);
  const isAdded = about === 'down' || about === 'walked';
  const line = (
    array: string,
    tone: Tone,
    values: ArrayLike<number>,
    ...focusIn: readonly (typeof about)[]
  ): SlotLine => ({
    array,
    length: values.length,
    tone,
    text: (k) => valueText(values[k]),
    look: () => (focusIn.includes(about) ? { focus: true } : {}),
  });
  const panel = slotPanel({
    id: 'block',
    focus: 0,
    lines: [
      line('Wu', 'neutral', up.subarray(column * width, (column + 1) * width), 'up'),
      line('x', 'neutral', x, 'up'),
      line('h', 'values', [h], 'entry', 'down'),
      { ...line('u', 'format', [u], 'up', 'down'), present: () => about !== 'entry' },
      line('Wd', 'neutral', down.subarray(column * width, (column + 1) * width), 'down'),
      line('y', 'format', isAdded ? y : before, 'down'),
    ],
  });
  const apart = (at: number): number => at + ROOM * Math.floor(at / PAIR);
  return {
    ...panel,
    rows: apart(panel.rows - 1) + 1,
    rowLabels: (panel.rowLabels ?? []).map((label) => ({ ...label, at: apart(label.at) })),
    marks: panel.marks.map((mark) => ({ ...mark, y: apart(mark.y) })),
  };
}
