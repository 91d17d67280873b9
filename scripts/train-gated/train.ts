// Training of a gated network on digits with an L1 term.

import { roundToF16 } from '../../src/core/number/index.ts';
import { Random } from '../../src/core/number/random.ts';
import { DigitImages, PIXELS } from '../../src/generate/digit-images.ts';
import { TEST_SAMPLES, train, TRAIN_SAMPLES } from '../train-digits/train.ts';
import { GatedNetwork } from './gated-network.ts';

export const MODEL = 128;
export const HIDDEN = 1024;
/** Test images whose activations become an example. */
export const TOKENS = 128;

/** The results of a trained network on the test images, none of which it was trained on. */
export interface GatedResult {
  /** coefficient of the L1 term */
  readonly l1: number;
  /** accuracy on the test images */
  readonly accuracy: number;
  /** gate activations above 0 per test image */
  readonly meanNonZeros: number;
  readonly maxNonZeros: number;
  /** neurons that no test image fires */
  readonly deadNeurons: number;
  /** gate activations of the first TOKENS test images as f16, one image in a row: TOKENS x HIDDEN, row-major */
  readonly activations: Float32Array;
}

/** Trains a network with this coefficient of L1, always with the same images and initial weights. Takes about 30 s. */
export function trainGated(l1: number): GatedResult {
  const sizes = { inputs: PIXELS, model: MODEL, hidden: HIDDEN, classes: 10 };
  const network = new GatedNetwork(sizes, l1, new Random(81));
  train(network, new DigitImages(82), TRAIN_SAMPLES);
  return { l1, ...testResult(network) };
}

/** The results on the test images. */
function testResult(network: GatedNetwork): Omit<GatedResult, 'l1'> {
  const images = new DigitImages(14);
  const pixels = new Float32Array(PIXELS);
  const fired = new Uint8Array(HIDDEN);
  const activations = new Float32Array(TOKENS * HIDDEN);
  let right = 0;
  let nonZeros = 0;
  let maxNonZeros = 0;
  for (let k = 0; k < TEST_SAMPLES; k++) {
    const digit = images.next(pixels);
    right += network.classify(pixels) === digit ? 1 : 0;
    let count = 0;
    network.gate.forEach((value, n) => {
      if (value === 0) return;
      count++;
      fired[n] = 1;
      if (k < TOKENS) activations[k * HIDDEN + n] = roundToF16(value);
    });
    nonZeros += count;
    maxNonZeros = Math.max(maxNonZeros, count);
  }
  return {
    accuracy: right / TEST_SAMPLES,
    meanNonZeros: nonZeros / TEST_SAMPLES,
    maxNonZeros,
    deadNeurons: fired.reduce((dead, f) => dead + 1 - f, 0),
    activations,
  };
}
