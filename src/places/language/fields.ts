import { type ChoiceField, textChoice } from '../../kit/browser/choices.ts';
import { SHIPPED_MODELS } from '../../theory/models/shipped-models.ts';

/** Characters of a text of one's own by whose inputs Wanda weighs. */
export const CALIBRATION = { least: 200, most: 4000 };

/** What is chosen for all tabs. */
export const PLACE_FIELDS = {
  /** the model where the sentence is about none that comes with the page */
  model: textChoice(40, SHIPPED_MODELS[0].id),
  /** text by whose inputs a pruning by Wanda weighs; '' for tales of training */
  by: calibrationChoice(),
};

function calibrationChoice(): ChoiceField<string> {
  const { least, most } = CALIBRATION;
  const isRight = (text: string): boolean => text === '' || (text.trim().length >= least && text.length <= most);
  return {
    default: '',
    read: (text) => (isRight(text) ? text : null),
    write: (text) => text,
    expected: `a text of ${least} to ${most} characters`,
  };
}
