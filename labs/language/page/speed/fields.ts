import { numberChoice, wordChoice } from '../../../../src/kit/browser/choices.ts';
import { shippedId, KNOWN_MODELS } from '../../../../src/theory/models/known-models.ts';

/**
 * Large models of the tab Speed, of which the page has shapes but no weights. Only models with gated blocks, with rotary
 * positions (`positions` is 0) and without experts.
 */
export const LARGE_MODELS: readonly string[] = KNOWN_MODELS.filter(
  (model) => model.gated && !model.experts && model.positions === 0 && shippedId(model) === null,
).map(({ name }) => name);

/** The choices of the tab Speed. Their names are in addresses, as `x.large` and `x.left`. */
export const SPEED_FIELDS = {
  /** name of the large model */
  large: wordChoice(LARGE_MODELS, KNOWN_MODELS[0].name),
  /** density of the large model: the share of its weights left */
  left: numberChoice(0.05, 1, 0.5),
};
