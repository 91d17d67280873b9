import type { ModelAddress } from '../../models/loaded-models.ts';
import type { PrunedPart } from '../../decoders/quality/sensitivity.ts';
import type { Recipe } from '../../decoders/stored/recipe.ts';

/** A pruned and rounded model, and a text for it to predict. */
export interface UserTextRequest {
  readonly model: ModelAddress;
  readonly recipe: Recipe;
  readonly text: string;
}

/** The cost of a text under a model. */
export interface UserTextQuality {
  readonly bits: number;
  /** predicted bytes: for a model without a mark before texts, all but the first token of each piece */
  readonly bytes: number;
  readonly tokens: number;
  /** number of pieces in which the text was read: each starts anew */
  readonly pieces: number;
  readonly where: 'gpu' | 'cpu';
}

/** A text whose beginning shows which parts of a model hurt if they alone are pruned, row by row, to a density. */
export interface PartsRequest {
  readonly model: ModelAddress;
  readonly text: string;
  readonly density: number;
}

/** Called with the extra bits of the text's beginning when each part is measured. */
export type OnPartLoss = (part: PrunedPart, lost: number) => void | Promise<void>;

/** The measured beginning, and its cost under the unpruned model. */
export interface MeasuredParts {
  readonly tokens: number;
  readonly bits: number;
}
