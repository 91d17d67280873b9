import type { Steps } from '../../../../core/job.ts';
import type { Layer, Network } from './network.ts';

/** Images per layer between two yields. */
const SLICE = 8;

/**
 * Y = X Wᵀ of one layer: x holds `count` inputs one after another, y as many outputs, which are overwritten. Biases and
 * rectifiers are left to the caller.
 */
export type LayerProduct = (layer: number, x: Float32Array, y: Float32Array) => void;

/**
 * The outputs of every layer for `count` inputs one after another, rectified except for the last layer. Sums of
 * products come from `multiply`, followed by one addition and one comparison in f32. Yields after a few inputs of each
 * layer.
 */
export function* forwardSteps(
  layers: readonly Layer[],
  inputs: Float32Array,
  multiply: LayerProduct,
): Steps<readonly Float32Array[]> {
  const all: Float32Array[] = [];
  let x = inputs;
  for (const [k, { weights, name }] of layers.entries()) {
    const { rows, cols } = weights;
    const count = x.length / cols;
    const y = new Float32Array(count * rows);
    for (let first = 0; first < count; first += SLICE) {
      const end = Math.min(count, first + SLICE);
      const [from, to] = [x.subarray(first * cols, end * cols), y.subarray(first * rows, end * rows)];
      multiply(k, from, to);
      finishLayer(layers, k, to);
      yield { what: `Layer ${name}`, done: end, total: count };
    }
    all.push(y);
    x = y;
  }
  return all;
}

/** Like `forwardSteps`, for a network as it was read, over its cells; sums in f64. */
export function asReadSteps({ layers }: Network, inputs: Float32Array): Steps<readonly Float32Array[]> {
  return forwardSteps(layers, inputs, (layer, x, y) => {
    const { rows, cols, data } = layers[layer].weights;
    for (let k = 0; k * cols < x.length; k++) {
      for (let r = 0; r < rows; r++) {
        let sum = 0;
        for (let c = 0; c < cols; c++) sum += data[r * cols + c] * x[k * cols + c];
        y[k * rows + r] = sum;
      }
    }
  });
}

/** Adds the biases of layer `k` to consecutive outputs, and rectifies them unless it is the last. */
export function finishLayer(layers: readonly Layer[], k: number, outputs: Float32Array): void {
  const { biases } = layers[k];
  const isLast = k === layers.length - 1;
  for (let start = 0; start < outputs.length; start += biases.length) {
    for (let i = 0; i < biases.length; i++) {
      const sum = Math.fround(outputs[start + i] + biases[i]);
      outputs[start + i] = isLast || sum > 0 ? sum : 0;
    }
  }
}

/** The class with the largest of every `classes` scores, the first of equal ones. */
export function largestOf(scores: Float32Array, classes: number): Uint8Array {
  const answers = new Uint8Array(scores.length / classes);
  for (let k = 0; k < answers.length; k++) {
    for (let i = 1; i < classes; i++) {
      if (scores[k * classes + i] > scores[k * classes + answers[k]]) answers[k] = i;
    }
  }
  return answers;
}
