import type { Steps } from '../../../../core/job.ts';
import { Passes } from '../batch/passes.ts';
import { textBitsSteps } from '../batch/score-texts.ts';
import { CalibrationTexts } from '../batch/text-calibration.ts';
import { type Written, writeTextsSteps } from '../batch/write-texts.ts';
import type { DecoderConfig, DecoderWeights, Sampling } from '../decoder.ts';
import { draw } from '../sampling.ts';
import type { ScoredText } from '../score.ts';
import { needsInputs, type Recipe } from '../stored/recipe.ts';
import { type StoredModel, storeModelSteps } from '../stored/store-model.ts';

/** Texts that are written side by side. */
const WRITTEN_AT_ONCE = 16;

/** Measures a model, pruned and rounded in any way, on the CPU. Holds its weights twice in f32 once it has written. */
export class QualityMeter {
  readonly config: DecoderConfig;
  readonly #weights: DecoderWeights;
  readonly #calibration: readonly (readonly number[])[];
  #reading: Passes | null = null;
  #writing: Passes | null = null;
  /** whose weights the passes hold */
  #read: DecoderWeights | null = null;
  #written: DecoderWeights | null = null;

  /** `calibration`: ids of texts without marks, whose inputs a pruning by Wanda weighs. What is too long is cut. */
  constructor(config: DecoderConfig, weights: DecoderWeights, calibration: readonly (readonly number[])[]) {
    this.config = config;
    this.#weights = weights;
    this.#calibration = calibration.map((ids) => [...this.#before(), ...ids].slice(0, config.context));
  }

  /** The model pruned and rounded. Throws MatrixError and FormatError as `storeModelSteps` does. */
  *storeSteps(recipe: Recipe): Steps<StoredModel> {
    if (!needsInputs(recipe)) return yield* storeModelSteps(this.config, this.#weights, recipe);
    const passes = this.#passes();
    passes.setWeights(this.#weights);
    this.#read = null;
    const calibration = new CalibrationTexts(passes, this.#calibration).begin();
    return yield* storeModelSteps(this.config, this.#weights, recipe, calibration);
  }

  /** Whether a text fits into the context with its marks. */
  fits({ ids }: ScoredText): boolean {
    return this.#marked(ids).length <= this.config.context + 1;
  }

  /**
   * Bits of a text, its end included. A model without a mark before texts begins with the second token. Throws RangeError for a
   * text that does not fit.
   */
  *textSteps(weights: DecoderWeights, text: ScoredText): Steps<number> {
    return yield* this.#bitsSteps(weights, this.#marked(text.ids));
  }

  *#bitsSteps(weights: DecoderWeights, ids: readonly number[]): Steps<number> {
    const passes = this.#passes();
    if (this.#read !== weights) passes.setWeights(weights);
    this.#read = weights;
    let sum = 0;
    for (const bits of yield* textBitsSteps(passes, ids)) sum += bits;
    return sum;
  }

  /**
   * Bits of a piece of a longer text: after the mark before texts, if there is one, and without an end. A model without a mark
   * begins with the second token. Throws RangeError for a piece that does not fit.
   */
  *pieceSteps(weights: DecoderWeights, ids: readonly number[]): Steps<number> {
    return yield* this.#bitsSteps(weights, [...this.#before(), ...ids]);
  }

  /** Writes `count` texts from nothing, drawn by `seed`, seed + 1 and so on. `onText` gets ids without marks. */
  *writeSteps(
    weights: DecoderWeights,
    count: number,
    { seed, temperature }: Sampling,
    onText: (ids: readonly number[], isWhole: boolean) => void,
  ): Steps<void> {
    const { bos, eos } = this.config;
    if (bos === null)
      throw new RangeError('writing from nothing: found a model without a mark before texts, expected one');
    this.#writing ??= new Passes(this.config, WRITTEN_AT_ONCE, WRITTEN_AT_ONCE);
    if (this.#written !== weights) this.#writing.setWeights(weights);
    this.#written = weights;
    const end = ({ ids }: Written): void => {
      const isWhole = eos.includes(ids[ids.length - 1]);
      onText(ids.slice(1, isWhole ? -1 : undefined), isWhole);
    };
    yield* writeTextsSteps(
      this.#writing,
      bos,
      count,
      (logits, position, text) => draw(logits, position, { temperature, seed: (seed + text) % 2 ** 32 }),
      end,
    );
  }

  #passes(): Passes {
    this.#reading ??= new Passes(this.config, this.config.context);
    return this.#reading;
  }

  #before(): readonly number[] {
    return this.config.bos === null ? [] : [this.config.bos];
  }

  #marked(ids: readonly number[]): readonly number[] {
    return [...this.#before(), ...ids, ...this.config.eos.slice(0, 1)];
  }
}
