import { MatrixError } from '../../../../src/core/errors.ts';
import type { Steps } from '../../../../src/core/job.ts';
import { type DenseMatrix, denseMatrix, rowBuffer } from '../../../../src/core/matrix/index.ts';
import { pruneToPatternSteps } from '../../../../src/core/matrix/prune-pattern.ts';
import { sparseColumns, SPENSE_MIN_DENSITY } from '../../../../src/theory/spense.ts';

/** Columns of a group of 2:4. */
const GROUP = 4;

/**
 * Pruning to Spense: 2:4 in the groups of four columns that lose least by it, summed over all rows as squares of scores,
 * and all weights in the others; of equal groups the first are pruned. The number of pruned groups is rounded. SpenseGPT
 * chooses columns otherwise and adjusts the weights that stay. `scores`: as large as a weight is important, of the same
 * shape as `m`. Throws MatrixError for a density below 0.5 or above 1. O(rows * cols).
 */
export function* pruneToSpenseSteps(m: DenseMatrix, density: number, scores: DenseMatrix): Steps<DenseMatrix> {
  if (!(density >= SPENSE_MIN_DENSITY && density <= 1))
    throw new MatrixError(`Spense: found a density of ${density}, expected one from ${SPENSE_MIN_DENSITY} to 1`);
  const { rows, cols } = m;
  const pattern = yield* pruneToPatternSteps(scores, 2, GROUP);
  const groups = Math.ceil(cols / GROUP);
  const isKept = new Uint8Array(rows * cols);
  const losses = new Float64Array(groups);
  const buffer = rowBuffer(cols);
  for (let r = 0, start = 0; r < rows; r++, start += cols) {
    const n = pattern.readRow(r, buffer);
    for (let i = 0; i < n; i++) isKept[start + buffer.columns[i]] = 1;
    for (let c = 0; c < cols; c++)
      if (isKept[start + c] === 0) losses[Math.floor(c / GROUP)] += scores.data[start + c] ** 2;
  }
  const pruned = [...losses.keys()]
    .toSorted((a, b) => losses[a] - losses[b] || a - b)
    .slice(0, Math.round(sparseColumns(density) * groups));
  const cells = m.data.slice();
  for (const group of pruned) {
    const end = Math.min(cols, (group + 1) * GROUP);
    for (let r = 0; r < rows; r++)
      for (let c = group * GROUP; c < end; c++) if (isKept[r * cols + c] === 0) cells[r * cols + c] = 0;
  }
  return denseMatrix(rows, cols, cells);
}
