import { densityText } from '../../core/text/rounded.ts';
import { countText } from '../../core/text/words.ts';
import { MatrixError } from '../../core/errors.ts';
import type { Steps } from '../../core/job.ts';
import type { Matrix } from '../../core/matrix/index.ts';
import { pruneToPatternSteps } from '../../core/matrix/prune-pattern.ts';
import { CALIBRATION_IMAGES, drawImagesSteps, PIXELS, TRAINING_SEED } from '../../generate/digit-images.ts';
import {
  pruneAtRandomSteps,
  pruneSteps as pruneByScoreSteps,
  pruneRowsSteps,
  columnNorms,
  pruneByWandaSteps,
} from '../../generate/prune.ts';
import type { KnownInputs } from '../../io/gallery.ts';
import type { Pruning } from './source-types.ts';

/**
 * Prunes a matrix. `norms`: norms of the activations that its columns are multiplied with, which Wanda needs; null if unknown.
 * Throws MatrixError.
 */
export function pruneSteps(m: Matrix, pruning: Pruning, norms: Float32Array | null = null): Steps<Matrix> {
  switch (pruning.way) {
    case 'magnitude':
      return pruneByScoreSteps(m, pruning.density);
    case 'rows':
      return pruneRowsSteps(m, pruning.density);
    case 'wanda':
      return pruneByWandaSteps(m, pruning.density, requireNorms(norms));
    case 'random':
      return pruneAtRandomSteps(m, pruning.density, pruning.seed);
    case 'n-of-m':
      return pruneToPatternSteps(m, pruning.kept, pruning.group);
  }
}

/** Norms of the activations that each column is multiplied with, over training images; null if unknown. About 30 ms. */
export function* inputNormsSteps(inputs: KnownInputs | undefined): Steps<Float32Array | null> {
  if (inputs === undefined) return null;
  const pixels = yield* drawImagesSteps(TRAINING_SEED, CALIBRATION_IMAGES);
  return columnNorms(pixels, PIXELS);
}

/** Returns the norms. Throws MatrixError if they are null, since the activations of the matrix are unknown. */
export function requireNorms(norms: Float32Array | null): Float32Array {
  if (norms !== null) return norms;
  throw new MatrixError('pruning by Wanda: found no activations for this matrix');
}

/** A pruning in words, to follow 'pruned'. `inputs`: the data that the norms were computed from. */
export function pruningText(pruning: Pruning, inputs = `${CALIBRATION_IMAGES} training images`): string {
  switch (pruning.way) {
    case 'magnitude':
      return 'by magnitude over the whole matrix';
    case 'rows':
      return 'by magnitude in every row';
    case 'wanda':
      return `by Wanda, row by row with the norms of ${inputs}`;
    case 'random':
      return 'at random';
    case 'n-of-m':
      return `to ${pruning.kept}:${pruning.group} along the rows`;
  }
}

/** A note about a pruning: how, and how many weights remain. */
export function pruningNote(pruning: Pruning, before: Matrix, after: Matrix, inputs?: string): string {
  const cells = Math.max(1, after.rows * after.cols);
  return `Pruned ${pruningText(pruning, inputs)}: ${countText(after.nnz)} of ${countText(before.nnz)} non-zeros remain, ${densityText(after.nnz / cells)} of all weights.`;
}
