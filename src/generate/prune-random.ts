import { MatrixError } from '../core/errors.ts';
import { rowsPerYield, type Steps } from '../core/job.ts';
import { CsrMatrix, type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { Random } from '../core/random.ts';

/**
 * The matrix with round(density * rows * cols) of its entries, every choice of them as likely as any other (selection
 * sampling: Knuth, The Art of Computer Programming 2, algorithm 3.4.2 S). A matrix that has no more entries is returned
 * as it is. Throws MatrixError when density is not from 0 to 1. One pass; memory of the result and one row.
 */
export function* pruneAtRandomSteps(m: Matrix, density: number, seed: number): Steps<Matrix> {
  if (!(density >= 0 && density <= 1)) {
    throw new MatrixError(`density: found ${density}, expected a number from 0 to 1`);
  }
  const { rows, cols } = m;
  const count = Math.round(density * rows * cols);
  if (count >= m.nnz) return m;
  const random = new Random(seed);
  const indptr = new Uint32Array(rows + 1);
  const indices = new Uint32Array(count);
  const data = new Float32Array(count);
  const { columns, values } = rowBuffer(cols);
  const pause = rowsPerYield(cols);
  let left = m.nnz;
  let kept = 0;
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, { columns, values });
    for (let i = 0; i < n && kept < count; i++) {
      if (random.uniform() * left-- >= count - kept) continue;
      indices[kept] = columns[i];
      data[kept++] = values[i];
    }
    indptr[r + 1] = kept;
    if (r % pause === pause - 1) yield { what: 'Pruning', done: r + 1, total: rows };
  }
  return new CsrMatrix({ rows, cols, indptr, indices, data });
}
