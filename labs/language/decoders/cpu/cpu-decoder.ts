// The decoder without a GPU, one token after another.

import { CancelledError } from '../../../../src/core/errors.ts';
import { Pacer } from '../../../../src/core/pace.ts';
import {
  activated,
  BLOCK_MATRICES,
  type BlockMatrix,
  blockMatrixShape,
  type BlockWeights,
  checkFeed,
  type Decoder,
  type DecoderConfig,
  type DecoderWeights,
  firstVisible,
  isRotary,
  type MatrixInput,
  type OnInput,
  emptyKvCache,
  type KvCache,
  type Sampling,
} from '../decoder.ts';
import { Halves } from '../halves.ts';
import { type PackedNumbers, packedOf, widenedPart } from '../packed-numbers.ts';
import { rotaryTable } from '../rotary.ts';
import { writeByFeeding } from '../sampling.ts';
import { denseProduct } from './dense-product.ts';

/** y = W x of one matrix: x has one number per column, y one per row and is overwritten. */
type Product = (x: Float32Array, y: Float32Array) => void;

/** The product with each matrix of a block; null: the dense product with its weights. */
type Products = (layer: number, name: BlockMatrix) => Product | null;

/** Settings of `cpuDecoder`. */
export interface CpuDecoderOptions {
  /** such as `multiply` of a format; default: dense products */
  readonly products?: Products | undefined;
  readonly onInput?: OnInput<Float32Array>;
  /** keys and values of tokens that were already read; the decoder changes them */
  readonly past?: KvCache | undefined;
  /** Once it is cancelled, every pending call rejects with CancelledError. */
  readonly job?: { readonly cancelled: boolean };
}

/** Tokens that go through a layer together. Each read of a matrix row serves four of them (dense-product.ts). */
const BATCH = 16;

/** Multiplications between two checks of the clock: about 4 ms. */
const PRODUCTS_AT_ONCE = 2 ** 22;
/** Weights that are widened at once: few enough to stay in a cache until they are multiplied. */
const WIDENED_AT_ONCE = 2 ** 17;

/**
 * A decoder on this thread: activations in f32, sums in f64, keys and values in f32: 2 x layers x kvHeads x
 * headDim numbers per token. Feeding several tokens computes the same bits as feeding them one by one.
 * Yields the thread about every 10 ms, except during a product from `options`. A `feed` that rejects leaves the
 * sequence unchanged. Throws an Error if a call comes before the last `feed` has ended, CancelledError after `destroy`.
 */
export function cpuDecoder(config: DecoderConfig, weights: DecoderWeights, options: CpuDecoderOptions = {}): Decoder {
  return new CpuDecoder(config, weights, options);
}

/** Keys and values of a layer, by position. */
interface LayerPast {
  keys: Float32Array;
  values: Float32Array;
}

/** The product of a matrix with `count` vectors. */
type BatchProduct = (x: Float32Array, count: number) => Promise<Float32Array>;

class CpuDecoder implements Decoder {
  readonly config: DecoderConfig;
  readonly #weights: DecoderWeights;
  readonly #embedding: PackedNumbers;
  readonly #onInput: OnInput<Float32Array> | null;
  readonly #job: { readonly cancelled: boolean };
  /** the products of all matrices: by layer, by name of the matrix */
  readonly #times: readonly Readonly<Record<BlockMatrix, BatchProduct>>[];
  readonly #timesHead: BatchProduct;
  readonly #pacer = new Pacer();
  #past: LayerPast[];
  /** rows of two-byte weights, widened to f32 to be multiplied */
  #widenedRows = new Float32Array();
  #length = 0;
  #isFeeding = false;
  #isDestroyed = false;

  constructor(config: DecoderConfig, weights: DecoderWeights, { products, onInput, past, job }: CpuDecoderOptions) {
    this.config = config;
    this.#weights = weights;
    this.#embedding = packedOf(weights, 'embedding');
    this.#onInput = onInput ?? null;
    this.#job = job ?? { cancelled: false };
    const { layers, length } = past ?? emptyKvCache(config, 0);
    this.#past = layers.map(({ keys, values }) => ({ keys, values }));
    this.#length = length;
    this.#times = weights.blocks.map((block, layer) => {
      const times = (name: BlockMatrix): BatchProduct => this.#matrix(block, name, products?.(layer, name) ?? null);
      const entries = BLOCK_MATRICES.map((name) => [name, times(name)]);
      return Object.fromEntries(entries) as Record<BlockMatrix, BatchProduct>;
    });
    this.#timesHead = this.#dense(packedOf(weights, 'head'), config.vocabulary, config.hidden);
  }

  get length(): number {
    return this.#length;
  }

  async feed(ids: readonly number[]): Promise<Float32Array> {
    this.#checkFeed(ids);
    const { vocabulary, hidden } = this.config;
    this.#isFeeding = true;
    try {
      this.#makeSpace(this.#length + ids.length);
      const logits = new Float32Array(ids.length * vocabulary);
      for (let from = 0; from < ids.length; from += BATCH) {
        const batch = ids.slice(from, from + BATCH);
        const x = new Float32Array(batch.length * hidden);
        for (const [t, id] of batch.entries()) {
          x.set(widenedPart(this.#embedding, id * hidden, (id + 1) * hidden), t * hidden);
        }
        const { positions } = this.#weights;
        const first = (this.#length + from) * hidden;
        if (positions) for (let i = 0; i < x.length; i++) x[i] += positions[first + i];
        await this.#throughBlocks(x, batch.length, this.#length + from);
        const normed = this.#norm(x, this.#weights.finalNorm, this.#weights.finalNormBias);
        logits.set(await this.#timesHead(normed, batch.length), from * vocabulary);
      }
      this.#length += ids.length;
      return logits;
    } finally {
      this.#isFeeding = false;
    }
  }

  write(id: number, count: number, sampling: Sampling): AsyncGenerator<number, void> {
    return writeByFeeding(this, id, count, sampling);
  }

  rewind(length: number): void {
    this.#checkFeed([]);
    if (!(Number.isInteger(length) && length >= 0 && length <= this.#length)) {
      throw new RangeError(`rewind: found ${length}, expected a whole number up to the ${this.#length} tokens fed`);
    }
    this.#length = length;
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#past = [];
    this.#length = 0;
  }

  #checkFeed(ids: readonly number[]): void {
    this.#throwIfOver();
    checkFeed(ids, { config: this.config, length: this.#length, isFeeding: this.#isFeeding });
  }

  #throwIfOver(): void {
    if (this.#isDestroyed || this.#job.cancelled) throw new CancelledError();
  }

  /** Lets this thread handle messages if it is due; throws CancelledError if one of them cancelled the job. */
  async #pauseIfDue(): Promise<void> {
    await this.#pacer.pauseIfDue();
    this.#throwIfOver();
  }

  /** Allocates memory for the keys and values of `length` tokens, at least doubled, so that they are rarely copied. */
  #makeSpace(length: number): void {
    const { kvHeads, headDim, context } = this.config;
    const width = kvHeads * headDim;
    for (const past of this.#past) {
      if (past.keys.length >= length * width) continue;
      const capacity = Math.min(context, Math.max(length, (2 * past.keys.length) / width, 64));
      for (const name of ['keys', 'values'] as const) {
        const enlarged = new Float32Array(capacity * width);
        enlarged.set(past[name]);
        past[name] = enlarged;
      }
    }
  }

  /** The product of a matrix of a block with several vectors, plus its bias. */
  #matrix({ matrices, biases }: BlockWeights, name: BlockMatrix, product: Product | null): BatchProduct {
    const [rows, cols] = blockMatrixShape(this.config, name);
    const times = product ? this.#oneByOne(product, rows, cols) : this.#dense(packedOf(matrices, name), rows, cols);
    const bias = biases[name];
    if (!bias) return times;
    return async (x, count) => {
      const y = await times(x, count);
      for (let i = 0; i < y.length; i++) y[i] += bias[i % rows];
      return y;
    };
  }

  /** Applies a product of one vector to each of several vectors. */
  #oneByOne(product: Product, rows: number, cols: number): BatchProduct {
    return async (x, count) => {
      const y = new Float32Array(count * rows);
      for (let t = 0; t < count; t++) {
        product(x.subarray(t * cols, (t + 1) * cols), y.subarray(t * rows, (t + 1) * rows));
        await this.#pauseIfDue();
      }
      return y;
    };
  }

  /** The product of dense weights, in slices of rows; weights of two bytes are widened one slice at a time. */
  #dense(w: PackedNumbers, rows: number, cols: number): BatchProduct {
    return async (x, count) => {
      const y = new Float32Array(count * rows);
      const maxWeights = w instanceof Halves ? WIDENED_AT_ONCE : PRODUCTS_AT_ONCE / count;
      const rowsPerSlice = Math.max(4, Math.floor(maxWeights / cols));
      for (let from = 0; from < rows; from += rowsPerSlice) {
        const to = Math.min(rows, from + rowsPerSlice);
        if (w instanceof Halves)
          denseProduct(this.#widened(w, from * cols, to * cols), rows, cols, x, y, count, from, to, from);
        else denseProduct(w, rows, cols, x, y, count, from, to);
        await this.#pauseIfDue();
      }
      return y;
    };
  }

  #widened(w: Halves, from: number, to: number): Float32Array {
    if (this.#widenedRows.length < to - from) this.#widenedRows = new Float32Array(to - from);
    return w.widen(from, to, this.#widenedRows);
  }

  /** Passes x, tokens x hidden, through all blocks, in place. The first token is at `position`. */
  async #throughBlocks(x: Float32Array, count: number, position: number): Promise<void> {
    const { kvHeads, headDim, activation, layers, gated } = this.config;
    const rotations = isRotary(this.config) ? rotaryTable(this.config, count, position) : null;
    for (let layer = 0; layer < layers; layer++) {
      const block = this.#weights.blocks[layer];
      const times = this.#times[layer];
      const past = this.#past[layer];

      const attentionInput = this.#norm(x, block.attentionNorm, block.normBiases?.attention);
      this.#reportInput(layer, 'q', attentionInput, count, position);
      const q = await times.q(attentionInput, count);
      const k = await times.k(attentionInput, count);
      if (rotations) {
        this.#rotate(q, rotations, count);
        this.#rotate(k, rotations, count);
      }
      past.keys.set(k, position * kvHeads * headDim);
      past.values.set(await times.v(attentionInput, count), position * kvHeads * headDim);
      const attended = await this.#attend(q, past, count, position);
      this.#reportInput(layer, 'o', attended, count, position);
      add(x, await times.o(attended, count));

      const feedForwardInput = this.#norm(x, block.feedForwardNorm, block.normBiases?.feedForward);
      this.#reportInput(layer, 'gate', feedForwardInput, count, position);
      const neurons = await (gated ? times.gate : times.up)(feedForwardInput, count);
      for (let i = 0; i < neurons.length; i++) neurons[i] = activated(activation, neurons[i]);
      if (gated) {
        const up = await times.up(feedForwardInput, count);
        for (let i = 0; i < neurons.length; i++) neurons[i] *= up[i];
      }
      this.#reportInput(layer, 'down', neurons, count, position);
      add(x, await times.down(neurons, count));
    }
  }

  #reportInput(layer: number, input: MatrixInput, x: Float32Array, count: number, position: number): void {
    if (!this.#onInput) return;
    const cols = x.length / count;
    for (let t = 0; t < count; t++) {
      this.#onInput(layer, input, x.subarray(t * cols, (t + 1) * cols), position + t);
    }
  }

  /** For every row x: weight * x / sqrt(mean of squares + eps). With a bias, x is first centred; the bias is added. */
  #norm(x: Float32Array, weight: Float32Array, bias?: Float32Array): Float32Array {
    const { hidden, normEps } = this.config;
    const y = new Float32Array(x.length);
    for (let from = 0; from < x.length; from += hidden) {
      let mean = 0;
      if (bias) {
        for (let i = 0; i < hidden; i++) mean += x[from + i];
        mean /= hidden;
      }
      let squares = 0;
      for (let i = 0; i < hidden; i++) squares += (x[from + i] - mean) * (x[from + i] - mean);
      const factor = 1 / Math.sqrt(squares / hidden + normEps);
      for (let i = 0; i < hidden; i++) y[from + i] = weight[i] * ((x[from + i] - mean) * factor);
      if (bias) for (let i = 0; i < hidden; i++) y[from + i] += bias[i];
    }
    return y;
  }

  /**
   * Applies RoPE to every head of every token, in place. `rotations`: as `rotaryTable`, from the first of the tokens
   * on.
   */
  #rotate(x: Float32Array, rotations: Float64Array, count: number): void {
    const { headDim, rotary } = this.config;
    const half = headDim / 2;
    const areHalves = rotary.pairing === 'halves';
    const width = x.length / count;
    for (let from = 0; from < x.length; from += headDim) {
      const tokenRotations = Math.floor(from / width) * headDim;
      for (let i = 0; i < half; i++) {
        const a = from + (areHalves ? i : 2 * i);
        const b = areHalves ? a + half : a + 1;
        const cos = rotations[tokenRotations + 2 * i];
        const sin = rotations[tokenRotations + 2 * i + 1];
        const first = x[a];
        x[a] = first * cos - x[b] * sin;
        x[b] = first * sin + x[b] * cos;
      }
    }
  }

  /** For every head of q: values up to its token, weighted by softmax(q . k / sqrt(headDim)). */
  async #attend(q: Float32Array, { keys, values }: LayerPast, count: number, position: number): Promise<Float32Array> {
    const { heads, kvHeads, headDim } = this.config;
    const width = kvHeads * headDim;
    const attended = new Float32Array(q.length);
    const scores = new Float64Array(position + count);
    const sums = new Float64Array(headDim);
    for (let t = 0; t < count; t++) {
      const tokens = position + t + 1;
      const first = firstVisible(this.config, position + t);
      for (let head = 0; head < heads; head++) {
        const from = (t * heads + head) * headDim;
        const kvFrom = Math.floor((head * kvHeads) / heads) * headDim;
        let highest = Number.NEGATIVE_INFINITY;
        for (let p = first; p < tokens; p++) {
          const key = p * width + kvFrom;
          let sum = 0;
          for (let c = 0; c < headDim; c++) sum += q[from + c] * keys[key + c];
          scores[p] = sum / Math.sqrt(headDim);
          highest = Math.max(highest, scores[p]);
        }
        let total = 0;
        sums.fill(0);
        for (let p = first; p < tokens; p++) {
          const weight = Math.exp(scores[p] - highest);
          const value = p * width + kvFrom;
          total += weight;
          for (let c = 0; c < headDim; c++) sums[c] += weight * values[value + c];
        }
        for (let c = 0; c < headDim; c++) attended[from + c] = sums[c] / total;
      }
      await this.#pauseIfDue();
    }
    return attended;
  }
}

function add(x: Float32Array, y: Float32Array): void {
  for (let i = 0; i < x.length; i++) x[i] += y[i];
}
