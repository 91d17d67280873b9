// The network that the page trains: gradients by finite differences, and equality with training image by image.

import { expect, test } from 'vitest';
import { GatedNetwork as OneByOneNetwork } from '../../../scripts/train-gated/gated-network.ts';
import { plainProducts } from '../../../src/core/wasm/product.ts';
import { Random } from '../../../src/core/number/random.ts';
import { GatedNetwork } from '../page/service/gated-network.ts';
import { BATCH } from '../theory/run.ts';

const SIZES = { inputs: 6, model: 5, hidden: 12, classes: 3 };
const L1 = 0.05;

/** A network with a batch of random images and classes. */
function withBatch(open?: typeof plainProducts): GatedNetwork {
  const network = new GatedNetwork(SIZES, new Random(3), open);
  const random = new Random(5);
  for (let i = 0; i < network.input.length; i++) network.input[i] = random.normal();
  for (let image = 0; image < BATCH; image++) network.labels[image] = random.below(SIZES.classes);
  return network;
}

/** The loss of the batch: cross entropy and L1. */
function lossOf(network: GatedNetwork): number {
  const { loss, l1 } = network.forward();
  return loss + L1 * l1;
}

test('the gradients of the network, including L1, match finite differences', () => {
  const network = withBatch();
  network.forward();
  network.backward(L1);
  const step = 2 ** -9;
  let checked = 0;
  let wrong = 0;
  for (const { weights, gradient, inputs, outputs, stride } of network.layers) {
    const rows = weights.length / stride;
    // A layer with biases stores them in one more row.
    expect([inputs, inputs + 1]).toContain(rows);
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < outputs; i++) {
        const index = j * stride + i;
        const before = weights[index];
        const slope = (delta: number): number => {
          weights[index] = before + delta;
          const above = lossOf(network);
          weights[index] = before - delta;
          const below = lossOf(network);
          weights[index] = before;
          return (above - below) / (2 * delta);
        };
        const estimate = slope(step);
        // At a corner of a rectifier or of |h| there is no slope, so the estimates from two steps differ.
        if (Math.abs(estimate - slope(step / 2)) > 0.02 * Math.max(1, Math.abs(estimate))) continue;
        checked++;
        if (Math.abs(estimate - gradient[index]) > 0.04 * Math.max(1, Math.abs(gradient[index]))) wrong++;
      }
    }
  }
  expect(wrong).toBe(0);
  expect(checked).toBeGreaterThan(200);
});

test('a batch gives the same gradients, loss and weights as processing image by image', () => {
  const network = withBatch();
  const oneByOne = new OneByOneNetwork(SIZES, L1, new Random(3));
  for (let step = 0; step < 3; step++) {
    let loss = 0;
    for (let image = 0; image < BATCH; image++) {
      const input = Float32Array.from({ length: SIZES.inputs }, (_, p) => network.input[p * BATCH + image]);
      loss += oneByOne.loss(input, network.labels[image]);
      oneByOne.learn(input, network.labels[image]);
    }
    expect(lossOf(network)).toBeCloseTo(loss, 3);
    network.backward(L1);
    network.layers.forEach(({ gradient, outputs, stride, inputs }, k) => {
      for (let j = 0; j < inputs; j++) {
        for (let i = 0; i < outputs; i++) {
          expect(gradient[j * stride + i]).toBeCloseTo(oneByOne.layers[k].gradient[j * outputs + i], 3);
        }
      }
    });
    network.update(1e-2);
    oneByOne.update(BATCH, 1e-2);
    network.layers.forEach(({ weights, outputs, stride, inputs }, k) => {
      for (let j = 0; j < inputs; j++) {
        for (let i = 0; i < outputs; i++) {
          expect(weights[j * stride + i]).toBeCloseTo(oneByOne.layers[k].weights[j * outputs + i], 4);
        }
      }
      // The biases of a layer that has some follow its weights.
      if (weights.length > inputs * stride) {
        for (let i = 0; i < outputs; i++)
          expect(weights[inputs * stride + i]).toBeCloseTo(oneByOne.layers[k].biases[i], 4);
      }
    });
  }
});

test('training computes the same bits without WebAssembly', () => {
  const networks = [withBatch(), withBatch(plainProducts)];
  for (const network of networks) {
    for (let step = 0; step < 2; step++) {
      network.forward();
      network.backward(L1);
      network.update(1e-2);
    }
  }
  const [fast, plain] = networks.map(({ layers }) => layers.map(({ weights }) => Array.from(weights)));
  expect(fast).toEqual(plain);
});

test('reinitialise moves the weights of the named neurons a part of the way to random weights', () => {
  const network = withBatch();
  const gate = network.layers[1];
  const before = gate.weights.slice();
  network.reinitialise([2, 7], 0.1, new Random(9));
  const noise = new Random(9);
  const deviation = Math.sqrt(2 / SIZES.model);
  for (const n of [2, 7]) {
    for (let j = 0; j < SIZES.model; j++) {
      const index = j * gate.stride + n;
      expect(gate.weights[index]).toBeCloseTo(0.9 * before[index] + 0.1 * deviation * noise.normal(), 6);
      before[index] = gate.weights[index];
    }
  }
  expect(Array.from(gate.weights)).toEqual(Array.from(before));
});
