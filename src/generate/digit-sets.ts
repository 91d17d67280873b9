import type { Steps } from '../core/job.ts';
import { DigitImages, PIXELS } from './digit-images.ts';

/** The seed by which scripts/train-digits draws the images that its network is trained on. */
export const TRAINING_SEED = 12;

/** Training images whose activations make the norms; more of them hardly change which weights stay. */
export const CALIBRATION_IMAGES = 512;

/** Images drawn between two yields: about 5 ms. */
const SLICE = 64;

/** The first `count` images of a seed, count x PIXELS, the same on every machine. About 60 µs each. */
export function* drawImagesSteps(seed: number, count: number): Steps<Float32Array> {
  const images = new DigitImages(seed);
  const pixels = new Float32Array(count * PIXELS);
  for (let k = 0; k < count; k++) {
    images.next(pixels.subarray(k * PIXELS, (k + 1) * PIXELS));
    if (k % SLICE === SLICE - 1) yield { what: 'Drawing digits', done: k + 1, total: count };
  }
  return pixels;
}
