import { countText } from './story/words.ts';
import { cutColumns } from './bounds/bounds.ts';
import { lowerBound, type Region } from './matrix/index.ts';
import type { NamedFact } from './story/stated.ts';

/** The columns of a row's non-zeros, ascending. */
export type RowColumns = Uint32Array;

/** Cells that the first look at a larger matrix shows: few enough to read every number. */
export const FIRST_CUT = { rows: 5, cols: 32 } as const;

/** Rows that a format looks at for a highlight of the first of them. */
export const HIGHLIGHT_ROWS = 8;

/** Non-zeros of a row that can be read in a cut that is wider than the first look; between them, columns are folded. */
const READABLE = 24;

/** Columns in which a format shows its characteristic case, in the first of some rows. */
export interface Highlight {
  /** the columns that have to be seen: first and last */
  readonly from: number;
  readonly to: number;
  /** How much of the case there is to see; Infinity where no other place could show it better. */
  readonly amount: number;
  /** false: it does not happen, and this is what comes closest */
  readonly happens: boolean;
  /** A cut begins at a multiple of this many columns, the format's unit of counting. Default: 1. */
  readonly step?: number;
  /** Rows that have to be seen. Default: those of FIRST_CUT, as far as they fit. */
  readonly rows?: number;
}

/**
 * Looks for a highlight of the first of these rows that fits into a cut; the others are those that follow it, and would be
 * seen with it. null where there is none. What it returns follows from the rows alone, O(non-zeros of the rows).
 */
export type HighlightOfRows = (rows: readonly RowColumns[]) => Highlight | null;

/** Prepares for the rows of one matrix. */
export type FindHighlight<P> = (p: P, shape: { readonly cols: number }) => HighlightOfRows;

/** A format's counts over all rows of a matrix, one after the other: what its story says of the whole matrix. */
export interface Tally {
  /** O(non-zeros of the row) */
  row(columns: RowColumns): void;
  /** the counts, after the last row */
  facts(): readonly NamedFact[];
}

/**
 * The part of a matrix that shows a highlight of a row: from that row on, about 32 columns, and where those that have to be
 * seen are more, all that a cut has room for.
 */
export function cutAround(
  { from, to, step = 1, rows = FIRST_CUT.rows }: Highlight,
  row: number,
  shape: { readonly rows: number; readonly cols: number },
): Region {
  const height = Math.min(rows, shape.rows - row);
  const rowsFor = (cols: number): number => Math.max(1, Math.min(height, cutColumns(cols)));
  const isWide = to + 1 - from > FIRST_CUT.cols;
  if (isWide && shape.cols <= cutColumns(height)) return { row, col: 0, rows: height, cols: shape.cols };
  const last = Math.max(0, shape.cols - FIRST_CUT.cols);
  const start = Math.min(from, last);
  const col = start - (start % step);
  const needed = Math.ceil((to + 1 - col) / step) * step;
  const cols = Math.min(Math.max(FIRST_CUT.cols, needed), shape.cols - col);
  return { row, col, rows: rowsFor(cols), cols };
}

/**
 * The first row, by its number of non-zeros that can be read (`amount`: the densest row of a matrix wins). All of a row
 * that has few of them, else where its columns are fullest. For a format that does the same in every row.
 */
export function densest([row]: readonly RowColumns[], { cols }: { readonly cols: number }): Highlight | null {
  if (row.length === 0) return null;
  const width = Math.min(FIRST_CUT.cols, cols);
  const end = row[row.length - 1];
  if (row.length <= READABLE && end - row[0] < cutColumns(FIRST_CUT.rows))
    return { from: row[0], to: end, amount: row.length, happens: false };
  // The first columns with more non-zeros than any before them.
  let [max, start] = [0, 0];
  for (let first = 0; first + max < row.length && max < width; first++) {
    for (; first + max < row.length && row[first + max] - row[first] < width; max++) start = first;
  }
  const last = row[start + max - 1];
  const amount = max === width ? Number.POSITIVE_INFINITY : max;
  return { from: last < width ? 0 : row[start], to: last, amount, happens: false };
}

/** How many of a row's non-zeros are in columns from `from` to `to - 1`. O(log n). */
export function countWithin(row: RowColumns, from: number, to: number): number {
  return lowerBound(row, row.length, to) - lowerBound(row, row.length, from);
}

/** 'rows 464 to 467', 'column 3'. */
export function spanText(one: string, from: number, count: number): string {
  return `${one}${count === 1 ? '' : 's'} ${countText(from)}${count === 1 ? '' : ` to ${countText(from + count - 1)}`}`;
}

/** 'rows 464 to 467, columns 261 to 292'. */
export function cutText({ row, col, rows, cols }: Region): string {
  return `${spanText('row', row, rows)}, ${spanText('column', col, cols)}`;
}
