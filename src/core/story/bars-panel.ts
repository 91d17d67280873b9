import { box, note } from './marks.ts';
import { largest } from '../number/statistics.ts';
import type { Mark, Panel, Tone } from './scene.ts';

/** Width of the panel, in columns of its grid. */
const WIDTH = 100;
/** Share of the width for the longest bar; the rest is for the text after it. */
const LONGEST = 0.65;
/** Distance from one bar to the next, in rows. */
const LINE = 1.25;

/** One bar of the panel, made of segments. */
export interface Bar {
  readonly id: string;
  readonly label: string;
  /** segments, left to right */
  readonly parts: readonly { readonly value: number; readonly tone: Tone; readonly label?: string }[];
  /** text after the bar */
  readonly words: string;
  readonly strong?: boolean;
}

export interface BarsOptions {
  readonly id: string;
  readonly title: string;
  readonly caption?: string;
  readonly bars: readonly Bar[];
}

/** A panel of a story with horizontal bars, all to one scale, and a text after each. */
export function barsPanel({ id, title, caption, bars }: BarsOptions): Panel {
  const totals = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const scale = (WIDTH * LONGEST) / largest(totals, 1e-9);
  const marks = bars.flatMap((bar, line): Mark[] => {
    const y = line * LINE;
    let x = 0;
    const boxes = bar.parts.flatMap(({ value, tone, label }, number): Mark[] => {
      const w = value * scale;
      if (w === 0) return [];
      const part = box(`${bar.id} ${number}`, x, y, {
        w: Math.max(w, 0.1),
        tone,
        level: 1,
        label: label ?? `${bar.label}: ${bar.words}`,
      });
      x += w;
      return [part];
    });
    const text = note(`${bar.id} words`, x + 1, y, WIDTH * (1 - LONGEST) - 1, bar.words);
    return [...boxes, text];
  });
  return {
    id,
    title,
    unit: 'bar',
    columns: WIDTH,
    rows: Math.max(1, bars.length * LINE),
    rowLabels: bars.map(({ label, strong }, line) => ({ at: line * LINE, text: label, ...(strong ? { strong } : {}) })),
    marks,
    ...(caption === undefined ? {} : { caption }),
  };
}
