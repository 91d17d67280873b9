import type { Mean } from '../../decoders/quality/text-costs.ts';
import type { Recipe } from '../../decoders/stored/recipe.ts';
import type { ModelAddress } from '../../models/loaded-models.ts';

/** A pruned and rounded model to be measured. */
export interface QualityRequest {
  readonly model: ModelAddress;
  readonly recipe: Recipe;
  /** total number of tales to predict, including those of earlier calls */
  readonly tales: number;
  /** total number of tales to write for the judge */
  readonly judged: number;
}

/** The results for a model so far. All models are measured on the same tales. */
export interface MeasuredQuality {
  /** number of predicted tales, and their bytes */
  readonly tales: number;
  readonly bytes: number;
  readonly bitsPerByte: number;
  /** NaN for fewer than two tales */
  readonly se: number;
  /** lower bound on the bits per byte of the same tales */
  readonly floor: number;
  /** bits per tale above the floor, tale by tale */
  readonly lost: Mean;
  /** bits of every tale */
  readonly bits: readonly number[];
  /** number of written tales, and of those that broke no law */
  readonly judged: number;
  readonly unbroken: number;
  /** for each law, in how many tales it broke first */
  readonly firstBroken: Readonly<Record<string, number>>;
  /** where it was computed: on a device as long as there was one */
  readonly where: readonly ('gpu' | 'cpu')[];
}

export type OnQuality = (measured: MeasuredQuality) => void | Promise<void>;
