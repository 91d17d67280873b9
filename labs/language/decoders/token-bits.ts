// How many bits each token of a text costs a model.

import { type Decoder, bosId } from './decoder.ts';
import { bitsOf } from './sampling.ts';

/** Number of tokens fed together, whose logits are in memory at the same time. */
const AT_ONCE = 64;

/**
 * Returns the bits of the tokens of a text: for each of `ids`, -log2 of its probability by `decoder` after bos and the
 * previous ids (the cross entropy in bits).
 * Rewinds the decoder first, and leaves it before the last token.
 *
 * Throws RangeError for a model without bos, in which the first token has no probability, and like `Decoder.feed`.
 */
export async function tokenBits(decoder: Decoder, ids: readonly number[]): Promise<Float64Array> {
  const { vocabulary } = decoder.config;
  const readIds = [bosId(decoder.config, 'bits of tokens'), ...ids.slice(0, -1)];
  const bits = new Float64Array(ids.length);
  decoder.rewind(0);
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const part = readIds.slice(from, from + AT_ONCE);
    const logits = await decoder.feed(part);
    for (let i = 0; i < part.length; i++) {
      bits[from + i] = bitsOf(logits.subarray(i * vocabulary, (i + 1) * vocabulary), ids[from + i]);
    }
  }
  return bits;
}

/** A text on which the bits of models are measured. */
export interface ScoredText {
  /** ids of its tokens, without bos and eos */
  readonly ids: readonly number[];
  /** its length in UTF-8 */
  readonly bytes: number;
}
