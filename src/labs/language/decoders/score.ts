import type { Job } from '../../../core/job.ts';
import { throwIfCancelled } from '../../../core/pace.ts';
import { type Decoder, markBefore } from './decoder.ts';
import { bitsOf } from './sampling.ts';

/** Tokens fed together, whose logits are in memory at once. */
const AT_ONCE = 64;

/**
 * Bits of the tokens of a text: -log2 of the probability that `decoder` gives to each of `ids`, the first included, after its
 * mark (bos). One number per id, f64. Rewinds the decoder to the beginning first, and leaves it after the last token but one.
 *
 * Throws RangeError for a model without a mark, in which the first token has no probability, and like `Decoder.feed`.
 */
export async function tokenBits(decoder: Decoder, ids: readonly number[]): Promise<Float64Array> {
  const { vocabulary } = decoder.config;
  const before = [markBefore(decoder.config, 'bits of tokens'), ...ids.slice(0, -1)];
  const bits = new Float64Array(ids.length);
  decoder.rewind(0);
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const part = before.slice(from, from + AT_ONCE);
    const logits = await decoder.feed(part);
    for (let i = 0; i < part.length; i++) {
      bits[from + i] = bitsOf(logits.subarray(i * vocabulary, (i + 1) * vocabulary), ids[from + i]);
    }
  }
  return bits;
}

/**
 * Bits that each token costs more under another model; negative where it costs fewer. Throws RangeError for different lengths.
 */
export function lostBits(bits: Float64Array, usual: Float64Array): Float64Array {
  if (bits.length !== usual.length) {
    throw new RangeError(`lost bits: found ${bits.length} tokens, expected ${usual.length}`);
  }
  return bits.map((value, i) => value - usual[i]);
}

/** A text for measuring a model. */
export interface ScoredText {
  /** without marks */
  readonly ids: readonly number[];
  /** of its UTF-8 */
  readonly bytes: number;
}

/** The cost of texts under a model. */
export interface TextScore {
  /** measured texts */
  readonly texts: number;
  /** texts that were skipped, since they do not fit into the context */
  readonly tooLong: number;
  /** with the end of each text */
  readonly tokens: number;
  readonly bytes: number;
  readonly bits: number;
  /** bits / bytes */
  readonly bitsPerByte: number;
  /** of bitsPerByte over the texts; NaN for fewer than two */
  readonly standardError: number;
  /** 2^(bits / tokens) */
  readonly perplexity: number;
}

/** Adds up texts, so that an intermediate result can be shown. */
class ScoreSum {
  readonly #bits: number[] = [];
  readonly #bytes: number[] = [];
  #tokens = 0;
  #tooLong = 0;

  add(text: ScoredText, bits: Float64Array): void {
    this.#bits.push(bits.reduce((a, b) => a + b, 0));
    this.#bytes.push(text.bytes);
    this.#tokens += bits.length;
  }

  addTooLong(): void {
    this.#tooLong++;
  }

  /** NaN without texts. O(texts). */
  score(): TextScore {
    const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
    const texts = this.#bits.length;
    const bits = sum(this.#bits);
    const bytes = sum(this.#bytes);
    const bitsPerByte = bits / bytes;
    // A ratio of two sums over the same texts; source: Cochran, Sampling Techniques, section 6.4.
    const squares = sum(this.#bits.map((value, i) => (value - bitsPerByte * this.#bytes[i]) ** 2));
    return {
      texts,
      tooLong: this.#tooLong,
      tokens: this.#tokens,
      bytes,
      bits,
      bitsPerByte,
      standardError: texts < 2 ? Number.NaN : Math.sqrt((squares * texts) / (texts - 1)) / bytes,
      perplexity: 2 ** (bits / this.#tokens),
    };
  }
}

/**
 * Bits per byte of texts. Each starts after the mark, and includes its first token and the mark after it (the first of eos, if
 * there is one). `onText` is called after each text, with the score so far. Progress counts texts.
 *
 * Throws CancelledError, and like `tokenBits`.
 */
export async function scoreTexts(
  decoder: Decoder,
  texts: readonly ScoredText[],
  job: Job,
  onText?: (soFar: TextScore, index: number, bits: Float64Array | null) => void,
): Promise<TextScore> {
  const { context, eos } = decoder.config;
  const sum = new ScoreSum();
  for (const [index, text] of texts.entries()) {
    throwIfCancelled(job);
    job.report({ what: 'Measuring texts', done: index, total: texts.length });
    const ids = [...text.ids, ...eos.slice(0, 1)];
    const bits = ids.length <= context ? await tokenBits(decoder, ids) : null;
    if (bits) sum.add(text, bits);
    else sum.addTooLong();
    onText?.(sum.score(), index, bits);
  }
  job.report({ what: 'Measuring texts', done: texts.length, total: texts.length });
  return sum.score();
}
