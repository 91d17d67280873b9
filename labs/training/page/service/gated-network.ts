// The network that the page trains: its forward pass, gradients and updates.

import { exp, ln } from '../../../../src/core/number/elementary.ts';
import type { Random } from '../../../../src/core/number/random.ts';
import { openProducts, type Products } from '../../../../src/core/wasm/product.ts';
import { BATCH } from '../../theory/run.ts';
import { AdamDecays, Layer, Allocator, allocateFeatures, allocateLayer } from './layer.ts';

/** The numbers of features in each part of the network. */
interface GatedSizes {
  readonly inputs: number;
  /** width of the block */
  readonly model: number;
  /** neurons of the block */
  readonly hidden: number;
  readonly classes: number;
}

/** The result of a forward pass over the images of a batch. */
export interface BatchOutcome {
  /** sums over the images: cross entropy, |h| over all neurons, and the number of correct classes */
  readonly loss: number;
  readonly l1: number;
  readonly right: number;
}

/**
 * A classifier around one gated feed-forward block with a residual connection, as in transformers, for BATCH images at
 * once:
 *
 * x = ReLU(input We); hg = ReLU(x Wg); hu = x Wu; h = hg * hu; y = x + h Wd; scores = ReLU(y) Wc
 *
 * Its loss is the cross entropy plus a coefficient times the sum of |h| over the neurons: equation 2 of the TwELL paper
 * without the division by N, which the authors' code lacks too. Numbers are stored feature by feature, all images of a
 * feature together. scripts/train-gated has the same network image by image, and labs/training/test compares both.
 */
export class GatedNetwork {
  readonly #sizes: GatedSizes;
  readonly #products: Products;
  readonly #offsets: BatchOffsets;
  readonly #decays = new AdamDecays();
  readonly #embed: Layer;
  readonly #gate: Layer;
  readonly #up: Layer;
  readonly #down: Layer;
  readonly #classify: Layer;
  /** We, Wg, Wu, Wd, Wc */
  readonly layers: readonly Layer[];
  /** pixels of all images: the first pixel of every image, then the second */
  readonly input: Float32Array;
  /** ReLU(x Wg) of all images, neuron by neuron; valid until the next forward pass */
  readonly gate: Float32Array;
  /** the class of every image, to be set before `forward` */
  readonly labels = new Uint8Array(BATCH);

  constructor(sizes: GatedSizes, random: Random, open: (numbers: number, maxCols: number) => Products = openProducts) {
    const { inputs, model, hidden, classes } = sizes;
    this.#sizes = sizes;
    const allocator = new Allocator();
    const layers = [
      allocateLayer(allocator, inputs, model, true),
      allocateLayer(allocator, model, hidden, false),
      allocateLayer(allocator, model, hidden, false),
      allocateLayer(allocator, hidden, model, false),
      allocateLayer(allocator, model, classes, true),
    ];
    this.#offsets = allocateBatch(allocator, sizes);
    this.#products = open(allocator.size, Math.max(inputs + 1, hidden, model + 1, BATCH));
    this.layers = layers.map((layer) => new Layer(layer, this.#products, random));
    [this.#embed, this.#gate, this.#up, this.#down, this.#classify] = this.layers;
    const { memory } = this.#products;
    const offsets = this.#offsets;
    this.input = memory.subarray(offsets.input, offsets.input + inputs * BATCH);
    this.gate = memory.subarray(offsets.hg, offsets.hg + hidden * BATCH);
    // Ones, which the biases are multiplied by.
    memory.fill(1, offsets.input + inputs * BATCH, offsets.input + (inputs + 1) * BATCH);
    memory.fill(1, offsets.y + model * BATCH, offsets.y + (model + 1) * BATCH);
  }

  /** Computes the loss of the images of `input`, whose classes are `labels`. */
  forward(): BatchOutcome {
    const { model, hidden } = this.#sizes;
    const { memory } = this.#products;
    const { input, x, hg, hu, h, y, scores } = this.#offsets;
    this.#embed.forward(input, x);
    rectify(memory, x, model * BATCH);
    this.#gate.forward(x, hg);
    rectify(memory, hg, hidden * BATCH);
    this.#up.forward(x, hu);
    let l1 = 0;
    for (let i = 0; i < hidden * BATCH; i++) {
      const value = memory[hg + i] * memory[hu + i];
      memory[h + i] = value;
      l1 += Math.abs(value);
    }
    this.#down.forward(h, y);
    for (let i = 0; i < model * BATCH; i++) memory[y + i] += memory[x + i];
    rectify(memory, y, model * BATCH);
    this.#classify.forward(y, scores);
    return { l1, ...this.#lossFromScores() };
  }

  /** Computes the gradients of the loss, summed over the images of the last forward pass. `coefficient`: of |h|. */
  backward(coefficient: number): void {
    const { model, hidden } = this.#sizes;
    const { memory } = this.#products;
    const { input, x, hg, hu, h, y, dScores, dy, dh, dhg, dhu, dx, dxOfUp } = this.#offsets;
    this.#classify.backwardWeights(y, dScores);
    this.#classify.backwardInput(dScores, dy);
    for (let i = 0; i < model * BATCH; i++) if (memory[y + i] === 0) memory[dy + i] = 0;
    this.#down.backwardWeights(h, dy);
    this.#down.backwardInput(dy, dh);
    for (let i = 0; i < hidden * BATCH; i++) {
      const value = memory[h + i];
      // Where h is 0, no gradient flows back: the gate is closed, or multiplied by 0.
      const gradient = value === 0 ? 0 : memory[dh + i] + (value > 0 ? coefficient : -coefficient);
      memory[dhg + i] = gradient * memory[hu + i];
      memory[dhu + i] = gradient * memory[hg + i];
    }
    this.#gate.backwardWeights(x, dhg);
    this.#up.backwardWeights(x, dhu);
    this.#gate.backwardInput(dhg, dx);
    this.#up.backwardInput(dhu, dxOfUp);
    for (let i = 0; i < model * BATCH; i++) {
      memory[dx + i] = memory[x + i] === 0 ? 0 : memory[dx + i] + memory[dxOfUp + i] + memory[dy + i];
    }
    this.#embed.backwardWeights(input, dx);
  }

  /** Moves every layer by the gradients of the last backward pass. */
  update(rate: number): void {
    const [first, second] = this.#decays.next();
    for (const layer of this.layers) layer.update(rate, first, second);
  }

  /** Moves the gate's weights of these neurons by `share` towards new random weights: equation 6 of the paper. */
  reinitialise(neurons: readonly number[], share: number, random: Random): void {
    const { weights, inputs, stride } = this.#gate;
    const deviation = Math.sqrt(2 / inputs);
    for (const n of neurons) {
      for (let j = 0; j < inputs; j++) {
        const index = j * stride + n;
        weights[index] = (1 - share) * weights[index] + share * deviation * random.normal();
      }
    }
  }

  /** Returns loss and number of correct classes; writes softmax(scores), minus 1 at the label, to dScores. */
  #lossFromScores(): Pick<BatchOutcome, 'loss' | 'right'> {
    const { classes } = this.#sizes;
    const { memory } = this.#products;
    const { scores, dScores } = this.#offsets;
    let loss = 0;
    let right = 0;
    for (let image = 0; image < BATCH; image++) {
      const label = this.labels[image];
      let best = 0;
      for (let c = 1; c < classes; c++) {
        if (memory[scores + c * BATCH + image] > memory[scores + best * BATCH + image]) best = c;
      }
      const highest = memory[scores + best * BATCH + image];
      let sum = 0;
      for (let c = 0; c < classes; c++) {
        const position = c * BATCH + image;
        const weight = exp(Math.max(MIN_EXPONENT, memory[scores + position] - highest));
        memory[dScores + position] = weight;
        sum += weight;
      }
      for (let c = 0; c < classes; c++) {
        const position = dScores + c * BATCH + image;
        memory[position] = memory[position] / sum - (c === label ? 1 : 0);
      }
      loss += ln(sum) + highest - memory[scores + label * BATCH + image];
      right += best === label ? 1 : 0;
    }
    return { loss, right };
  }
}

/** The least exponent in softmax: `exp` returns NaN from -700 on, and the weight of this exponent is 0 in f32. */
const MIN_EXPONENT = -600;

/** Offsets in memory by the names in the equations of GatedNetwork; dx is the gradient of x, dxOfUp its part through up. */
type BatchOffsets = Readonly<Record<(typeof FEATURES)[number][0], number>>;

/** The arrays that are computed for a batch, and which size of the network each has. */
const FEATURES = [
  ['input', 'inputs'],
  ['x', 'model'],
  ['hg', 'hidden'],
  ['hu', 'hidden'],
  ['h', 'hidden'],
  ['y', 'model'],
  ['scores', 'classes'],
  ['dScores', 'classes'],
  ['dy', 'model'],
  ['dh', 'hidden'],
  ['dhg', 'hidden'],
  ['dhu', 'hidden'],
  ['dx', 'model'],
  ['dxOfUp', 'model'],
] as const;

function allocateBatch(allocator: Allocator, sizes: GatedSizes): BatchOffsets {
  // Each has space for another feature, which is 1 and multiplied by the biases.
  const entries = FEATURES.map(([name, size]) => [name, allocateFeatures(allocator, sizes[size] + 1)] as const);
  return Object.fromEntries(entries) as BatchOffsets;
}

/** ReLU, in place. */
function rectify(memory: Float32Array, from: number, numbers: number): void {
  for (let i = from; i < from + numbers; i++) if (memory[i] < 0) memory[i] = 0;
}
