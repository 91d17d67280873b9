import { rowsPerYield, type Steps } from '../core/job.ts';
import { CsrMatrix, type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { byMagnitude, type Scoring } from './scores.ts';
import { checkShare } from './spec.ts';

/**
 * Pruning row by row: keeps the round(density * cols) entries of every row with the largest scores, by default their
 * magnitudes; of equal ones the first. NaN counts as larger than infinity. Throws MatrixError unless density is from 0
 * to 1. O(rows * cols) on average; memory: the result and three rows.
 */
export function* pruneRowsSteps(m: Matrix, density: number, scoring: Scoring = byMagnitude): Steps<CsrMatrix> {
  checkShare(density);
  const { rows, cols } = m;
  const max = Math.round(density * cols);
  const room = Math.min(m.nnz, max * rows);
  const indptr = new Uint32Array(rows + 1);
  const indices = new Uint32Array(room);
  const data = new Float32Array(room);
  const { columns, values } = rowBuffer(cols);
  const scoresOf = scoring({ columns, values });
  const ordered = new Uint32Array(cols);
  const pause = rowsPerYield(cols);
  let written = 0;
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, { columns, values });
    if (n <= max) {
      indices.set(columns.subarray(0, n), written);
      data.set(values.subarray(0, n), written);
      written += n;
    } else if (max > 0) {
      const scores = scoresOf(r, n);
      ordered.set(scores.subarray(0, n));
      const threshold = nthLargest(ordered, n, max);
      let tiesToKeep = max;
      for (let i = 0; i < n; i++) tiesToKeep -= scores[i] > threshold ? 1 : 0;
      for (let i = 0; i < n; i++) {
        if (scores[i] < threshold || (scores[i] === threshold && tiesToKeep-- <= 0)) continue;
        indices[written] = columns[i];
        data[written++] = values[i];
      }
    }
    indptr[r + 1] = written;
    if (r % pause === pause - 1) yield { what: 'Pruning', done: r + 1, total: rows };
  }
  return new CsrMatrix({ rows, cols, indptr, indices: indices.slice(0, written), data: data.slice(0, written) });
}

/** The `k`-th largest (`k` from 1) of the first `n` numbers, which are reordered. O(n) on average (Hoare). */
function nthLargest(numbers: Uint32Array, n: number, k: number): number {
  const index = k - 1;
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
      [numbers[i], numbers[j]] = [numbers[j], numbers[i]];
      i++;
      j--;
    }
    if (index <= j) high = j;
    else if (index >= i) low = i;
    else break;
  }
  return numbers[index];
}
