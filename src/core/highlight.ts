import { regionColumns } from './bounds/bounds.ts';
import { FIRST_REGION } from './cut.ts';
import { lowerBound, type Region } from './matrix/index.ts';

/** The columns of a row's non-zeros, ascending. */
export type RowColumns = Uint32Array;

/** Number of rows that a HighlightOfRows receives, fewer at the end of a matrix. */
export const HIGHLIGHT_ROWS = 8;

/** Maximum non-zeros of a row that can be read in a story's region wider than FIRST_REGION. */
const READABLE = 24;

/** The columns of a row that show a format's characteristic case, such as a gap that needs a stored zero. */
export interface Highlight {
  /** the columns that have to be seen: first and last */
  readonly from: number;
  readonly to: number;
  /** How well the case can be seen; Infinity: no other region could show it better. */
  readonly score: number;
  /** false: the case does not happen here, but this comes closest */
  readonly hasCase: boolean;
  /** The region begins at a multiple of this many columns. Default: 1. */
  readonly step?: number;
  /** Rows that have to be visible. Default: the rows of FIRST_REGION, as far as they fit. */
  readonly rows?: number;
}

/**
 * The highlight of the first of these rows, if the row has one that fits into a story's region; the following rows are
 * shown with the first. Pure, O(non-zeros of the rows).
 */
export type HighlightOfRows = (rows: readonly RowColumns[]) => Highlight | null;

/** Makes the function that finds highlights in a matrix of this shape. */
export type FindHighlight<P> = (p: P, shape: { readonly cols: number }) => HighlightOfRows;

/**
 * The part of a matrix that shows a highlight of a row: from that row on, about 32 columns, or as many as the highlight
 * needs.
 */
export function regionAround(
  { from, to, step = 1, rows = FIRST_REGION.rows }: Highlight,
  row: number,
  shape: { readonly rows: number; readonly cols: number },
): Region {
  const height = Math.min(rows, shape.rows - row);
  const rowsFor = (cols: number): number => Math.max(1, Math.min(height, regionColumns(cols)));
  const isWide = to + 1 - from > FIRST_REGION.cols;
  if (isWide && shape.cols <= regionColumns(height)) return { row, col: 0, rows: height, cols: shape.cols };
  const last = Math.max(0, shape.cols - FIRST_REGION.cols);
  const start = Math.min(from, last);
  const col = start - (start % step);
  const needed = Math.ceil((to + 1 - col) / step) * step;
  const cols = Math.min(Math.max(FIRST_REGION.cols, needed), shape.cols - col);
  return { row, col, rows: rowsFor(cols), cols };
}

/**
 * The highlight for a format without a characteristic case: all of the first row if it has few non-zeros, else its
 * densest columns; null for an empty row. `score`: the non-zeros in them. O(non-zeros of the row).
 */
export function densestColumns([row]: readonly RowColumns[], { cols }: { readonly cols: number }): Highlight | null {
  if (row.length === 0) return null;
  const width = Math.min(FIRST_REGION.cols, cols);
  const end = row[row.length - 1];
  if (row.length <= READABLE && end - row[0] < regionColumns(FIRST_REGION.rows))
    return { from: row[0], to: end, score: row.length, hasCase: false };
  // The first columns with more non-zeros than any before them.
  let [max, start] = [0, 0];
  for (let first = 0; first + max < row.length && max < width; first++) {
    for (; first + max < row.length && row[first + max] - row[first] < width; max++) start = first;
  }
  const last = row[start + max - 1];
  const score = max === width ? Number.POSITIVE_INFINITY : max;
  return { from: last < width ? 0 : row[start], to: last, score, hasCase: false };
}

/** How many of a row's non-zeros are in columns from `from` to `to - 1`. O(log n). */
export function countWithin(row: RowColumns, from: number, to: number): number {
  return lowerBound(row, row.length, to) - lowerBound(row, row.length, from);
}
