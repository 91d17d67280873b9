// Small matrices that tests build.

import { type CsrMatrix, csrMatrix, type DenseMatrix, denseMatrix, type Matrix } from '../src/core/matrix/index.ts';
import { Random } from '../src/core/number/random.ts';

/** A small matrix written out row by row. */
export function matrixOf(...rows: readonly (readonly number[])[]): DenseMatrix {
  return denseMatrix(rows.length, rows[0]?.length ?? 0, Float32Array.from(rows.flat()));
}

/** Uniformly random non-zeros between 1 and 2. */
export function uniformMatrix(rows: number, cols: number, density: number, seed: number): DenseMatrix {
  const random = new Random(seed);
  const cells = Float32Array.from({ length: rows * cols }, () =>
    random.uniform() < density ? 1 + random.uniform() : 0,
  );
  return denseMatrix(rows, cols, cells);
}

/** A matrix of any shape that needs no memory: every row contains a 1 in its first `perRow` columns. */
export function hugeMatrix(rows: number, cols: number, perRow: number): Matrix {
  return {
    rows,
    cols,
    nnz: rows * perRow,
    readRow(_row, { columns, values }) {
      for (let i = 0; i < perRow; i++) {
        columns[i] = i;
        values[i] = 1;
      }
      return perRow;
    },
  };
}

/** Non-zeros in the given columns of each row, with the values 0.25, 0.5, 0.75 ... in row-major order. */
export function columnsMatrix(cols: number, columns: readonly (readonly number[])[]): DenseMatrix {
  const cells = new Float32Array(columns.length * cols);
  let value = 0;
  columns.forEach((row, r) => {
    for (const c of row) cells[r * cols + c] = value += 0.25;
  });
  return denseMatrix(columns.length, cols, cells);
}

/** A matrix of CSR arrays; without values, each is 1. */
export function csrOf(
  [rows, cols]: readonly [number, number],
  indptr: ArrayLike<number>,
  indices: ArrayLike<number>,
  data: ArrayLike<number> = new Float32Array(indices.length).fill(1),
): CsrMatrix {
  const arrays = { indptr: Uint32Array.from(indptr), indices: Uint32Array.from(indices) };
  return csrMatrix({ rows, cols, ...arrays, data: Float32Array.from(data) });
}
