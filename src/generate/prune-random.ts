import type { Steps } from '../core/job.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { keepLargestSteps } from './prune.ts';
import { atRandom } from './scores.ts';
import { checkShare } from './spec.ts';

/**
 * The matrix with round(density * rows * cols) of its entries, chosen by a hash of seed, row and column: what stays at
 * a lower density is a subset of what stays at a higher one, and depends neither on the values nor on how the matrix is
 * stored. A matrix with no more entries is returned unchanged. Throws MatrixError unless density is from 0 to 1. Three
 * passes; memory of the result and 384 KiB.
 */
export function* pruneAtRandomSteps(m: Matrix, density: number, seed: number): Steps<Matrix> {
  checkShare(density);
  const count = Math.round(density * m.rows * m.cols);
  return count >= m.nnz ? m : yield* keepLargestSteps(m, count, atRandom(seed));
}
