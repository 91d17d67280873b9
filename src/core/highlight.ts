import { lowerBound, type Region } from './matrix/index.ts';

/** The columns of a row's non-zeros, ascending. */
export type RowColumns = Uint32Array;

/** Cells that the first look at a larger matrix shows: few enough to read every number. */
export const FIRST_LOOK = { rows: 5, cols: 32 } as const;

/** Where a format does what it is known for, in the first of some rows. */
export interface Highlight {
  /** the columns that have to be seen: first and last */
  readonly from: number;
  readonly to: number;
  /** The more of it, the larger; Infinity where no other place could show it better. */
  readonly amount: number;
  /** false: it does not happen, and this is what comes closest */
  readonly happens: boolean;
  /** A cut begins at a multiple of this many columns, because the format counts in steps of so many. Default: 1. */
  readonly step?: number;
}

/**
 * Looks for a highlight of the first of these rows that fits into FIRST_LOOK; the others are those that follow it and
 * would be seen with it. null where there is none. Pure, O(non-zeros of the rows).
 */
export type FindHighlight<P> = (
  rows: readonly RowColumns[],
  shape: { readonly cols: number },
  p: P,
) => Highlight | null;

/** The part of a matrix that shows a highlight of a row: from that row on, at most 5 rows, and about 32 columns. */
export function cutAround(
  { from, to, step = 1 }: Highlight,
  row: number,
  shape: { readonly rows: number; readonly cols: number },
): Region {
  const last = Math.max(0, shape.cols - FIRST_LOOK.cols);
  const start = Math.min(from, last);
  const col = start - (start % step);
  const cols = Math.min(Math.max(FIRST_LOOK.cols, to + 1 - col), shape.cols - col);
  return { row, col, rows: Math.min(FIRST_LOOK.rows, shape.rows - row), cols };
}

/** How many of a row's non-zeros are in columns from `from` to `to - 1`. O(log n). */
export function countWithin(row: RowColumns, from: number, to: number): number {
  return lowerBound(row, row.length, to) - lowerBound(row, row.length, from);
}
