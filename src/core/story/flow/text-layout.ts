import type { TextMeasurer } from '../drawing-room.ts';
import type { DrawnMark, TextRun, Tone } from '../scene.ts';
import { isNarrow, type Room } from './room.ts';

/* The words of a picture: their sizes, how wide they are, where their lines break, and their marks. */

/** No words are smaller, in CSS px. */
export function smallestText(room: Pick<Room, 'width'>): number {
  return isNarrow(room) ? 11 : 12;
}

/** Sizes of words. small: remarks. text: the rest. */
export type Size = 'small' | 'text';
const SIZES: Readonly<Record<Size, number>> = { small: 0.85, text: 1 };

/** px of words, in halves. */
export function textPx(room: Room, size: Size): number {
  return Math.max(smallestText(room), Math.floor(room.em * SIZES[size] * 2) / 2);
}

/** Height of a line of words, in their size. */
export const LINE = 1.4;

/** Words of a picture: plain, or in runs with a weight and a tone each. */
export type Text = string | readonly TextRun[];

export function runsOf(said: Text): readonly TextRun[] {
  return typeof said === 'string' ? [{ text: said }] : said;
}

/** Width of words on one line. */
export function widthOf(room: { readonly measure: TextMeasurer }, said: Text, px: number, strong = false): number {
  return runsOf(said).reduce((sum, run) => sum + room.measure(run.text, sans(px, run.strong ?? strong)), 0);
}

/** Lines that words take in a width, broken as a drawing breaks them. */
export function linesIn(room: Room, said: Text, px: number, width: number, strong: boolean): number {
  let [lines, used] = [1, 0];
  for (const run of runsOf(said)) {
    const font = sans(px, run.strong ?? strong);
    for (const word of run.text.match(/[^ ]+ *| +/g) ?? []) {
      if (used > 0 && used + room.measure(word.trimEnd(), font) > width + 0.5) [lines, used] = [lines + 1, 0];
      used += room.measure(word, font);
    }
  }
  return lines;
}

const sans = (px: number, strong: boolean) => ({ face: 'sans', px, strong }) as const;

/** How words are drawn. */
export interface WordsLook {
  /** px */
  readonly size: number;
  readonly tone?: Tone;
  readonly strong?: boolean;
  readonly align?: 'start' | 'middle' | 'end';
  /** they are broken to this width */
  readonly w?: number;
}

/** Words whose first line begins, is centred or ends at x. */
export function wordsMark(id: string, said: Text, x: number, y: number, look: WordsLook): DrawnMark {
  return { id, shape: 'text', tone: 'neutral', x, y, w: 0, h: 0, runs: runsOf(said), ...look };
}
