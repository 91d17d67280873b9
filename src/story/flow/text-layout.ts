import type { TextMeasurer } from '../drawing-space.ts';
import type { DrawnMark, TextRun, Tone } from '../scene.ts';
import { isNarrow, type LayoutSpace } from './layout-space.ts';

/* Texts of a picture: their sizes, widths, line breaks and marks. */

/** The smallest font size, in CSS px. */
export function smallestText(available: Pick<LayoutSpace, 'width'>): number {
  return isNarrow(available) ? 11 : 12;
}

/** Sizes of text: 'small' for remarks, 'text' for all else. */
export type Size = 'small' | 'text';
const SIZES: Readonly<Record<Size, number>> = { small: 0.85, text: 1 };

/** Font size in px, a multiple of 0.5. */
export function textPx(available: LayoutSpace, size: Size): number {
  return Math.max(smallestText(available), Math.floor(available.em * SIZES[size] * 2) / 2);
}

/** Height of a line of text, relative to its font size. */
export const LINE = 1.4;

/** A text of a picture: plain, or in runs, each with its weight and colour. */
export type Text = string | readonly TextRun[];

/** A text as runs. */
export function runsOf(text: Text): readonly TextRun[] {
  return typeof text === 'string' ? [{ text }] : text;
}

/** Width of a text on one line, in px. */
export function widthOf(free: { readonly measure: TextMeasurer }, text: Text, px: number, strong = false): number {
  return runsOf(text).reduce((sum, run) => sum + free.measure(run.text, sans(px, run.strong ?? strong)), 0);
}

/** Number of lines of a text in a width, broken between words as when it is drawn. */
export function linesIn(available: LayoutSpace, text: Text, px: number, width: number, strong: boolean): number {
  let [lines, used] = [1, 0];
  for (const run of runsOf(text)) {
    const font = sans(px, run.strong ?? strong);
    for (const word of run.text.match(/[^ ]+ *| +/g) ?? []) {
      if (used > 0 && used + available.measure(word.trimEnd(), font) > width + 0.5) [lines, used] = [lines + 1, 0];
      used += available.measure(word, font);
    }
  }
  return lines;
}

const sans = (px: number, strong: boolean) => ({ face: 'sans', px, strong }) as const;

/** How a text is drawn. */
export interface WordsStyle {
  /** font size, px */
  readonly size: number;
  readonly tone?: Tone;
  readonly strong?: boolean;
  readonly align?: 'start' | 'middle' | 'end';
  /** width of its lines, px; default: one line */
  readonly w?: number;
}

/** The mark of a text whose first line begins, is centred or ends at x, by `align`. */
export function wordsMark(id: string, text: Text, x: number, y: number, style: WordsStyle): DrawnMark {
  return { id, shape: 'text', tone: 'neutral', x, y, w: 0, h: 0, runs: runsOf(text), ...style };
}
