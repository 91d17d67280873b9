// Memory and fully connected layers of the network that the page trains, with Adam.

import type { Random } from '../../../../src/core/number/random.ts';
import { TOKEN_GROUP, type Products } from '../../../../src/core/wasm/product.ts';
import { BATCH } from '../../theory/run.ts';

const BETA_1 = 0.9;
const BETA_2 = 0.999;
const EPSILON = 1e-8;

/** Divides one memory of f32 numbers into consecutive parts, each padded to a multiple of TOKEN_GROUP. */
export class Allocator {
  #next = 0;

  /** Returns the offset of the next part, which has space for `numbers`. */
  allocate(numbers: number): number {
    const offset = this.#next;
    this.#next += Math.ceil(numbers / TOKEN_GROUP) * TOKEN_GROUP;
    return offset;
  }

  get size(): number {
    return this.#next;
  }
}

/** Allocates `features` numbers for every image: the numbers of a feature are adjacent, one per image. */
export function allocateFeatures(allocator: Allocator, features: number): number {
  return allocator.allocate(features * BATCH);
}

/**
 * A fully connected layer without a rectifier, for all images of a batch at once, trained by Adam (Kingma and Ba 2015).
 * A bias is one more input, which is always 1. The weight from input j to output i is at j * stride + i. The arguments
 * `x`, `out`, `dx` and `dOut` of methods are offsets in the memory: of inputs, outputs, and the gradients of both.
 */
export class Layer {
  readonly inputs: number;
  readonly outputs: number;
  /** distance between the rows of two inputs; not a power of two, since a column would then share a few cache lines */
  readonly stride: number;
  readonly #rows: number;
  readonly #products: Products;
  readonly #weightsAt: number;
  readonly #gradientAt: number;
  /** offset of the transposed gradients of the outputs, one image in a row, and the length of a row */
  readonly #transposedAt: number;
  readonly #transposedRow: number;
  /** Adam's means of gradients and of their squares */
  readonly #m: Float32Array;
  readonly #v: Float32Array;
  /** weights, with the bias in the last row */
  readonly weights: Float32Array;
  readonly gradient: Float32Array;

  constructor(shape: LayerMemory, products: Products, random: Random) {
    const { inputs, outputs, hasBias } = shape;
    this.inputs = inputs;
    this.outputs = outputs;
    this.#transposedRow = Math.ceil(outputs / TOKEN_GROUP) * TOKEN_GROUP;
    this.stride = this.#transposedRow + TOKEN_GROUP;
    this.#rows = inputs + (hasBias ? 1 : 0);
    this.#products = products;
    ({ weightsAt: this.#weightsAt, gradientAt: this.#gradientAt, transposedAt: this.#transposedAt } = shape);
    const length = this.#rows * this.stride;
    this.weights = products.memory.subarray(this.#weightsAt, this.#weightsAt + length);
    this.gradient = products.memory.subarray(this.#gradientAt, this.#gradientAt + length);
    this.#m = new Float32Array(length);
    this.#v = new Float32Array(length);
    const initial = new Float32Array(inputs * outputs);
    random.fillNormal(initial);
    const deviation = Math.sqrt(2 / inputs);
    for (let j = 0; j < inputs; j++) {
      for (let i = 0; i < outputs; i++) this.weights[j * this.stride + i] = initial[j * outputs + i] * deviation;
    }
  }

  /** The outputs of every image, from inputs at `x` to `out`. */
  forward(x: number, out: number): void {
    const strides = { aRow: 1, aCol: this.stride, xRow: BATCH, outRow: BATCH };
    const sizes = { rows: this.outputs, cols: this.#rows, tokens: BATCH };
    this.#products.multiply({ out, a: this.#weightsAt, x, ...sizes, ...strides });
  }

  /** The gradients of the inputs, from the gradients of the outputs. */
  backwardInput(dOut: number, dx: number): void {
    const strides = { aRow: this.stride, aCol: 1, xRow: BATCH, outRow: BATCH };
    const sizes = { rows: this.inputs, cols: this.outputs, tokens: BATCH };
    this.#products.multiply({ out: dx, a: this.#weightsAt, x: dOut, ...sizes, ...strides });
  }

  /** The gradients of the weights, summed over the batch, from the inputs and the gradients of the outputs. */
  backwardWeights(x: number, dOut: number): void {
    const { memory } = this.#products;
    const row = this.#transposedRow;
    for (let i = 0, from = dOut; i < this.outputs; i++) {
      for (let image = 0, to = this.#transposedAt + i; image < BATCH; image++, from++, to += row)
        memory[to] = memory[from];
    }
    const strides = { aRow: BATCH, aCol: 1, xRow: row, outRow: this.stride };
    const sizes = { rows: this.#rows, cols: BATCH, tokens: row };
    this.#products.multiply({ out: this.#gradientAt, a: x, x: this.#transposedAt, ...sizes, ...strides });
  }

  /** One step of Adam by the mean gradient of the batch; `decay1`, `decay2`: the powers of its betas for this step. */
  update(rate: number, decay1: number, decay2: number): void {
    const step = (rate * Math.sqrt(1 - decay2)) / (1 - decay1);
    const { weights, gradient } = this;
    const m = this.#m;
    const v = this.#v;
    for (let i = 0; i < weights.length; i++) {
      const g = gradient[i] / BATCH;
      m[i] = BETA_1 * m[i] + (1 - BETA_1) * g;
      v[i] = BETA_2 * v[i] + (1 - BETA_2) * g * g;
      weights[i] -= (step * m[i]) / (Math.sqrt(v[i]) + EPSILON);
    }
  }
}

/** The sizes of a layer, and the offsets of its numbers in the memory. */
export interface LayerMemory {
  readonly inputs: number;
  readonly outputs: number;
  readonly hasBias: boolean;
  readonly weightsAt: number;
  readonly gradientAt: number;
  readonly transposedAt: number;
}

/** Allocates the numbers of a layer. */
export function allocateLayer(allocator: Allocator, inputs: number, outputs: number, hasBias: boolean): LayerMemory {
  const paddedOutputs = Math.ceil(outputs / TOKEN_GROUP) * TOKEN_GROUP;
  const length = (inputs + (hasBias ? 1 : 0)) * (paddedOutputs + TOKEN_GROUP);
  return {
    inputs,
    outputs,
    hasBias,
    weightsAt: allocator.allocate(length),
    gradientAt: allocator.allocate(length),
    transposedAt: allocator.allocate(BATCH * paddedOutputs),
  };
}

/** The powers of Adam's betas: each beta to the power of the number of the step. */
export class AdamDecays {
  #first = 1;
  #second = 1;

  /** The powers for the next step. */
  next(): readonly [number, number] {
    this.#first *= BETA_1;
    this.#second *= BETA_2;
    return [this.#first, this.#second];
  }
}
