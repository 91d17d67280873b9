import { type ChoiceField, someOf, textChoice } from '../../../kit/browser/choices.ts';
import { SHIPPED_MODELS } from '../../../theory/models/shipped-models.ts';
import { type OwnPruning, pruningText, readPruning } from '../overrides/matrix-overrides.ts';

/** Characters of a text of one's own by whose inputs Wanda weighs. */
export const CALIBRATION = { min: 200, max: 4000 };

/** What the drawers of the tabs hold: text, quality, neurons, speed. */
const FOLDS = [
  'figures',
  'matrices',
  'noise',
  'unbroken',
  'breaks',
  'bytes',
  'inputs',
  'cost',
  'layers',
  'tokens',
  'positions',
  'token',
  'shapes',
  'rates',
  'prefill',
  'decode',
] as const;
export type FoldId = (typeof FOLDS)[number];

/** What is chosen for all tabs. */
export const PLACE_FIELDS = {
  /** one that a person brought, or the model where the sentence is about none that comes with the page */
  model: textChoice(40, SHIPPED_MODELS[0].id),
  /** how a model is pruned that a person brought: the sentence is not about it */
  prune: pruneChoice(),
  /** text by whose inputs a pruning by Wanda weighs; '' for tales of training */
  by: calibrationChoice(),
  /** what is unfolded of the drawer */
  fold: someOf<FoldId>(FOLDS, []),
};

function pruneChoice(): ChoiceField<OwnPruning> {
  return {
    default: { way: 'magnitude', density: 0.6 },
    read: readPruning,
    write: pruningText,
    expected: 'a pruning, such as magnitude-0.6, rows-0.5, wanda-0.5, 2of4 or whole',
  };
}

function calibrationChoice(): ChoiceField<string> {
  const { min, max } = CALIBRATION;
  const isRight = (text: string): boolean => text === '' || (text.trim().length >= min && text.length <= max);
  return {
    default: '',
    read: (text) => (isRight(text) ? text : null),
    write: (text) => text,
    expected: `a text of ${min} to ${max} characters`,
  };
}
