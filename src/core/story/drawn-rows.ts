import {
  type CellLook,
  cellRow,
  type CellUnit,
  type DrawingLayout,
  GUTTER,
  sizeOf,
  unitText,
  words,
} from './drawing.ts';
import { cellName, magnitudeLevels, ticks } from './scene-parts.ts';
import type { Drawing, DrawnLink, DrawnMark } from './scene.ts';
import type { Trace } from './trace.ts';
import { valueText } from './words.ts';

/*
 * Rows of a window in the pictures of frames: on lines of 32 columns, of 16 on a phone.
 */

/** A weight of a window. */
export interface DrawnWeight {
  readonly row: number;
  readonly column: number;
  readonly value: number;
  /** of what else lights up with its cell */
  readonly name?: string;
}

/** The rows of a window that its pictures show. */
export interface DrawnWindow<W extends DrawnWeight = DrawnWeight> {
  readonly t: Pick<Trace, 'window' | 'x'>;
  /** row by row */
  readonly weights: readonly W[];
  readonly ofRow: readonly (readonly W[])[];
  readonly unit: CellUnit;
  /** of a weight as it is stored, and the bytes of all cells in dense */
  readonly valueBits: number;
  readonly dense: number;
  /** the row that is drawn most prominently; null in a window without weights */
  readonly lead: { readonly row: number } | null;
  /** of each row times x */
  readonly sums: readonly number[];
}

/** Narrower cells have no numbers. */
const MIN_NUMBERED = 16;
const MAX_PITCH = 36;
/** Advance of a character of the mono face, in its size. */
const ADVANCE = 0.6;

/** Marks one by one or several at a time, in the order in which they are drawn. */
export type Parts = (DrawnMark | readonly DrawnMark[])[];

export function drawing(layout: DrawingLayout, parts: Readonly<Parts>, links?: readonly DrawnLink[]): Drawing {
  return { ...sizeOf(layout), marks: parts.flat(), ...(links && { links }) };
}

/** A weight with `more` digits more than its cell has. */
export function exactText({ unit }: Pick<DrawnWindow, 'unit'>, value: number, more: number): string {
  const digits = Math.log10(unit.perOne) + (unit.name === null ? 0 : more);
  const isPlain = Number.isFinite(value) && unit.perOne >= 1;
  return isPlain ? value.toFixed(digits).replace('-', '\u2212') : valueText(value);
}

/** Where the columns of a row are. */
export interface RowGrid {
  readonly x: number;
  readonly pitch: number;
  /** columns of a line, and lines of a row */
  readonly fold: number;
  readonly lines: number;
  readonly cols: number;
  /** points of the weights' numbers; null where there is no room for any */
  readonly size: number | null;
}

/** `room`: the width for the cells. `fold`: columns of a line at most. */
export function rowGrid(
  { t, weights, unit }: DrawnWindow,
  at: { readonly x: number; readonly room: number; readonly fold: number },
): RowGrid {
  const { cols } = t.window;
  const fold = Math.max(1, Math.min(cols, at.fold));
  const pitch = Math.min(MAX_PITCH, at.room / fold);
  const digits = weights.reduce((max, { value }) => Math.max(max, unitText(value, unit).length), 1);
  const size = Math.min(12, fitting(pitch - 2, digits));
  return {
    x: at.x,
    pitch,
    fold,
    lines: Math.max(1, Math.ceil(cols / fold)),
    cols,
    size: pitch >= MIN_NUMBERED && size >= 7 ? size : null,
  };
}

/** The size in which as many characters of the mono face fit. */
export function fitting(width: number, characters: number): number {
  return width / (ADVANCE * Math.max(1, characters));
}

/** The grid of a row that stands alone: the whole width. */
export function aloneGrid(facts: DrawnWindow, layout: DrawingLayout): RowGrid {
  const { width } = sizeOf(layout);
  return layout === 'wide'
    ? rowGrid(facts, { x: GUTTER, room: width - GUTTER, fold: 32 })
    : rowGrid(facts, { x: 0, room: width, fold: 16 });
}

/** Every fourth column's number above line `line`. */
export function columnNumbers(grid: RowGrid, line: number, y: number, id = 'columns'): readonly DrawnMark[] {
  const first = line * grid.fold;
  return ticks(first, Math.min(grid.cols, first + grid.fold)).map(({ at, text }) =>
    words(`${id} ${first + at}`, { x: grid.x + (at + 0.5) * grid.pitch - 1, y }, text, {
      align: 'middle',
      face: 'mono',
      size: 10,
    }),
  );
}

/** How a weight's cell is drawn. */
function weightLook(facts: DrawnWindow, weight: DrawnWeight, size: number | null): CellLook {
  const { row, column, value, name } = weight;
  return {
    tone: 'values',
    level: magnitudeLevels(facts.t.window)(value),
    label: `row ${row}, column ${column}: ${valueText(value)}`,
    about: [cellName(row, column), ...(name === undefined ? [] : [name])],
    ...(size !== null && { text: unitText(value, facts.unit), size }),
  };
}

/** One row, with `emptyLook` for cells without weights. `yOf`: top of each line. */
export function rowCells<W extends DrawnWeight>(
  facts: DrawnWindow<W>,
  grid: RowGrid,
  row: number,
  at: { readonly yOf: (line: number) => number; readonly height: number },
  look: {
    readonly empty: (column: number) => CellLook | null;
    readonly weight?: (weight: W) => CellLook;
  },
): readonly DrawnMark[] {
  const byColumn = new Map(facts.ofRow[row].map((weight) => [weight.column, weight]));
  return Array.from({ length: grid.lines }, (_, line) => line).flatMap((line) => {
    const first = line * grid.fold;
    return cellRow(
      { x: grid.x, y: at.yOf(line), pitch: grid.pitch, height: at.height },
      Math.min(grid.fold, grid.cols - first),
      (i) => cellName(row, first + i),
      (i) => {
        const weight = byColumn.get(first + i);
        if (!weight) return look.empty(first + i);
        return { ...weightLook(facts, weight, grid.size), ...look.weight?.(weight) };
      },
    );
  });
}
