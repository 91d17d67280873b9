// The quality of a language model: bits per token (negative log2 likelihood) of texts, after pruning and rounding.

import type { Steps } from '../../../../src/core/job.ts';
import { type Columns, BatchModel } from '../batch/batch-model.ts';
import { CalibrationTexts } from '../batch/text-calibration.ts';
import { writeTextsSteps, type WrittenIds } from '../batch/write-texts.ts';
import { type DecoderConfig, type DecoderWeights, bosId, type Sampling } from '../decoder.ts';
import { drawToken } from '../sampling.ts';
import type { ScoredText } from '../token-bits.ts';
import { needsInputs, type Recipe } from '../stored/recipe.ts';
import { pruneAndRoundSteps } from '../stored/prune-and-round.ts';

/**
 * Bits of every token of a text but its first: -log2 of its probability after the tokens before it. The text has at most
 * `batch.width` + 1 tokens. Yields after every block.
 */
export function* textBitsSteps(batch: BatchModel, ids: readonly number[]): Steps<Float64Array> {
  const tokens = ids.length - 1;
  const bits = new Float64Array(Math.max(0, tokens));
  if (tokens < 1) return bits;
  const { layers } = batch.config;
  batch.embed(ids.slice(0, -1));
  for (let layer = 0; layer < layers; layer++) {
    batch.throughBlock(layer, tokens);
    yield { what: 'Measuring', done: layer + 1, total: layers };
  }
  batch.logits(tokens, (numbers, first) => {
    const logTotals = logSumExp(numbers);
    for (let t = 0; t < numbers.tokens; t++) {
      const logit = numbers.memory[numbers.offset + ids[first + t + 1] * numbers.width + t];
      bits[first + t] = (logTotals[t] - logit) / Math.LN2;
    }
  });
  return bits;
}

/** ln of the sum of e^logit of every column (log-sum-exp), without overflow: the largest logit is subtracted first. */
function logSumExp({ memory, offset, rows, width, tokens }: Columns): Float64Array {
  const max = new Float64Array(tokens).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0, row = offset; i < rows; i++, row += width) {
    for (let t = 0; t < tokens; t++) if (memory[row + t] > max[t]) max[t] = memory[row + t];
  }
  const sums = new Float64Array(tokens);
  for (let i = 0, row = offset; i < rows; i++, row += width) {
    for (let t = 0; t < tokens; t++) sums[t] += Math.exp(memory[row + t] - max[t]);
  }
  return sums.map((sum, t) => max[t] + Math.log(sum));
}

/** Texts that are written together, a token of each at a time. */
const WRITTEN_AT_ONCE = 16;

/** Measures on the CPU how well a pruned model predicts texts, and lets the model write texts. */
export class QualityMeter {
  readonly config: DecoderConfig;
  readonly #weights: DecoderWeights;
  readonly #calibration: readonly (readonly number[])[];
  /** the model that predicts the tokens of whole texts; made on first use, with a copy of the weights in f32 */
  #predictor: BatchModel | null = null;
  /** the weights that `#predictor` has a copy of; null: not known */
  #predictorWeights: DecoderWeights | null = null;
  /** the model that writes texts; made on first use, with a copy of the weights in f32 */
  #writer: BatchModel | null = null;
  /** the weights that `#writer` has a copy of */
  #writerWeights: DecoderWeights | null = null;

  /**
   * `calibration`: ids of texts, without bos, that provide the norms of inputs for Wanda; truncated to the context.
   */
  constructor(config: DecoderConfig, weights: DecoderWeights, calibration: readonly (readonly number[])[]) {
    this.config = config;
    this.#weights = weights;
    this.#calibration = calibration.map((ids) => [...this.#bos(), ...ids].slice(0, config.context));
  }

  /** The pruned and rounded model. Throws MatrixError and FormatError like `pruneAndRoundSteps`. */
  *pruneAndRoundSteps(recipe: Recipe): Steps<DecoderWeights> {
    if (!needsInputs(recipe)) return yield* pruneAndRoundSteps(this.config, this.#weights, recipe);
    const batch = this.#predicting();
    batch.setWeights(this.#weights);
    this.#predictorWeights = null;
    const calibration = new CalibrationTexts(batch, this.#calibration).begin();
    return yield* pruneAndRoundSteps(this.config, this.#weights, recipe, calibration);
  }

  /** Whether a text is short enough for `textSteps`: with bos and eos, at most one token more than the context. */
  fits({ ids }: ScoredText): boolean {
    return this.#withBosAndEos(ids).length <= this.config.context + 1;
  }

  /**
   * Bits of a text and its eos; a model without bos does not predict the first token. Throws RangeError for a text that
   * does not fit.
   */
  *textSteps(weights: DecoderWeights, text: ScoredText): Steps<number> {
    return yield* this.#bitsSteps(weights, this.#withBosAndEos(text.ids));
  }

  /** The sum of the bits of all tokens but the first; copies the weights into the predictor if it has others. */
  *#bitsSteps(weights: DecoderWeights, ids: readonly number[]): Steps<number> {
    const batch = this.#predicting();
    if (this.#predictorWeights !== weights) batch.setWeights(weights);
    this.#predictorWeights = weights;
    let sum = 0;
    for (const bits of yield* textBitsSteps(batch, ids)) sum += bits;
    return sum;
  }

  /**
   * Bits of a piece of a longer text, after bos and without eos; a model without bos does not predict the first token.
   * Throws RangeError for a piece that does not fit.
   */
  *pieceSteps(weights: DecoderWeights, ids: readonly number[]): Steps<number> {
    return yield* this.#bitsSteps(weights, [...this.#bos(), ...ids]);
  }

  /** Writes `count` texts without a prompt, seeds from `seed` on. `onText`: ids without bos, eos; whether eos came. */
  *writeSteps(
    weights: DecoderWeights,
    count: number,
    { seed, temperature }: Sampling,
    onText: (ids: readonly number[], isWhole: boolean) => void,
  ): Steps<void> {
    const { eos } = this.config;
    const bos = bosId(this.config, 'writing from nothing');
    this.#writer ??= new BatchModel(this.config, WRITTEN_AT_ONCE, WRITTEN_AT_ONCE);
    if (this.#writerWeights !== weights) this.#writer.setWeights(weights);
    this.#writerWeights = weights;
    const end = ({ ids }: WrittenIds): void => {
      const isWhole = eos.includes(ids[ids.length - 1]);
      onText(ids.slice(1, isWhole ? -1 : undefined), isWhole);
    };
    yield* writeTextsSteps(
      this.#writer,
      bos,
      count,
      (logits, position, text) => drawToken(logits, position, { temperature, seed: (seed + text) % 2 ** 32 }),
      end,
    );
  }

  /** the predictor, made on first use */
  #predicting(): BatchModel {
    this.#predictor ??= new BatchModel(this.config, this.config.context);
    return this.#predictor;
  }

  /** the token that begins a text, as a list; empty if the model has none */
  #bos(): readonly number[] {
    return this.config.bos === null ? [] : [this.config.bos];
  }

  /** a text between bos and eos */
  #withBosAndEos(ids: readonly number[]): readonly number[] {
    return [...this.#bos(), ...ids, ...this.config.eos.slice(0, 1)];
  }
}
