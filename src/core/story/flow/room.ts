import type { DrawnMark, TextRun, Tone } from '../scene.ts';
import type { DrawingRoom, TextMeasurer } from '../drawing-room.ts';

/**
 * What the parts of a picture are laid out in. They say what stands where in words, cells and bars; lengths follow from the
 * room, in CSS px, and from the words, which are measured. Whatever has words has room for them.
 */
export interface Room extends DrawingRoom {
  /** px of running text: one for all pictures of a story */
  readonly em: number;
  /** index of the picture in its frame: `since` shows the parts that have appeared by then */
  readonly picture: number;
  /** px left of titled parts for their titles */
  readonly gutter: number;
  /** height of a gap relative to the usual */
  readonly air: number;
  /** size of cells that grow, and height of the others, relative to the usual: larger where a phone has room left, smaller in a low room */
  readonly grow: number;
  /** only heights are asked for: cells need not be drawn */
  readonly heightOnly: boolean;
}

/** Narrower rooms are those of a phone. */
const NARROW = 540;

export function isNarrow({ width }: Pick<Room, 'width'>): boolean {
  return width < NARROW;
}

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

/** A part of a picture. */
export interface Part {
  /** titles left of it: the widest decides how wide the gutter of a story is */
  readonly titles: readonly string[];
  /** px that it needs to stand beside another; null: all that there is */
  natural(room: Room): number | null;
  /** its marks in a width, with the gutter as a part of it */
  lay(room: Room, width: number): LaidOut;
}

/** A part in its place: its height, and marks from its top left corner. */
export interface LaidOut {
  readonly h: number;
  readonly marks: readonly DrawnMark[];
}

/** A part that takes no room and draws nothing. */
export const EMPTY: LaidOut = { h: 0, marks: [] };

/** Marks that are shifted by px. */
export function moved(marks: readonly DrawnMark[], dx: number, dy: number): readonly DrawnMark[] {
  if (dx === 0 && dy === 0) return marks;
  return marks.map((mark) => ({
    ...mark,
    x: mark.x + dx,
    y: mark.y + dy,
    ...(mark.points && { points: mark.points.map(([x, y]): [number, number] => [x + dx, y + dy]) }),
  }));
}

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

export interface WordsLook {
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
