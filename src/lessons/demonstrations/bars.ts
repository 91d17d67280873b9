// Panels of horizontal bars, in which demonstrations draw times and bytes.

import { largest } from '../../core/number/statistics.ts';
import { box, note } from '../../story/marks.ts';
import type { Label, Mark, Panel, Tone } from '../../story/scene.ts';

/** A bar of `barsPanel`, followed by `words`. */
export interface Bar {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly words: string;
  readonly tone: Tone;
  readonly focus: boolean;
  /** not measured yet: dashed */
  readonly isPending: boolean;
}

/** The bar that step `i` adds: dashed until the current step `upTo` reaches it, in focus when it does. */
export function barAt(
  i: number,
  upTo: number,
  label: string,
  value: number,
  words: string,
  tone: Tone = 'format',
): Bar {
  return { id: label, label, value, words, tone, focus: i === upTo, isPending: i > upTo };
}

/** What `barsPanel` draws. */
interface Bars {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly bars: readonly Bar[];
  /** the value of a bar of full length, equal in panels that are compared; default: the largest of `bars` and `line` */
  readonly max?: number;
  /** a value marked by a line across all bars, and its name */
  readonly line?: { readonly value: number; readonly label: string };
}

/** Width of every panel of bars, in columns. */
export const PANEL_WIDTH = 100;
/** Length of the longest bar, as a share of PANEL_WIDTH. */
const LONGEST = 0.5;
/** Distance from one bar to the next, in rows. */
const PITCH = 1.15;

/** A panel of bars below each other, on a scale from 0. */
export function barsPanel({ id, title, caption, bars, line, max: shared }: Bars): Panel {
  const max = shared ?? largest([...bars.map(({ value }) => value), line?.value ?? 0], 1e-9);
  const widthOf = (value: number): number => Math.max(0.2, (value / max) * PANEL_WIDTH * LONGEST);
  const marks = bars.flatMap((bar, i): Mark[] => {
    const name = `${id} ${bar.id}`;
    const w = widthOf(bar.value);
    if (bar.isPending) return [box(name, 0, i * PITCH, { w, state: 'ghost', label: `${bar.label}: not measured yet` })];
    const filled = { w, tone: bar.tone, level: 1, label: `${bar.label}: ${bar.words}` };
    const x = Math.max(w, line ? widthOf(line.value) : 0) + 1;
    return [
      box(name, 0, i * PITCH, bar.focus ? { ...filled, focus: true } : filled),
      note(`${name} words`, x, i * PITCH, PANEL_WIDTH * (1 - LONGEST), bar.words),
    ];
  });
  const rows = Math.max(1, (bars.length - 1) * PITCH + 1);
  if (line) marks.push(box(`${id} line`, widthOf(line.value), 0, { w: 0.3, h: rows, level: 1, label: line.label }));
  return {
    id,
    title,
    caption,
    unit: 'bar',
    columns: PANEL_WIDTH,
    rows,
    rowLabels: bars.map(({ label, focus }, i): Label => ({
      at: i * PITCH,
      text: label,
      ...(focus && { strong: true }),
    })),
    marks,
  };
}
