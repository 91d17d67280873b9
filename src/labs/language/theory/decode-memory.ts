import { DENSE_BYTES_PER_WEIGHT, modelBytes } from '../../../theory/models/model-bytes.ts';
import { type SizedFormat } from '../../../theory/expected-bytes.ts';
import type { ModelShape } from '../../../theory/models/model-shape.ts';

/** Bytes on a device while whole tokens are decoded. */
export interface DecodeMemory {
  readonly matrices: number;
  /** both dense f16 */
  readonly head: number;
  readonly embedding: number;
  /** keys and values of the given positions, in f32 */
  readonly cache: number;
  /** the total */
  readonly bytes: number;
  /** the longest buffer that cannot be split: the keys of one block */
  readonly longest: number;
}

/**
 * The memory for decoding with `context` positions. Activations come in addition: a few MB or, for many tokens at once, up to
 * an eighth of the dense model. Null without a closed form.
 */
export function decodeMemory(
  model: ModelShape,
  stored: SizedFormat,
  density: number,
  context: number,
): DecodeMemory | null {
  const { layers, kvHeads, headDim, vocabulary, hidden } = model;
  const found = modelBytes({ ...model, tied: false }, { ...stored, fusion: 'separate', keepHead: true, density });
  if (found === null) return null;
  const table = vocabulary * hidden * DENSE_BYTES_PER_WEIGHT;
  const longest = 16 * Math.ceil(headDim / 4) * kvHeads * context;
  const cache = 2 * layers * longest;
  const matrices = found.readStored - table;
  return { matrices, head: table, embedding: table, cache, longest, bytes: matrices + 2 * table + cache };
}
