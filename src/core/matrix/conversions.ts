import { finish, rowsPerYield, type Steps } from '../job.ts';
import { type CsrArrays, CsrMatrix, lowerBound } from './csr.ts';
import { type Matrix, rowBuffer, type Rows } from './matrix.ts';
import type { Region } from './shape.ts';

/** The matrix as CSR arrays; the arrays of a CsrMatrix are returned, not copied. O(rows * cols) at worst. */
export function toCsr(m: Matrix): CsrArrays {
  return finish(toCsrSteps(m));
}

/** The matrix in CSR; `m` itself if it is a CsrMatrix. O(rows * cols) at worst. */
export function* toCsrSteps(m: Matrix): Steps<CsrMatrix> {
  if (m instanceof CsrMatrix) return m;
  const { rows, cols, nnz } = m;
  const indptr = new Uint32Array(rows + 1);
  const indices = new Uint32Array(nnz);
  const data = new Float32Array(nnz);
  const { columns, values } = rowBuffer(cols);
  const pause = rowsPerYield(cols);
  let count = 0;
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, { columns, values });
    indices.set(columns.subarray(0, n), count);
    data.set(values.subarray(0, n), count);
    count += n;
    indptr[r + 1] = count;
    if (r % pause === pause - 1) yield { what: 'Collecting', done: r + 1, total: rows };
  }
  return new CsrMatrix({ rows, cols, indptr, indices, data });
}

/** The matrix as row-major cells: cell (i, j) at i * cols + j. O(rows * cols) time and memory. */
export function toDense(m: Matrix): Float32Array {
  const cells = new Float32Array(m.rows * m.cols);
  const buffer = rowBuffer(m.cols);
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    const start = r * m.cols;
    for (let i = 0; i < n; i++) cells[start + buffer.columns[i]] = buffer.values[i];
  }
  return cells;
}

/** The cells of a matrix inside a region, as a separate matrix with indices from 0. */
export function subMatrix(m: Rows, region: Region): CsrMatrix {
  const { row, col, rows, cols } = region;
  const buffer = rowBuffer(m.cols);
  const indptr = new Uint32Array(rows + 1);
  const indices: number[] = [];
  const data: number[] = [];
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(row + r, buffer);
    for (let i = lowerBound(buffer.columns, n, col); i < n && buffer.columns[i] < col + cols; i++) {
      indices.push(buffer.columns[i] - col);
      data.push(buffer.values[i]);
    }
    indptr[r + 1] = indices.length;
  }
  return new CsrMatrix({ rows, cols, indptr, indices: Uint32Array.from(indices), data: Float32Array.from(data) });
}
