import type { Decoder, Sampling } from '../decoder.ts';
import { type ScoredText, tokenBits } from '../score.ts';

/**
 * Bits of a text through one decoder, its end included: what `QualityMeter` computes on the CPU, but for roundings. Throws
 * RangeError for a model without a mark before texts, and for a text that does not fit; and like `Decoder.feed`.
 */
export async function textBits(decoder: Decoder, { ids }: ScoredText): Promise<number> {
  let sum = 0;
  for (const bits of await tokenBits(decoder, [...ids, ...decoder.config.eos.slice(0, 1)])) sum += bits;
  return sum;
}

/**
 * Ids, without marks, of a text that a decoder writes from nothing: the same as those of `QualityMeter` with the same seed,
 * where its logits are. Throws RangeError for a model without a mark before texts, and like `Decoder.write`.
 */
export async function writtenIds(decoder: Decoder, sampling: Sampling): Promise<readonly number[]> {
  const { bos, eos, context } = decoder.config;
  if (bos === null)
    throw new RangeError('writing from nothing: found a model without a mark before texts, expected one');
  decoder.rewind(0);
  const ids: number[] = [];
  for await (const id of decoder.write(bos, context - 1, sampling)) if (!eos.includes(id)) ids.push(id);
  return ids;
}
