import { MatrixError } from '../core/errors.ts';
import type { Steps } from '../core/job.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { keepLargestSteps } from './prune.ts';
import { atRandom } from './scores.ts';

/**
 * The matrix with round(density * rows * cols) of its entries, chosen by a hash of seed, row and column: what stays at
 * a lower density is a subset of what stays at a higher one, and depends neither on the values nor on how the matrix is
 * stored. A matrix with no more entries is returned unchanged. Throws MatrixError unless density is from 0 to 1. Three
 * passes; memory of the result and 384 KiB.
 */
export function* pruneAtRandomSteps(m: Matrix, density: number, seed: number): Steps<Matrix> {
  if (!(density >= 0 && density <= 1)) {
    throw new MatrixError(`share left: found ${density}, expected a number from 0 to 1`);
  }
  const count = Math.round(density * m.rows * m.cols);
  return count >= m.nnz ? m : yield* keepLargestSteps(m, count, atRandom(seed));
}
