import { MatrixError } from '../core/errors.ts';
import { rowsPerYield, type Steps } from '../core/job.ts';
import { CsrMatrix, type Matrix, rowBuffer } from '../core/matrix/index.ts';

/**
 * The matrix with the round(density * cols) largest entries by magnitude of every row; of equal ones those that come
 * first. NaN counts as larger than infinity. Throws MatrixError when density is not from 0 to 1. O(rows * cols) on
 * average; memory: the result and two rows.
 */
export function* pruneRowsSteps(m: Matrix, density: number): Steps<CsrMatrix> {
  if (!(density >= 0 && density <= 1)) {
    throw new MatrixError(`density: found ${density}, expected a number from 0 to 1`);
  }
  const { rows, cols } = m;
  const most = Math.round(density * cols);
  const room = Math.min(m.nnz, most * rows);
  const indptr = new Uint32Array(rows + 1);
  const indices = new Uint32Array(room);
  const data = new Float32Array(room);
  const { columns, values } = rowBuffer(cols);
  // The bits of an f32 without its sign are in the order of the magnitudes.
  const bits = new Uint32Array(values.buffer);
  const magnitudes = new Uint32Array(cols);
  const pause = rowsPerYield(cols);
  let kept = 0;
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, { columns, values });
    let threshold = 0;
    let ties = n;
    if (n > most) {
      for (let i = 0; i < n; i++) magnitudes[i] = bits[i] & 0x7fffffff;
      threshold = most === 0 ? 0xffffffff : nthLargest(magnitudes, n, most);
      ties = most;
      for (let i = 0; i < n; i++) ties -= (bits[i] & 0x7fffffff) > threshold ? 1 : 0;
    }
    for (let i = 0; i < n; i++) {
      const magnitude = bits[i] & 0x7fffffff;
      if (magnitude < threshold || (magnitude === threshold && ties-- <= 0)) continue;
      indices[kept] = columns[i];
      data[kept++] = values[i];
    }
    indptr[r + 1] = kept;
    if (r % pause === pause - 1) yield { what: 'Pruning', done: r + 1, total: rows };
  }
  return new CsrMatrix({ rows, cols, indptr, indices: indices.slice(0, kept), data: data.slice(0, kept) });
}

/** The `k`-th largest of the first `n` numbers, from 1; puts them into another order. O(n) on average (Hoare). */
function nthLargest(numbers: Uint32Array, n: number, k: number): number {
  const wanted = k - 1;
  let low = 0;
  let high = n - 1;
  while (low < high) {
    const pivot = numbers[(low + high) >>> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (numbers[i] > pivot) i++;
      while (numbers[j] < pivot) j--;
      if (i > j) break;
      const kept = numbers[i];
      numbers[i++] = numbers[j];
      numbers[j--] = kept;
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else break;
  }
  return numbers[wanted];
}
