import type { Steps } from '../../core/job.ts';
import { CsrMatrix, type DenseMatrix, denseMatrix, type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { pruneToPatternSteps } from '../../core/matrix/prune-pattern.ts';
import { pruneAtRandomSteps } from '../../generate/prune-random.ts';
import { pruneRowsSteps } from '../../generate/prune-rows.ts';
import { pruneByWandaSteps } from '../../generate/prune-wanda.ts';
import { pruneByMagnitudeSteps } from '../../generate/prune.ts';
import { mix } from '../../generate/seeds.ts';
import type { BlockMatrix } from '../decoder.ts';
import { densityAt, type ModelPruning } from './recipe.ts';

/** Which matrix of a model. */
export interface Where {
  readonly layer: number;
  readonly name: BlockMatrix;
  /** counts all matrices of a model, so that no two are pruned by the same random numbers */
  readonly number: number;
}

/**
 * One matrix of a model without what the pruning drops. `norms` are those of its inputs, null if the pruning needs none.
 * Throws MatrixError for densities out of range, for a wrong pattern, and where norms are missing or are not one for each
 * column. O(rows * cols) on average.
 */
export function* pruneMatrixSteps(
  m: DenseMatrix,
  pruning: ModelPruning,
  where: Where,
  norms: Float32Array | null,
): Steps<Matrix> {
  const density = densityAt(pruning, where.layer, where.name);
  // The cells themselves: a zero with a sign keeps it.
  if (density === 1) return m;
  switch (pruning.way) {
    case 'none':
      return m;
    case 'magnitude':
      return yield* pruneByMagnitudeSteps(m, density);
    case 'rows':
      return yield* pruneRowsSteps(m, density);
    case 'wanda':
      return yield* pruneByWandaSteps(m, density, norms ?? new Float32Array());
    case 'random':
      return yield* pruneAtRandomSteps(m, density, mix(pruning.seed) + where.number);
    case 'n-of-m': {
      const { kept, group } = pruning;
      if (pruning.by === 'magnitude') return yield* pruneToPatternSteps(m, kept, group);
      return sameCells(m, yield* pruneToPatternSteps(scoresOf(m, norms ?? new Float32Array()), kept, group));
    }
  }
}

/** |w| times the norm of its column's inputs, in f32. */
function scoresOf({ rows, cols, data }: DenseMatrix, norms: Float32Array): DenseMatrix {
  const scores = new Float32Array(data.length);
  for (let r = 0, i = 0; r < rows; r++) for (let c = 0; c < cols; c++, i++) scores[i] = Math.abs(data[i]) * norms[c];
  return denseMatrix(rows, cols, scores);
}

/** The entries of `m` that `kept` has too. */
function sameCells(m: DenseMatrix, kept: Matrix): Matrix {
  const { rows, cols } = m;
  const indptr = new Uint32Array(rows + 1);
  const indices = new Uint32Array(kept.nnz);
  const data = new Float32Array(kept.nnz);
  const buffer = rowBuffer(cols);
  let at = 0;
  for (let r = 0; r < rows; r++) {
    const n = kept.readRow(r, buffer);
    for (let i = 0; i < n; i++, at++) {
      indices[at] = buffer.columns[i];
      data[at] = m.data[r * cols + buffer.columns[i]];
    }
    indptr[r + 1] = at;
  }
  return new CsrMatrix({ rows, cols, indptr, indices, data });
}
