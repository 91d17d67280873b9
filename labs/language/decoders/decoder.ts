// The contract of all decoders: the properties of a model, and the operations on one sequence. Most models are of the
// Llama family: RMS norm, rotary positions, grouped queries, a gated feed-forward block. OPT and GPT-2 have layer norms
// with biases, learned positions and no gate.

import type { MatrixName, ModelShape } from '../../../src/theory/models/model-shape.ts';

/** How RoPE frequencies are lowered for a longer context, as in Llama 3.1 (oracle.ts has the formula). */
export interface RotaryScaling {
  readonly factor: number;
  readonly lowFrequency: number;
  readonly highFrequency: number;
  readonly originalContext: number;
}

/** The configuration of a model that can be decoded, from its config.json. No mixtures of experts. */
export interface DecoderConfig extends Omit<ModelShape, 'experts' | 'latent'> {
  /** RMS norm, or layer norm with a bias. Absent: 'rms' */
  readonly norm?: 'rms' | 'layer';
  /** added to the mean of squares, or the variance, before the root */
  readonly normEps: number;
  /** 'gelu' is the tanh approximation of GPT-2 */
  readonly activation: 'silu' | 'relu' | 'gelu';
  /** the value of `hidden_act` if the model's code has a different activation built in; else absent */
  readonly activationName?: string;
  /** not used by a model with learned positions (`positions` above 0) */
  readonly rotary: {
    readonly theta: number;
    /** the RoPE layout: columns c and c + headDim / 2 rotate together, or neighbours 2c and 2c + 1 (interleaved) */
    readonly pairing: 'halves' | 'neighbours';
    readonly scaling: RotaryScaling | null;
  };
  /** maximum tokens of a sequence */
  readonly context: number;
  /** sliding window: tokens that a token attends to, itself included. Absent: all tokens before it */
  readonly window?: number;
  /** id of the token before every text; null: none */
  readonly bos: number | null;
  /** ids of the tokens that end a text */
  readonly eos: readonly number[];
}

/** Maximum weights of a model: 2 GiB of f32. */
export const MAX_WEIGHTS = 2 ** 29;

/** The matrices of a block that are pruned, quantised and stored in a format, in the order of their use by a token. */
export const BLOCK_MATRICES = ['q', 'k', 'v', 'o', 'gate', 'up', 'down'] as const satisfies readonly MatrixName[];
export type BlockMatrix = (typeof BLOCK_MATRICES)[number];

/** The names of the matrices that a block of the model has: all, or all but the gate. */
export function blockMatrices({ gated }: Pick<ModelShape, 'gated'>): readonly BlockMatrix[] {
  return gated ? BLOCK_MATRICES : BLOCK_MATRICES.filter((name) => name !== 'gate');
}

/** Which input each matrix reads, named by the first matrix that reads it: q for k and v as well, gate for up. */
export const MATRIX_INPUTS = { q: 'q', k: 'q', v: 'q', o: 'o', gate: 'gate', up: 'gate', down: 'down' } as const;
export type MatrixInput = (typeof MATRIX_INPUTS)[BlockMatrix];

/**
 * Called with each input of a block's matrices, for every token; the input of `down` is the activated neurons. `x` has
 * a number for each column and is valid until the call returns.
 */
export type OnInput<X extends ArrayLike<number>> = (layer: number, input: MatrixInput, x: X, position: number) => void;

/** Weights of a block, converted to f32. Matrices are row-major, outputs x inputs. */
export interface BlockWeights {
  readonly attentionNorm: Float32Array;
  readonly feedForwardNorm: Float32Array;
  /** biases of layer norms; absent for RMS norms */
  readonly normBiases?: { readonly attention: Float32Array; readonly feedForward: Float32Array };
  /** the gate is empty if blocks have none */
  readonly matrices: Readonly<Record<BlockMatrix, Float32Array>>;
  readonly biases: Readonly<Partial<Record<BlockMatrix, Float32Array>>>;
}

/** All weights of a model. */
export interface DecoderWeights {
  /** vocabulary x hidden */
  readonly embedding: Float32Array;
  /** vocabulary x hidden; the embedding itself if the two are tied */
  readonly head: Float32Array;
  readonly finalNorm: Float32Array;
  /** absent for an RMS norm */
  readonly finalNormBias?: Float32Array;
  /** learned positions, context x hidden, added to the embedding */
  readonly positions?: Float32Array;
  readonly blocks: readonly BlockWeights[];
}

/** Whether positions are encoded by RoPE (rotated queries and keys), not by a table that is added to the embedding. */
export function isRotary({ positions }: Pick<ModelShape, 'positions'>): boolean {
  return positions === 0;
}

/** The first position that a token at `position` attends to. */
export function firstVisible({ window }: Pick<DecoderConfig, 'window'>, position: number): number {
  return window === undefined ? 0 : Math.max(0, position - window + 1);
}

/** The activation of a neuron or, with a gate, of the gate. */
export function activated(activation: DecoderConfig['activation'], x: number): number {
  if (activation === 'relu') return Math.max(0, x);
  if (activation === 'silu') return x / (1 + Math.exp(-x));
  return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
}

/** Rows (outputs) and columns (inputs) of a matrix of a block. */
export function blockMatrixShape(
  { hidden, intermediate, heads, kvHeads, headDim, gated }: ModelShape,
  name: BlockMatrix,
): readonly [rows: number, cols: number] {
  switch (name) {
    case 'q':
      return [heads * headDim, hidden];
    case 'k':
    case 'v':
      return [kvHeads * headDim, hidden];
    case 'o':
      return [hidden, heads * headDim];
    case 'gate':
      return [gated ? intermediate : 0, hidden];
    case 'up':
      return [intermediate, hidden];
    case 'down':
      return [hidden, intermediate];
  }
}

/**
 * How a token is drawn: the largest of logit / temperature + noise, where the noise (Gumbel) depends on seed, position
 * and token id only. Two models that are sampled with equal settings therefore differ only where their logits do.
 * Temperature 0: the argmax of the logits.
 */
export interface Sampling {
  readonly temperature: number;
  /** a whole number below 2 ** 32 */
  readonly seed: number;
}

/** One sequence, on the CPU or on a GPU. Positions count from 0 and include bos, the token before a text. */
export interface Decoder {
  readonly config: DecoderConfig;
  /** tokens fed since the beginning or the last `rewind` */
  readonly length: number;
  /**
   * Feeds tokens and returns the logits after each of them: ids.length x vocabulary, f32. Throws RangeError for an id
   * outside the vocabulary, and if the sequence would become longer than the context.
   */
  feed(ids: readonly number[]): Promise<Float32Array>;
  /**
   * Feeds `id`, draws the next token, feeds this token, and so on: yields every drawn id, and ends after a token of
   * `eos`, `count` ids, or at the end of the context. The token drawn last has not been fed.
   */
  write(id: number, count: number, sampling: Sampling): AsyncGenerator<number, void>;
  /** Forgets all tokens after the first `length`. */
  rewind(length: number): void;
  destroy(): void;
}

/** Throws RangeError if `id` is not in the vocabulary. */
export function checkToken(id: number, { vocabulary }: Pick<ModelShape, 'vocabulary'>): void {
  if (Number.isInteger(id) && id >= 0 && id < vocabulary) return;
  throw new RangeError(`token ${id}: expected a whole number below ${vocabulary}`);
}

/** The id of bos. Throws RangeError for a model that has none; `what`: the feature that needs it, for the message. */
export function bosId({ bos }: Pick<DecoderConfig, 'bos'>, what: string): number {
  if (bos === null) throw new RangeError(`${what}: the model has no mark before texts`);
  return bos;
}

/**
 * Throws if a decoder that has read `length` tokens cannot read `ids` next: Error during another `feed`, RangeError if
 * an id is not in the vocabulary or the sequence would become longer than the context.
 */
export function checkFeed(
  ids: readonly number[],
  { config, length, isFeeding }: Pick<Decoder, 'config' | 'length'> & { readonly isFeeding: boolean },
  context = config.context,
): void {
  if (isFeeding) throw new Error('found tokens being fed, expected the last feed to have ended');
  for (const id of ids) checkToken(id, config);
  const count = length + ids.length;
  if (count > context) throw new RangeError(`found ${count} tokens, expected at most the context of ${context}`);
}

/** The KV cache of the tokens that a decoder has read: keys after RoPE, and values, by layer and position. */
export interface KvCache {
  readonly length: number;
  readonly layers: readonly { readonly keys: Float32Array; readonly values: Float32Array }[];
}

/** Keys and values of `length` tokens, all zeros, to be filled. */
export function emptyKvCache({ layers, kvHeads, headDim }: ModelShape, length: number): KvCache {
  const count = length * kvHeads * headDim;
  return {
    length,
    layers: Array.from({ length: layers }, () => ({ keys: new Float32Array(count), values: new Float32Array(count) })),
  };
}
