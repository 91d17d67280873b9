// Training and pruning of the digit classifier of the gallery.

import { denseMatrix, type Matrix, toDense } from '../../src/core/matrix/index.ts';
import { Random } from '../../src/core/number/random.ts';
import { roundToF16 } from '../../src/core/number/index.ts';
import { DigitImages, PIXELS } from '../../src/generate/digit-images.ts';
import { type Classifier, Network } from './network.ts';

const HIDDEN = 512;
const BATCH = 32;
export const TRAIN_SAMPLES = 16_000;
const FINE_TUNE_SAMPLES = 7_000;
export const TEST_SAMPLES = 4_000;
const LEARNING_RATE = 1e-3;

/** A network with its accuracy on the test images. */
export interface TrainedNetwork {
  readonly network: Network;
  readonly accuracy: number;
}

/** Weights of a pruned network as f16, with its accuracy on the test images. */
export interface PrunedWeights {
  /** 512 × 256, row-major */
  readonly fc1: Float32Array;
  /** 512 × 512, row-major */
  readonly fc2: Float32Array;
  /** before retraining */
  readonly accuracyPruned: number;
  /** after retraining with the pruned weights held at 0, and rounding to f16 */
  readonly accuracy: number;
}

/** Trains 256-512-512-10 on drawn digits. The same every time; about 20 s. */
export function trainDense(): TrainedNetwork {
  const network = new Network([PIXELS, HIDDEN, HIDDEN, 10], new Random(11));
  train(network, new DigitImages(12), TRAIN_SAMPLES);
  return { network, accuracy: accuracy(network) };
}

/** Prunes a copy, retrains it with the pruned weights held at 0, and rounds it to f16. About 10 s. */
export function prune(dense: Network, pruneLayers: readonly ((m: Matrix) => Matrix)[]): PrunedWeights {
  const network = dense.copy();
  for (const [i, pruneLayer] of pruneLayers.entries()) {
    const layer = network.layers[i];
    layer.pruneTo(toDense(pruneLayer(denseMatrix(layer.outputs, layer.inputs, layer.cells()))));
  }
  const accuracyPruned = accuracy(network);
  train(network, new DigitImages(13), FINE_TUNE_SAMPLES);
  for (const layer of network.layers) layer.roundToF16();
  const [fc1, fc2] = network.layers.map((layer) => layer.cells());
  return { fc1, fc2, accuracyPruned, accuracy: accuracy(network) };
}

/** The output of the first hidden layer for the first test images, a row per image, as f16. */
export function activations(network: Network, samples: number): Float32Array {
  const images = new DigitImages(14);
  const pixels = new Float32Array(PIXELS);
  const cells = new Float32Array(samples * HIDDEN);
  for (let k = 0; k < samples; k++) {
    images.next(pixels);
    cells.set(network.hidden(pixels, 0), k * HIDDEN);
  }
  return cells.map((cell) => roundToF16(cell));
}

/** The learning rate falls linearly to a tenth. */
export function train(network: Classifier, images: DigitImages, samples: number): void {
  const pixels = new Float32Array(PIXELS);
  for (let done = 0; done < samples; done += BATCH) {
    for (let k = 0; k < BATCH; k++) network.learn(pixels, images.next(pixels));
    network.update(BATCH, LEARNING_RATE * (1 - (0.9 * done) / samples));
  }
}

/** Accuracy on the test images; always the same images, none of them used for training. */
function accuracy(network: Network): number {
  const images = new DigitImages(14);
  const pixels = new Float32Array(PIXELS);
  let right = 0;
  for (let k = 0; k < TEST_SAMPLES; k++) {
    const digit = images.next(pixels);
    right += network.classify(pixels) === digit ? 1 : 0;
  }
  return right / TEST_SAMPLES;
}
