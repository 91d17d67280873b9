import type { ModelAddress } from '../../../engine/models/loaded-models.ts';
import type { Recipe } from '../../../language/stored/recipe.ts';

/** A model, pruned and rounded, and the text that it is to predict. */
export interface OwnTextRequest {
  readonly model: ModelAddress;
  readonly recipe: Recipe;
  readonly text: string;
}

/** What a text costs under a model. */
export interface OwnTextQuality {
  readonly bits: number;
  /** that were predicted: of a model without a mark before texts, all but the first token of each piece */
  readonly bytes: number;
  readonly tokens: number;
  /** that the text was read in: each begins anew */
  readonly pieces: number;
  readonly where: 'gpu' | 'cpu';
}
