// For tests: small configurations with random weights, and comparisons of logits.

import { Random } from '../../../src/core/number/random.ts';
import {
  BLOCK_MATRICES,
  type BlockMatrix,
  blockMatrixShape,
  type BlockWeights,
  type DecoderConfig,
  type DecoderWeights,
} from '../decoders/decoder.ts';

/** For tests: the configuration of a tiny decoder with grouped queries, with `changes`. */
export function tinyConfig(changes: Partial<DecoderConfig> = {}): DecoderConfig {
  return {
    name: 'tiny',
    hidden: 24,
    intermediate: 40,
    layers: 2,
    heads: 4,
    kvHeads: 2,
    headDim: 6,
    vocabulary: 53,
    gated: true,
    positions: 0,
    tied: false,
    biases: [],
    normEps: 1e-5,
    activation: 'silu',
    rotary: { theta: 10_000, pairing: 'halves', scaling: null },
    context: 64,
    bos: 0,
    eos: [1],
    ...changes,
  };
}

/** For tests: configurations that together use every option that all decoders support. */
export const TINY_CONFIGS: readonly DecoderConfig[] = [
  tinyConfig({ name: 'grouped' }),
  tinyConfig({ name: 'one head of k', kvHeads: 1, tied: true }),
  tinyConfig({ name: 'as many heads of k', kvHeads: 4, normEps: 1e-6 }),
  tinyConfig({ name: 'wide heads', headDim: 10, vocabulary: 97 }),
  tinyConfig({ name: 'neighbours', rotary: { theta: 500_000, pairing: 'neighbours', scaling: null } }),
  tinyConfig({
    name: 'stretched positions',
    headDim: 16,
    rotary: {
      theta: 500_000,
      pairing: 'halves',
      scaling: { factor: 8, lowFrequency: 1, highFrequency: 4, originalContext: 32 },
    },
  }),
  tinyConfig({ name: 'biases of attention', biases: ['q', 'k', 'v', 'o'] }),
  tinyConfig({ name: 'relu, all biases', activation: 'relu', biases: BLOCK_MATRICES, tied: true }),
  tinyConfig({
    name: 'odd sizes',
    hidden: 21,
    intermediate: 37,
    heads: 3,
    kvHeads: 3,
    headDim: 4,
    layers: 3,
    vocabulary: 31,
  }),
];

const UNGATED = ['q', 'k', 'v', 'o', 'up', 'down'] as const satisfies readonly BlockMatrix[];
/** Learned positions, layer norm and no gate. */
const LEARNED = { norm: 'layer', gated: false, positions: 64, kvHeads: 4, biases: UNGATED, tied: true } as const;

/** For tests: the other architectures, which the decoder on the GPU (the chain) does not support. */
export const OTHER_CONFIGS: readonly DecoderConfig[] = [
  tinyConfig({ name: 'window of 5 tokens', window: 5 }),
  tinyConfig({ name: 'OPT', ...LEARNED, activation: 'relu' }),
  tinyConfig({ name: 'GPT-2', ...LEARNED, activation: 'gelu' }),
];

/** For tests: weights large enough for every part of a decoder to show in its logits. */
export function randomWeights(config: DecoderConfig, seed: number): DecoderWeights {
  const random = new Random(seed);
  const numbers = (length: number, mean: number, deviation: number): Float32Array =>
    Float32Array.from({ length }, () => mean + deviation * random.normal());
  const { hidden, vocabulary, layers, tied, biases, context } = config;
  const hasLayerNorm = config.norm === 'layer';
  const embedding = numbers(vocabulary * hidden, 0, 0.5);
  const byMatrix = (names: readonly BlockMatrix[], part: (rows: number, cols: number) => Float32Array) =>
    Object.fromEntries(names.map((name) => [name, part(...blockMatrixShape(config, name))]));
  return {
    embedding,
    head: tied ? embedding : numbers(vocabulary * hidden, 0, 0.5),
    finalNorm: numbers(hidden, 1, 0.2),
    ...(hasLayerNorm && { finalNormBias: numbers(hidden, 0, 0.2) }),
    ...(config.positions > 0 && { positions: numbers(context * hidden, 0, 0.3) }),
    blocks: Array.from({ length: layers }, () => ({
      attentionNorm: numbers(hidden, 1, 0.2),
      feedForwardNorm: numbers(hidden, 1, 0.2),
      ...(hasLayerNorm && { normBiases: { attention: numbers(hidden, 0, 0.2), feedForward: numbers(hidden, 0, 0.2) } }),
      matrices: byMatrix(BLOCK_MATRICES, (rows, cols) =>
        numbers(rows * cols, 0, 1.5 / Math.sqrt(cols)),
      ) as BlockWeights['matrices'],
      biases: byMatrix(
        BLOCK_MATRICES.filter((name) => biases.includes(name)),
        (rows) => numbers(rows, 0, 0.2),
      ),
    })),
  };
}

/** For tests: ids below the vocabulary. */
export function randomIds({ vocabulary }: DecoderConfig, count: number, seed: number): readonly number[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => random.below(vocabulary));
}

/** For tests: all values of an iterable, in order. */
export async function allOf<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** For tests: the norm of the difference in units of the norm of `expected`. */
export function relativeError(computed: ArrayLike<number>, expected: ArrayLike<number>): number {
  let difference = 0;
  let norm = 0;
  for (let i = 0; i < expected.length; i++) {
    difference += (computed[i] - expected[i]) ** 2;
    norm += expected[i] ** 2;
  }
  return computed.length === expected.length ? Math.sqrt(difference / norm) : Number.NaN;
}

/**
 * For tests: a tokenizer.json of single bytes, then of merged pairs; `<bos>` is 0, `<eos>` 1, the bytes follow in
 * order.
 */
export function byteTokenizer(merges: readonly (readonly [string, string])[] = []): Record<string, unknown> {
  // As in GPT-2, printable bytes are written as themselves, and the others as characters from U+0100 on.
  const isPrintable = (byte: number): boolean => byte > 0x20 && (byte < 0x7f || byte > 0xa0) && byte !== 0xad;
  let nextCharacter = 0x100;
  const letters = Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode(isPrintable(byte) ? byte : nextCharacter++),
  );
  const tokens = ['<bos>', '<eos>', ...letters, ...merges.map(([a, b]) => a + b)];
  const added = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [
      { id: 0, content: '<bos>', ...added },
      { id: 1, content: '<eos>', ...added },
    ],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: { type: 'BPE', unk_token: null, vocab: Object.fromEntries(tokens.map((token, id) => [token, id])), merges },
  };
}
