import { numberChoice, oneOf } from '../../../../kit/browser/choices.ts';
import { KNOWN_MODELS } from '../../../../theory/models/model-shape.ts';
import { shippedId } from '../../../../theory/models/shipped-models.ts';

/** Models whose shapes are shown: dense kin of Llama whose weights do not come with the page. */
export const LARGE_MODELS: readonly string[] = KNOWN_MODELS.filter(
  (model) => model.gated && !model.experts && model.positions === 0 && shippedId(model) === null,
).map(({ name }) => name);

/** What is chosen about speed. */
export const SPEED_FIELDS = {
  large: oneOf(LARGE_MODELS, KNOWN_MODELS[0].name),
  /** share that is left of the large model's weights */
  left: numberChoice(0.05, 1, 0.5),
};
