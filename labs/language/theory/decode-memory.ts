import { DENSE_BYTES_PER_WEIGHT, modelBytes } from '../../../src/theory/models/model-bytes.ts';
import { type SizedFormat } from '../../../src/theory/expected-bytes.ts';
import type { ModelShape } from '../../../src/theory/models/model-shape.ts';

/** Bytes on a GPU while a model decodes. */
export interface DecodeMemory {
  /** of matrices, head, embedding, keys and values */
  readonly bytes: number;
  /** of the longest buffer that cannot be split: the keys of one block */
  readonly longestBuffer: number;
}

/**
 * The memory for decoding with `context` positions, all matrices in one format. Activations come on top: a few MB or,
 * for many tokens at once, up to an eighth of the dense model. Null if the format's bytes have no closed form.
 */
export function decodeMemory(
  model: ModelShape,
  stored: SizedFormat,
  density: number,
  context: number,
): DecodeMemory | null {
  const { layers, kvHeads, headDim, vocabulary, hidden } = model;
  const matrices = modelBytes({ ...model, tied: false }, { ...stored, fusion: 'separate', keepHead: true, density });
  if (matrices === null) return null;
  // The stored bytes include the head, and the embedding is as large.
  const embedding = vocabulary * hidden * DENSE_BYTES_PER_WEIGHT;
  const longest = 16 * Math.ceil(headDim / 4) * kvHeads * context; // 16 bytes: four numbers in f32
  return { bytes: matrices.readStored + embedding + 2 * layers * longest, longestBuffer: longest };
}
