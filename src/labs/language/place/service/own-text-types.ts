import type { ModelAddress } from '../../models/loaded-models.ts';
import type { Part } from '../../decoders/quality/sensitivity.ts';
import type { Recipe } from '../../decoders/stored/recipe.ts';

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

/** A text whose beginning tells which parts of a model hurt if they alone are pruned, row by row, to a density. */
export interface OwnPartsRequest {
  readonly model: ModelAddress;
  readonly text: string;
  readonly density: number;
}

/** Bits that the beginning of the text costs more, as each part is measured. */
export type OnOwnPart = (part: Part, lost: number) => void | Promise<void>;

/** The beginning that was read, and what it costs under the model as it came. */
export interface OwnParts {
  readonly tokens: number;
  readonly bits: number;
}
