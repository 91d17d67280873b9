import type { Mean } from '../../decoders/quality/paired.ts';
import type { Recipe } from '../../decoders/stored/recipe.ts';
import type { ModelAddress } from '../../models/loaded-models.ts';

/** A model to be measured, pruned and rounded. */
export interface QualityRequest {
  readonly model: ModelAddress;
  readonly recipe: Recipe;
  /** tales that it is to predict in all, those measured before included */
  readonly tales: number;
  /** tales that it is to write for the judge in all */
  readonly judged: number;
}

/** What is known of a model so far. All models are measured on the same tales. */
export interface MeasuredQuality {
  /** tales predicted, and their bytes */
  readonly tales: number;
  readonly bytes: number;
  readonly bitsPerByte: number;
  /** NaN for fewer than two tales */
  readonly se: number;
  /** fewest bits per byte of the same tales */
  readonly floor: number;
  /** bits a tale above the floor, tale by tale */
  readonly lost: Mean;
  /** bits of every tale */
  readonly bits: readonly number[];
  /** tales written, and those that no law broke */
  readonly judged: number;
  readonly unbroken: number;
  /** laws that broke first, and in how many tales */
  readonly firstBroken: Readonly<Record<string, number>>;
  /** where it was computed: on a device as far as there was one */
  readonly where: readonly ('gpu' | 'cpu')[];
}

export type OnQuality = (measured: MeasuredQuality) => void | Promise<void>;
