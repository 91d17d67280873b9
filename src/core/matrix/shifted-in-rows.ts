import type { Matrix } from './matrix.ts';

/**
 * The matrix with the values of every row rotated among its non-zeros, by an amount that follows from the seed: other
 * values in the same pattern. A row of a single non-zero is unchanged. Costs another O(non-zeros of a row) per row.
 */
export function shiftedInRows(m: Matrix, seed: number): Matrix {
  return {
    rows: m.rows,
    cols: m.cols,
    nnz: m.nnz,
    readRow(row, into) {
      const n = m.readRow(row, into);
      if (n < 2) return n;
      const by = 1 + ((seed >>> 0) % (n - 1));
      const values = into.values.slice(0, n);
      for (let i = 0; i < n; i++) into.values[i] = values[(i + by) % n];
      return n;
    },
  };
}
