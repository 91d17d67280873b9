import {
  counter,
  type CounterPart,
  type DrawingLayout,
  GUTTER,
  sizeOf,
  unitText,
  words,
} from '../../../../core/story/drawing.ts';
import { cellName, ticks } from '../../../../core/story/scene-parts.ts';
import type { Drawing, DrawnLink, DrawnMark } from '../../../../core/story/scene.ts';
import { numberText } from '../../../../core/story/stated.ts';
import { countText, listText, valueText } from '../../../../core/story/words.ts';
import type { Facts } from './facts.ts';

/* What the pictures of the frames are made of: weights, column numbers, grids, blocks, counters. In points. */

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

type Look = Partial<
  Pick<DrawnMark, 'state' | 'focus' | 'level' | 'from' | 'size' | 'tone' | 'text' | 'strong' | 'label' | 'id'>
>;

/** A mark, or several. */
export type Drawn = DrawnMark | readonly DrawnMark[];

export function drawingOf(layout: DrawingLayout, marks: readonly Drawn[], links: readonly DrawnLink[] = []): Drawing {
  return { ...sizeOf(layout), marks: marks.flat(), links };
}

/** Width of a character of the mono face, as a share of its size. */
const CHARACTER = 0.61;
const MAX_SIZE = 14;
const MIN_SIZE = 6.5;

/** The size at which so many characters fit into a box; null where they could not be read. */
export function fittingSize({ w, h }: Pick<Area, 'w' | 'h'>, characters: number): number | null {
  const size = Math.min(MAX_SIZE, Math.floor((2 * (w - 1)) / (CHARACTER * characters)) / 2, 0.78 * h);
  return size < MIN_SIZE ? null : size;
}

function textFor(text: string, place: Area, characters: number): Pick<DrawnMark, 'text' | 'size'> {
  const size = fittingSize(place, Math.max(characters, text.length));
  return size === null ? {} : { text, size };
}

/** Most cells show two characters; a longer one is smaller. */
const CELL_CHARACTERS = 2;

/** A zero that a lane adds up only because its block is filled. */
export function fillingZero(id: string, row: number, place: Area): DrawnMark {
  return { id, shape: 'box', tone: 'padding', label: `row ${row}: a zero that only fills up`, ...place };
}

/** A weight. It keeps its id from picture to picture, so that it moves. */
export function weight(
  { valueOf, levelOf, unit }: Facts,
  row: number,
  col: number,
  place: Area,
  look: Look = {},
): DrawnMark {
  const value = valueOf(row, col);
  const name = cellName(row, col);
  return {
    id: name,
    shape: 'box',
    tone: 'values',
    level: levelOf(value),
    label: `row ${row}, column ${col}: ${valueText(value)}`,
    about: [name],
    ...place,
    ...textFor(unitText(value, unit), place, CELL_CHARACTERS),
    ...look,
  };
}

/** A weight that takes no part: nearly white, without its number. */
export const PALE: Look = { level: 0, text: '' };

/** The column number that these rows keep; it is called by the first of them. */
export function columnNumber(
  facts: Facts,
  rows: ArrayLike<number>,
  col: number,
  place: Area,
  look: Look = {},
): DrawnMark {
  const all = Array.from(rows);
  return {
    id: `number ${all[0]},${col}`,
    shape: 'box',
    tone: 'indices',
    label: `column number ${col}, for ${rowsText(all)}`,
    about: all.map((row) => cellName(row, col)),
    ...place,
    ...textFor(String(col), place, Math.max(2, String(facts.cols - 1).length)),
    ...look,
  };
}

/** A count as a word, in words beside a picture. */
export const inWords = (value: number): string => numberText({ value, rounding: 'word' });

/** 'row 3', 'rows 0 to 3', 'rows 0, 2 and 5'. */
export function rowsText(rows: ArrayLike<number>): string {
  const all = Array.from(rows).toSorted((a, b) => a - b);
  const isRun = all.length > 2 && all.every((row, i) => row === all[0] + i);
  if (all.length === 1) return `row ${all[0]}`;
  return isRun ? `rows ${all[0]} to ${all[all.length - 1]}` : `rows ${listText(all.map(String))}`;
}

/** Some rows and columns of the matrix, a cell each. */
export interface Grid {
  readonly rows: readonly number[];
  readonly cols: readonly number[];
  readonly area: Area;
  readonly pitch: { readonly x: number; readonly y: number };
  place(row: number, col: number): Area;
}

const MAX_CELL = 24;

/** Cells of these rows and columns as large as the area allows. */
export function gridOf(rows: readonly number[], cols: readonly number[], area: Area, maxHeight = 15): Grid {
  const pitch = {
    x: Math.min(MAX_CELL, area.w / Math.max(1, cols.length)),
    y: Math.min(maxHeight, area.h / Math.max(1, rows.length)),
  };
  const [rowAt, colAt] = [rows, cols].map((all) => new Map(all.map((n, i) => [n, i])));
  return {
    rows,
    cols,
    pitch,
    area: { x: area.x, y: area.y, w: pitch.x * cols.length, h: pitch.y * rows.length },
    place: (row, col) => ({
      x: area.x + pitch.x * (colAt.get(col) ?? 0),
      y: area.y + pitch.y * (rowAt.get(row) ?? 0),
      w: Math.max(1, pitch.x - (pitch.x > 8 ? 2 : 1)),
      h: Math.max(1, pitch.y - (pitch.y > 8 ? 2 : 1)),
    }),
  };
}

/** Rows that are drawn of a window with many: those of the first pair and the largest block, then the first ones. */
export function shownRows({ rows, first, best, largest }: Facts, max: number): readonly number[] {
  const wanted = [
    ...(first ?? best ?? { rows: [] }).rows,
    ...(largest?.block.rows ?? []),
    ...Array.from({ length: rows }, (_, r) => r),
  ];
  return [...new Set(wanted)].slice(0, max).toSorted((a, b) => a - b);
}

/** Names of the rows left of a grid, and numbers above its columns: every one where there are few. */
export function gridLabels(grid: Grid, strongRows: readonly number[] = [], labelX = 0): readonly DrawnMark[] {
  const { rows, cols, area, pitch } = grid;
  const isEvery = cols.some((col, i) => col !== cols[0] + i);
  const labels = isEvery ? cols.map((col, at) => ({ at, text: String(col) })) : ticks(0, cols.length);
  const size = pitch.x < 16 && isEvery ? 7.5 : 9.5;
  return [
    ...labels.map(({ at, text }) =>
      words(`column ${text}`, { x: area.x + (at + 0.5) * pitch.x - 1, y: area.y - 14 }, text, {
        size,
        face: 'mono',
        align: 'middle',
      }),
    ),
    ...rows.flatMap((row, i) =>
      pitch.y < 9
        ? []
        : [
            words(`row label ${row}`, { x: labelX, y: area.y + i * pitch.y + pitch.y / 2 - 8.5 }, `row ${row}`, {
              size: 11,
              ...(strongRows.includes(row) && { strong: true, tone: 'ink' as const }),
            }),
          ],
    ),
  ];
}

/** The area of the matrix in a wide picture: below it there is room for lists and blocks. */
export const WIDE_MATRIX: Area = { x: GUTTER, y: 32, w: 640, h: 120 };

/** Rows that share a list of columns, as they are drawn. */
export interface DrawnBlock {
  readonly rows: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
  /** 0 for a column of zeros that only fills up */
  readonly real?: ArrayLike<number>;
}

/** Extent of a cell of a block. */
export interface Unit {
  readonly x: number;
  readonly y: number;
}

/** Between a block's list and its weights. */
const LIST_GAP = 3;
const LABEL_SIZE = 10;
/** Below this height, rows of blocks have no names. */
const MIN_LABELLED = 10;

export const blockWidth = ({ columns }: DrawnBlock, unit: Unit): number => columns.length * unit.x;
export const blockHeight = ({ rows }: DrawnBlock, unit: Unit): number => (rows.length + 1) * unit.y + LIST_GAP;

/** A block: one list of column numbers, and below it the weights of every row. O(cells). */
export function blockMarks(
  facts: Facts,
  block: DrawnBlock,
  at: { readonly x: number; readonly y: number; readonly unit: Unit },
  look: { readonly isPale?: boolean; readonly hasFocus?: boolean; readonly numbers?: Look; readonly id?: string } = {},
): readonly DrawnMark[] {
  const { x, y, unit } = at;
  const pale: Look = look.isPale ? { state: 'dim' } : {};
  const place = (i: number, line: number): Area => ({
    x: x + i * unit.x,
    y: y + line * unit.y + (line > 0 ? LIST_GAP : 0),
    w: Math.max(1, unit.x - (unit.x > 8 ? 2 : 1)),
    h: Math.max(1, unit.y - (unit.y > 8 ? 2 : 1)),
  });
  const marks: DrawnMark[] = [];
  const seen = new Set<number>();
  Array.from(block.columns).forEach((col, i) => {
    const isReal = block.real === undefined || block.real[i] === 1;
    // A column that only fills up repeats the number of another one.
    const id = isReal && !seen.has(col) ? {} : { id: `zeros of ${block.rows[0]}, ${i}, ${look.id ?? ''}` };
    if (isReal) seen.add(col);
    marks.push(columnNumber(facts, block.rows, col, place(i, 0), { ...pale, ...look.numbers, ...id }));
    Array.from(block.rows).forEach((row, g) => {
      marks.push(
        isReal
          ? weight(facts, row, col, place(i, g + 1), pale)
          : fillingZero(`zero ${row}, ${i}, ${look.id ?? ''}`, row, place(i, g + 1)),
      );
    });
  });
  if (unit.y >= MIN_LABELLED) {
    Array.from(block.rows).forEach((row, g) => {
      const labelY = y + (g + 1.5) * unit.y + LIST_GAP - 8;
      const { columns } = block;
      marks.push(
        words(`name of ${row} beside ${columns[0]} ${look.id ?? ''}`, { x: x - 6, y: labelY }, `row ${row}`, {
          size: LABEL_SIZE,
          align: 'end',
        }),
      );
    });
  }
  if (look.hasFocus) {
    const [w, h] = [blockWidth(block, unit) + 2, blockHeight(block, unit) + 2];
    marks.push({ id: `frame of the block`, shape: 'frame', tone: 'ink', focus: true, x: x - 2, y: y - 2, w, h });
  }
  return marks;
}

/** Where a block stands. */
export interface ShelvedBlock<B extends DrawnBlock> {
  readonly block: B;
  readonly x: number;
  readonly y: number;
  readonly unit: Unit;
}

const SHRINKING = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.22, 0.16];
/** Room for 'row 12', and between blocks. */
const LABEL_WIDTH = 42;
const BLOCK_GAP = 8;
/** Pictures with more cells would not move smoothly. */
const MAX_CELLS = 1200;

/** Blocks side by side in lines, as large as the area allows; those that have no room are only counted. O(blocks). */
export function shelved<B extends DrawnBlock>(
  blocks: readonly B[],
  area: Area,
  largest: Unit,
  { behind = 0, above = 0 } = {},
): { readonly placed: readonly ShelvedBlock<B>[]; readonly hidden: number } {
  let cells = 0;
  const few = blocks.filter(({ rows, columns }) => (cells += (rows.length + 1) * columns.length) <= MAX_CELLS);
  for (const share of SHRINKING) {
    const unit = { x: largest.x * share, y: largest.y * share };
    const label = unit.y >= MIN_LABELLED ? LABEL_WIDTH : 0;
    const placed: ShelvedBlock<B>[] = [];
    let [x, y, line] = [area.x, area.y + above, 0];
    let hasRoom = true;
    for (const block of few) {
      const [w, h] = [label + blockWidth(block, unit) + behind * share, blockHeight(block, unit)];
      if (x > area.x && x + w > area.x + area.w) [x, y, line] = [area.x, y + line + BLOCK_GAP + above, 0];
      hasRoom &&= x + w <= area.x + area.w + 0.5 && y + h <= area.y + area.h + 0.5;
      if (!hasRoom) break;
      placed.push({ block, x: x + label, y, unit });
      line = Math.max(line, h);
      x += w + BLOCK_GAP;
    }
    if (hasRoom || share === SHRINKING[SHRINKING.length - 1]) return { placed, hidden: blocks.length - placed.length };
  }
  return { placed: [], hidden: blocks.length };
}

/** Of the blocks that have no room. */
export function hiddenNote(hidden: number, at: { readonly x: number; readonly y: number }): readonly DrawnMark[] {
  const text = `and ${countText(hidden)} more ${hidden === 1 ? 'block' : 'blocks'}`;
  return hidden === 0 ? [] : [words('hidden blocks', at, text, { size: 11, align: 'end' })];
}

/** The counter of frames that count column numbers; each is written in full, unless they take `numbers` bytes. */
export function numbersCounter(
  facts: Facts,
  layout: DrawingLayout,
  kept: number,
  note: string,
  numbers = kept * facts.numberBytes,
): readonly DrawnMark[] {
  const { bytes } = facts;
  return counter(layout, {
    title: 'bytes',
    parts: [
      { tone: 'values', value: bytes.weights, label: `weights ${countText(bytes.weights)}` },
      { tone: 'indices', value: numbers, label: `columns ${countText(numbers)}` },
    ],
    of: bytes.dense,
    ofText: `dense ${countText(bytes.dense)}`,
    number: countText(kept),
    unit: kept === 1 ? 'column number' : 'column numbers',
    note,
  });
}

/** The counter of what is stored in the end. */
export function bytesCounter({ bytes }: Facts, layout: DrawingLayout): readonly DrawnMark[] {
  const parts: CounterPart[] = [
    { tone: 'values', value: bytes.weights, label: `weights ${countText(bytes.weights)}` },
    ...(bytes.zeros > 0
      ? [{ tone: 'padding' as const, value: bytes.zeros, label: `zeros ${countText(bytes.zeros)}` }]
      : []),
    { tone: 'indices', value: bytes.columns, label: `columns ${countText(bytes.columns)}` },
    { tone: 'metadata', value: bytes.bookkeeping, label: `bookkeeping ${countText(bytes.bookkeeping)}` },
  ];
  return counter(layout, {
    title: 'bytes',
    parts,
    of: bytes.dense,
    ...(layout === 'wide' && { ofText: `dense ${countText(bytes.dense)}` }),
    number: countText(bytes.total),
    unit: `of ${countText(bytes.dense)} bytes`,
    note: parts.map(({ value }) => countText(value)).join(' + '),
  });
}

/** Text below each other, in points from the top. */
export function lines(
  id: string,
  at: { readonly x: number; readonly y: number; readonly w?: number },
  texts: readonly (string | null)[],
  look: Parameters<typeof words>[3] = {},
  pitch = 18,
): readonly DrawnMark[] {
  return texts
    .filter((text) => text !== null)
    .map((text, i) => words(`${id} ${i}`, { ...at, y: at.y + i * pitch }, text, look));
}
