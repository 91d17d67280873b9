import type { Steps } from '../core/job.ts';
import { DigitImages, PIXELS } from './digit-images.ts';

/** Drawn digits with what they show. */
export interface ImageSet {
  /** count x PIXELS */
  readonly pixels: Float32Array;
  readonly labels: Uint8Array;
}

/** Seeds of scripts/train-digits: images that the network was trained on, and others that it was not. */
export const TRAINING_SEED = 12;
export const TEST_SEED = 14;

/** Training images whose activations make the norms; more of them hardly change which weights stay. */
export const CALIBRATION_IMAGES = 512;

/** Images drawn between two yields: about 5 ms. */
const SLICE = 64;

/** The first `count` images of a seed, the same on every machine. About 60 µs each. */
export function* drawImagesSteps(seed: number, count: number): Steps<ImageSet> {
  const images = new DigitImages(seed);
  const pixels = new Float32Array(count * PIXELS);
  const labels = new Uint8Array(count);
  for (let k = 0; k < count; k++) {
    labels[k] = images.next(pixels.subarray(k * PIXELS, (k + 1) * PIXELS));
    if (k % SLICE === SLICE - 1) yield { what: 'Drawing digits', done: k + 1, total: count };
  }
  return { pixels, labels };
}
