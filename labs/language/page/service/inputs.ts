import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { cpuDecoder } from '../../decoders/cpu/cpu-decoder.ts';
import { tokenBits } from '../../decoders/token-bits.ts';
import type { Recipe } from '../../decoders/stored/recipe.ts';
import type { LoadedModels, ModelAddress } from '../../models/loaded-models.ts';
import { drawTale } from '../../tales/draw.ts';

/** A request to measure a model on tales (short stories), if each of its matrices uses only a share of its inputs. */
export interface InputsRequest {
  readonly model: ModelAddress;
  readonly recipe: Recipe;
  /** share of the inputs, above 0 and at most 1 */
  readonly used: number;
  /** number of tales, from those that no model has been trained on */
  readonly tales: number;
}

/** Bits that the model needs for each tale, and the lengths of the tales. */
export interface InputsQuality {
  readonly bits: readonly number[];
  /** length in UTF-8 */
  readonly bytes: readonly number[];
}

/** The seed of the measured tales. */
const SEED = 1;

/**
 * Bits of tales if every matrix of the blocks reads only each token's largest inputs, as with a threshold (TEAL, Liu et
 * al. 2025, whose thresholds are fixed beforehand). On this thread. Throws RangeError for a share out of range,
 * ReadError and CancelledError.
 */
export async function inputsQuality(
  models: Pick<LoadedModels, 'load' | 'pruned'>,
  { model: address, recipe, used, tales }: InputsRequest,
  job: ServiceJob,
): Promise<InputsQuality> {
  if (!(used > 0 && used <= 1)) throw new RangeError(`used: found ${used}, expected a share above 0 and up to 1`);
  const model = await models.load(address, job);
  const weights = await models.pruned(model, recipe, job);
  const decoder = cpuDecoder(model.config, weights, {
    job,
    ...(used < 1 && { onInput: (_layer, _input, x) => keepLargest(x, used) }),
  });
  const bits: number[] = [];
  const bytes: number[] = [];
  for (let number = 0; number < tales; number++) {
    job.report({ what: 'Measuring', done: number, total: tales });
    const { text } = drawTale('held-out', SEED, number);
    const ids = [...model.tokenizer.encode(text), ...model.config.eos.slice(0, 1)];
    bits.push((await tokenBits(decoder, ids)).reduce((sum, bitsOfToken) => sum + bitsOfToken, 0));
    bytes.push(new TextEncoder().encode(text).length);
  }
  decoder.destroy();
  return { bits, bytes };
}

/** Sets all but the largest magnitudes to 0, in place; if several are equal to the smallest one kept, all stay. */
export function keepLargest(x: Float32Array, share: number): void {
  const dropped = x.length - Math.round(share * x.length);
  if (dropped === 0) return;
  // Without a threshold, none stays.
  const threshold = Float32Array.from(x, Math.abs).toSorted()[dropped] ?? Infinity;
  for (let i = 0; i < x.length; i++) if (Math.abs(x[i]) < threshold) x[i] = 0;
}
