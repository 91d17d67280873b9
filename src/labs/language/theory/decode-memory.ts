import { DENSE_BYTES_PER_WEIGHT, modelBytes } from '../../../theory/models/model-bytes.ts';
import { type StoredAs } from '../../../theory/expected-bytes.ts';
import type { ModelShape } from '../../../theory/models/model-shape.ts';

/** Bytes on a device while whole tokens are decoded. */
export interface DecodeMemory {
  readonly matrices: number;
  /** both dense f16 */
  readonly head: number;
  readonly embedding: number;
  /** keys and values of so many positions, in f32 */
  readonly cache: number;
  /** all of it */
  readonly bytes: number;
  /** the longest buffer that cannot be cut: the keys of one block */
  readonly longest: number;
}

/** What decoding takes with room for `context` positions; activations are more: a few MB, or, for many tokens at once, up to an eighth of the dense model. Null without a closed form. */
export function decodeMemory(
  model: ModelShape,
  stored: StoredAs,
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
