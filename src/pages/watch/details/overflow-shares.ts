/* How many tile rows (parts of rows in one tile) have more non-zeros than fit, and how many would by chance. */

import { rowOverflowProbability, tileRowOverflowShare, type Tiling } from '../../../theory/overflow-odds.ts';
import { probabilityText } from '../../../kit/words/shares.ts';

/** The shares of tile rows that overflow, and of rows with at least one such tile row. */
interface OverflowShares {
  readonly tileRows: number;
  readonly rows: number;
}

/** The overflow of a matrix compared with that of random matrices. */
export interface OverflowComparison {
  /** mean non-zeros per row */
  readonly perRow: number;
  /** all cells are non-zero with the same probability */
  readonly independent: OverflowShares;
  /** every row keeps its number of non-zeros, spread over its columns at random */
  readonly ownCounts: OverflowShares;
  readonly actual: OverflowShares;
  /** how many overflow, of how many */
  readonly tileRows: { readonly count: number; readonly total: number };
  readonly rows: { readonly count: number; readonly total: number };
}

/** A histogram of counts: element k is the number of rows, or tile rows, with k non-zeros. */
type Histogram = Uint32Array;

/** The rows and tile rows of a matrix by their non-zeros. */
export interface Histograms {
  readonly rows: Histogram;
  readonly tileRows: Histogram;
  /** rows by their fullest tile row */
  readonly fullest: Histogram;
}

/** Compares a matrix with random matrices; null if it has no rows. O(longest row * tile width). */
export function compareOverflow(tiling: Tiling, { rows, tileRows, fullest }: Histograms): OverflowComparison | null {
  const rowCount = sum(rows);
  if (rowCount === 0) return null;
  let nnz = 0;
  // Expected numbers of overflows if every row keeps its number of non-zeros.
  const expected = { tileRows: 0, rows: 0 };
  rows.forEach((n, k) => {
    if (n === 0) return;
    nnz += n * k;
    expected.tileRows += n * tileRowOverflowShare(tiling, k);
    expected.rows += n * rowOverflowProbability(tiling, k);
  });
  const perRow = nnz / rowCount;
  const overTiles = { count: sum(tileRows.subarray(tiling.capacity + 1)), total: sum(tileRows) };
  const overRows = { count: sum(fullest.subarray(tiling.capacity + 1)), total: rowCount };
  return {
    perRow,
    independent: { tileRows: tileRowOverflowShare(tiling, perRow), rows: rowOverflowProbability(tiling, perRow) },
    ownCounts: { tileRows: expected.tileRows / rowCount, rows: expected.rows / rowCount },
    actual: { tileRows: overTiles.count / overTiles.total, rows: overRows.count / overRows.total },
    tileRows: overTiles,
    rows: overRows,
  };
}

/** The text of an overflow share; 0 where rows can overflow is a share too small for f64: '< 1e\u2212300'. */
export function oddsText({ cols, width, capacity }: Tiling, share: number): string {
  return share === 0 && capacity < Math.min(width, cols) ? '< 1e\u2212300' : probabilityText(share);
}

/** Mean non-zeros per row for a table: 1, 2, 5, 10 ..., the means in the TwELL paper, the matrix's own, and `cols`. */
export function tableMeans(cols: number, matrixMean: number): readonly number[] {
  const means = new Set([29, 400, 500, cols, matrixMean].filter((mean) => mean > 0 && mean <= cols));
  for (let power = 1; power <= cols; power *= 10) {
    for (const step of [1, 2, 5]) if (step * power <= cols) means.add(step * power);
  }
  return [...means].toSorted((a, b) => a - b);
}

function sum(counts: Uint32Array): number {
  let total = 0;
  for (const n of counts) total += n;
  return total;
}
