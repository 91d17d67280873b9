import { textChoice } from '../../kit/browser/choices.ts';
import { SHIPPED_MODELS } from '../../theory/models/shipped-models.ts';

/** What is chosen for all tabs. */
export const PLACE_FIELDS = {
  /** the model where the sentence is about none that comes with the page */
  model: textChoice(40, SHIPPED_MODELS[0].id),
};
