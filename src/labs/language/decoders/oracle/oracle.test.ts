import { describe, expect, it } from 'vitest';
import {
  randomIds,
  randomWeights,
  relativeError,
  TINY_CONFIGS,
  tinyConfig,
} from '../../../../../test/language/decoders.ts';
import { blockMatrixShape, type DecoderConfig, type DecoderWeights } from '../decoder.ts';
import { oracleLogits } from './oracle.ts';

/** One head of two columns, one neuron: small enough for a calculation by hand. */
const BY_HAND = tinyConfig({
  hidden: 2,
  intermediate: 1,
  layers: 1,
  heads: 1,
  kvHeads: 1,
  headDim: 2,
  vocabulary: 2,
  normEps: 1e-12,
  activation: 'relu',
});

/** Rows of q or k that turn as halves, in the order in which they turn as neighbours. */
function interleaved({ headDim }: DecoderConfig, rows: number, cols: number, w: Float32Array): Float32Array {
  const half = headDim / 2;
  const result = new Float32Array(w.length);
  for (let r = 0; r < rows; r++) {
    const c = r % headDim;
    const to = r - c + (c < half ? 2 * c : 2 * (c - half) + 1);
    result.set(w.subarray(r * cols, (r + 1) * cols), to * cols);
  }
  return result;
}

describe('the oracle', () => {
  it('computes what one computes by hand', () => {
    const weights: DecoderWeights = {
      embedding: Float32Array.of(3, 4, -1, 1),
      head: Float32Array.of(1, 0, 0, 1),
      finalNorm: Float32Array.of(1, 1),
      blocks: [
        {
          attentionNorm: Float32Array.of(1, 1),
          feedForwardNorm: Float32Array.of(1, 2),
          matrices: {
            q: Float32Array.of(1, 0, 0, 1),
            k: Float32Array.of(0, 1, 1, 0),
            v: Float32Array.of(1, 0, 0, 1),
            o: Float32Array.of(1, 0, 0, 1),
            gate: Float32Array.of(1, 1),
            up: Float32Array.of(1, -1),
            down: Float32Array.of(2, 0),
          },
          biases: {},
        },
      ],
    };
    // Token 0: norm (3, 4) / sqrt(12.5); it attends to itself alone, so x becomes (3, 4) + that.
    const n0 = [3 / Math.sqrt(12.5), 4 / Math.sqrt(12.5)];
    const x0 = [3 + n0[0], 4 + n0[1]];
    const feed = (x: readonly number[]) => {
      const r = Math.sqrt((x[0] ** 2 + x[1] ** 2) / 2);
      const m = [x[0] / r, (2 * x[1]) / r];
      const y = [x[0] + 2 * Math.max(0, m[0] + m[1]) * (m[0] - m[1]), x[1]];
      const s = Math.sqrt((y[0] ** 2 + y[1] ** 2) / 2);
      return [y[0] / s, y[1] / s];
    };
    // Token 1: norm (-1, 1). Its q is turned by 1, its k (1, -1) as well; the k of token 0 is not.
    const [cos, sin] = [Math.cos(1), Math.sin(1)];
    const q = [-cos - sin, -sin + cos];
    const scores = [(q[0] * n0[1] + q[1] * n0[0]) / Math.SQRT2, -2 / Math.SQRT2];
    const share = Math.exp(scores[0]) / (Math.exp(scores[0]) + Math.exp(scores[1]));
    const x1 = [-1 + share * n0[0] - (1 - share), 1 + share * n0[1] + (1 - share)];
    const expected = [...feed(x0), ...feed(x1)];
    expect(relativeError(oracleLogits(BY_HAND, weights, [0, 1]), expected)).toBeLessThan(1e-9);
  });

  it.each(TINY_CONFIGS)('of the positions sees only the past: $name', (config) => {
    const weights = randomWeights(config, 1);
    const ids = randomIds(config, 9, 2);
    const all = oracleLogits(config, weights, ids);
    const first = oracleLogits(config, weights, ids.slice(0, 5));
    expect(all.every(Number.isFinite)).toBe(true);
    expect(all.subarray(0, first.length)).toEqual(first);
  });

  it('gives the same for halves as for neighbours, once rows of q and k are in their order', () => {
    const config = TINY_CONFIGS[5];
    const weights = randomWeights(config, 3);
    const ids = randomIds(config, 12, 4);
    const other = { ...config, rotary: { ...config.rotary, pairing: 'neighbours' as const } };
    const permuted = {
      ...weights,
      blocks: weights.blocks.map((block) => ({
        ...block,
        matrices: {
          ...block.matrices,
          q: interleaved(config, ...blockMatrixShape(config, 'q'), block.matrices.q),
          k: interleaved(config, ...blockMatrixShape(config, 'k'), block.matrices.k),
        },
      })),
    };
    const expected = oracleLogits(config, weights, ids);
    expect(relativeError(oracleLogits(other, permuted, ids), expected)).toBeLessThan(1e-12);
    expect(relativeError(oracleLogits(other, weights, ids), expected)).toBeGreaterThan(1e-3);
  });

  it.each([
    ['activation', { activation: 'relu' }],
    ['normEps', { normEps: 1e-2 }],
    ['theta', { rotary: { theta: 100, pairing: 'halves', scaling: null } }],
    [
      'scaling',
      {
        rotary: {
          theta: 10_000,
          pairing: 'halves',
          scaling: { factor: 8, lowFrequency: 1, highFrequency: 4, originalContext: 16 },
        },
      },
    ],
  ] satisfies readonly (readonly [string, Partial<DecoderConfig>])[])('depends on %s', (_, changes) => {
    const config = tinyConfig();
    const weights = randomWeights(config, 5);
    const ids = randomIds(config, 12, 6);
    const usual = oracleLogits(config, weights, ids);
    expect(relativeError(oracleLogits({ ...config, ...changes }, weights, ids), usual)).toBeGreaterThan(1e-4);
  });

  it('hands out the inputs of matrices', () => {
    const config = tinyConfig({ activation: 'relu' });
    const seen = new Map<string, number>();
    let silent = 0;
    oracleLogits(config, randomWeights(config, 7), [1, 2, 3], (layer, input, x, position) => {
      seen.set(`${layer}/${input}/${position}`, x.length);
      if (input === 'down') silent += x.filter((h) => h === 0).length;
    });
    expect(seen.size).toBe(2 * 4 * 3);
    expect(seen.get('1/q/2')).toBe(config.hidden);
    expect(seen.get('1/o/2')).toBe(config.heads * config.headDim);
    expect(seen.get('0/down/0')).toBe(config.intermediate);
    // About half of the neurons do not fire.
    expect(silent).toBeGreaterThan(2 * 3 * config.intermediate * 0.25);
    expect(silent).toBeLessThan(2 * 3 * config.intermediate * 0.75);
  });

  it('refuses an id outside the vocabulary', () => {
    const config = tinyConfig();
    expect(() => oracleLogits(config, randomWeights(config, 8), [53])).toThrow(
      new RangeError('token 53: expected a whole number below 53'),
    );
  });
});
