import type { Steps } from '../../core/job.ts';
import { PIXELS } from '../../generate/digit-images.ts';
import { columnNorms } from '../../generate/prune-wanda.ts';
import type { KnownInputs } from '../../io/gallery.ts';
import { CALIBRATION_IMAGES, drawImagesSteps, TRAINING_SEED } from '../../generate/digit-sets.ts';

/**
 * Norms of the columns of what a matrix is multiplied with, over images that training saw; null where they are not known.
 * About 30 ms.
 */
export function* knownNormsSteps(inputs: KnownInputs | undefined): Steps<Float32Array | null> {
  if (inputs === undefined) return null;
  const pixels = yield* drawImagesSteps(TRAINING_SEED, CALIBRATION_IMAGES);
  return columnNorms(pixels, PIXELS);
}
