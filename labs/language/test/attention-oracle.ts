// Test helper: the attention of a chain's stages, computed in f64, and the layout of their KV cache.

import { CACHE_BLOCK, cacheBytes, cacheSpace, type HeadShape } from '../decoders/chain/attention-stages.ts';
import type { DecoderConfig } from '../decoders/decoder.ts';

/** Keys or values of earlier tokens, by head, position and column. */
type HeadRows = number[][][];

/**
 * Attention as written in papers, in f64, for tokens after tokens with given keys and values, which are already
 * rotated.
 */
export function attentionOracle(
  { config, isBiased, tokens }: HeadShape,
  position: number,
  data: { readonly projected: Float32Array; readonly biases: Float32Array },
  past: { readonly keys: HeadRows; readonly values: HeadRows },
): { readonly gathered: number[]; readonly keys: HeadRows; readonly values: HeadRows } {
  const { heads, kvHeads, headDim, rotary } = config;
  const q = heads * headDim;
  const kv = kvHeads * headDim;
  const rotated = (x: number[], rotationPosition: number): number[] => {
    const y = [...x];
    for (let i = 0; i < headDim / 2; i++) {
      const [a, b] = rotary.pairing === 'halves' ? [i, i + headDim / 2] : [2 * i, 2 * i + 1];
      const angle = rotationPosition * rotary.theta ** ((-2 * i) / headDim);
      y[a] = x[a] * Math.cos(angle) - x[b] * Math.sin(angle);
      y[b] = x[a] * Math.sin(angle) + x[b] * Math.cos(angle);
    }
    return y;
  };
  const keys = past.keys.map((keysOfPosition) => [...keysOfPosition]);
  const values = past.values.map((valuesOfPosition) => [...valuesOfPosition]);
  const gathered: number[] = [];
  for (let t = 0; t < tokens; t++) {
    const row = Array.from(
      data.projected.subarray(t * (q + 2 * kv), (t + 1) * (q + 2 * kv)),
      (v, i) => v + (isBiased ? data.biases[i] : 0),
    );
    for (let h = 0; h < kvHeads; h++) {
      keys[h].push(rotated(row.slice(q + h * headDim, q + (h + 1) * headDim), position + t));
      values[h].push(row.slice(q + kv + h * headDim, q + kv + (h + 1) * headDim));
    }
    for (let h = 0; h < heads; h++) {
      const query = rotated(row.slice(h * headDim, (h + 1) * headDim), position + t);
      const kvHead = Math.floor(h / (heads / kvHeads));
      const scores = keys[kvHead].map((key) => key.reduce((sum, k, i) => sum + k * query[i], 0) / Math.sqrt(headDim));
      const max = scores.reduce((a, b) => Math.max(a, b));
      const weights = scores.map((s) => Math.exp(s - max));
      const total = weights.reduce((a, b) => a + b);
      for (let c = 0; c < headDim; c++) {
        gathered.push(values[kvHead].reduce((sum, v, i) => sum + (weights[i] / total) * v[c], 0));
      }
    }
  }
  return { gathered, keys, values };
}

/**
 * The cache as the stages lay it out: by block, head, four columns and position, and by block, head, position and four
 * columns.
 */
export function cacheOf(
  { kvHeads, headDim }: Pick<DecoderConfig, 'kvHeads' | 'headDim'>,
  space: number,
  past: { keys: HeadRows; values: HeadRows },
) {
  const fours = Math.ceil(headDim / 4);
  const keys = new Float32Array(cacheBytes({ kvHeads, headDim }, cacheSpace(space)) / 4);
  const values = new Float32Array(keys.length);
  for (let h = 0; h < kvHeads; h++) {
    for (const [p, key] of past.keys[h].entries()) {
      const block = Math.floor(p / CACHE_BLOCK) * kvHeads + h;
      const positionInBlock = p % CACHE_BLOCK;
      for (let c = 0; c < headDim; c++) {
        keys[4 * ((block * fours + (c >> 2)) * CACHE_BLOCK + positionInBlock) + (c & 3)] = key[c];
        values[4 * ((block * CACHE_BLOCK + positionInBlock) * fours + (c >> 2)) + (c & 3)] = past.values[h][p][c];
      }
    }
  }
  return { keys, values };
}
