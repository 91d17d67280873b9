import { numberChoice, wordChoice } from '../../../../src/kit/browser/choices.ts';
import { shippedId, KNOWN_MODELS } from '../../../../src/theory/models/known-models.ts';

/**
 * Models of the tab Speed. The page has their shapes but not their weights: gated, with rotary positions, without
 * experts.
 */
export const LARGE_MODELS: readonly string[] = KNOWN_MODELS.filter(
  (model) => model.gated && !model.experts && model.positions === 0 && shippedId(model) === null,
).map(({ name }) => name);

/** The choices of the tab Speed. */
export const SPEED_FIELDS = {
  large: wordChoice(LARGE_MODELS, KNOWN_MODELS[0].name),
  /** share of the large model's weights left */
  left: numberChoice(0.05, 1, 0.5),
};
