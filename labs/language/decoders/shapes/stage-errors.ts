// The errors of a token's attention and activation on the GPU, compared with f64 on the CPU.

import { CACHE_BLOCK } from '../chain/attention-stages.ts';
import { regionsOf } from '../chain/launches.ts';
import type { ChainBlock, MatrixStack } from '../chain/weights.ts';
import type { DecoderConfig } from '../decoder.ts';
import { rotaryFrequencies } from '../rotary.ts';

/** The norm of the difference over the norm of the expected numbers. */
export function relativeError(computed: ArrayLike<number>, expected: ArrayLike<number>): number {
  let [error, norm] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    error += (computed[i] - expected[i]) ** 2;
    norm += expected[i] ** 2;
  }
  const relative = Math.sqrt(norm === 0 ? error : error / norm);
  // NaN counts as the maximum error.
  return Number.isNaN(relative) ? Number.MAX_VALUE : relative;
}

/** The outputs of gate and up, which may be stacked in one matrix or split into several. */
export function activationInputs(
  { intermediate }: DecoderConfig,
  projected: Float64Array,
  stacked: MatrixStack,
  alignment: number,
): { readonly gate: Float64Array; readonly up: Float64Array } {
  const both = new Float64Array(2 * intermediate);
  let row = 0;
  for (const [i, { offset }] of regionsOf(stacked, 1, alignment).entries()) {
    const { rows } = stacked[i].encoded;
    both.set(projected.subarray(offset / 4, offset / 4 + rows), row);
    row += rows;
  }
  return { gate: both.subarray(0, intermediate), up: both.subarray(intermediate) };
}

/** The relative error of silu(gate) * up. */
export function activationError(
  { gate, up }: ReturnType<typeof activationInputs>,
  biases: ChainBlock['biases'],
  hidden: Float32Array,
): number {
  const expected = Float64Array.from(hidden, (_, c) => {
    const g = gate[c] + (biases.gate?.[c] ?? 0);
    return (g / (1 + Math.exp(-g))) * (up[c] + (biases.up?.[c] ?? 0));
  });
  return relativeError(hidden, expected);
}

/** What the attention stage reads, and writes to the cache. */
export interface AttentionInputs {
  /** q, k and v of the token, before biases and RoPE */
  readonly projected: Float64Array;
  /** the KV cache, including the token */
  readonly keys: Float32Array;
  readonly values: Float32Array;
  readonly biases: ChainBlock['biases'];
}

/**
 * The largest `relativeError` among the outputs of the heads, `gathered`, and the token's keys and values. The cache
 * stores groups of four columns. The order of keys is block of positions, head, group of columns, position; the order
 * of values is block, head, position, group of columns.
 */
export function attentionError(
  config: DecoderConfig,
  position: number,
  { projected, keys, values, biases }: AttentionInputs,
  gathered: Float32Array,
): number {
  const { heads, kvHeads, headDim } = config;
  /** groups of four columns in a head */
  const columnGroups = Math.ceil(headDim / 4);
  /** index of a head's part of the cache block that contains a position */
  const headBlockOf = (head: number, cachePosition: number): number =>
    Math.floor(cachePosition / CACHE_BLOCK) * kvHeads + head;
  const keyAt = (head: number, cachePosition: number, column: number): number =>
    keys[
      4 *
        ((headBlockOf(head, cachePosition) * columnGroups + Math.floor(column / 4)) * CACHE_BLOCK +
          (cachePosition % CACHE_BLOCK)) +
        (column % 4)
    ];
  const valueAt = (head: number, cachePosition: number, column: number): number =>
    values[
      4 *
        ((headBlockOf(head, cachePosition) * CACHE_BLOCK + (cachePosition % CACHE_BLOCK)) * columnGroups +
          Math.floor(column / 4)) +
        (column % 4)
    ];
  const columns = Array.from({ length: headDim }, (_, column) => column);
  /** The columns of one head of q, k or v plus their biases; `first`: the heads in `projected` before that matrix's. */
  const headColumns = (first: number, head: number, bias: Float32Array | undefined): readonly number[] =>
    columns.map((c) => projected[(first + head) * headDim + c] + (bias?.[head * headDim + c] ?? 0));
  let worst = 0;
  const compare = (computed: (column: number) => number, expected: readonly number[]): void => {
    worst = Math.max(worst, relativeError(columns.map(computed), expected));
  };
  for (let head = 0; head < kvHeads; head++) {
    compare((c) => keyAt(head, position, c), rotated(config, headColumns(heads, head, biases.k), position));
    compare((c) => valueAt(head, position, c), headColumns(heads + kvHeads, head, biases.v));
  }
  for (let head = 0; head < heads; head++) {
    const query = rotated(config, headColumns(0, head, biases.q), position);
    const kvHead = Math.floor((head * kvHeads) / heads);
    const scores = Array.from({ length: position + 1 }, (_, keyPosition) => {
      let score = 0;
      for (const c of columns) score += query[c] * keyAt(kvHead, keyPosition, c);
      return score / Math.sqrt(headDim);
    });
    const largest = scores.reduce((a, b) => Math.max(a, b));
    const weights = scores.map((score) => Math.exp(score - largest));
    const total = weights.reduce((a, b) => a + b);
    const expected = columns.map((c) => {
      let sum = 0;
      for (const [valuePosition, weight] of weights.entries()) sum += weight * valueAt(kvHead, valuePosition, c);
      return sum / total;
    });
    compare((c) => gathered[head * headDim + c], expected);
  }
  return worst;
}

/** RoPE of a head at its position: columns c and c + headDim / 2 are a pair. */
function rotated(config: DecoderConfig, head: readonly number[], position: number): readonly number[] {
  const frequencies = rotaryFrequencies(config);
  const half = config.headDim / 2;
  return head.map((value, c) => {
    const angle = position * frequencies[c % half];
    const partner = c < half ? -head[c + half] : head[c - half];
    return Math.cos(angle) * value + Math.sin(angle) * partner;
  });
}
