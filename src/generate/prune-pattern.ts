import { MatrixError } from '../core/errors.ts';
import { rowsPerYield, type Steps } from '../core/job.ts';
import { CsrMatrix, type Matrix, rowBuffer } from '../core/matrix/index.ts';

/** Largest group of N:M. */
const MAX_GROUP = 64;

/**
 * The matrix with the `kept` largest entries by magnitude of every `group` neighbours in a row; of equal ones those in
 * higher columns. Columns that a short last group lacks count as zeros, NaN as larger than infinity. Throws MatrixError
 * unless 1 <= kept <= group <= 64. O(rows * cols) at worst; memory: the result and one row.
 */
export function* pruneToPatternSteps(m: Matrix, kept: number, group: number): Steps<CsrMatrix> {
  if (!Number.isInteger(kept) || !Number.isInteger(group) || kept < 1 || group > MAX_GROUP || kept > group) {
    throw new MatrixError(
      `pattern: found ${kept}:${group}, expected whole numbers N:M with 1 <= N <= M <= ${MAX_GROUP}`,
    );
  }
  const { rows, cols } = m;
  const { columns, values } = rowBuffer(cols);
  // The bits of an f32 without its sign are in the order of the magnitudes.
  const bits = new Uint32Array(values.buffer);
  const indptr = new Uint32Array(rows + 1);
  const room = Math.min(m.nnz, rows * Math.ceil(cols / group) * kept);
  const indices = new Uint32Array(room);
  const data = new Float32Array(room);
  const pause = rowsPerYield(cols);
  let at = 0;
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, { columns, values });
    for (let start = 0, end = 0; start < n; start = end) {
      const limit = Math.floor(columns[start] / group) * group + group;
      while (end < n && columns[end] < limit) end++;
      let stays = end - start;
      for (; stays > kept; stays--) dropSmallest(columns, bits, start, stays);
      for (let i = start; i < start + stays; i++) {
        indices[at] = columns[i];
        data[at++] = values[i];
      }
    }
    indptr[r + 1] = at;
    if (r % pause === pause - 1) yield { what: 'Pruning', done: r + 1, total: rows };
  }
  return new CsrMatrix({ rows, cols, indptr, indices: indices.slice(0, at), data: data.slice(0, at) });
}

/** Takes the first of the smallest of `count` entries out and moves the later ones up. */
function dropSmallest(columns: Uint32Array, bits: Uint32Array, start: number, count: number): void {
  let smallest = start;
  for (let i = start + 1; i < start + count; i++) {
    if ((bits[i] & 0x7fffffff) < (bits[smallest] & 0x7fffffff)) smallest = i;
  }
  for (let i = smallest; i < start + count - 1; i++) {
    columns[i] = columns[i + 1];
    bits[i] = bits[i + 1];
  }
}
