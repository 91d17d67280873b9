import { type ChoiceField, wordsChoice, textChoice } from '../../../src/kit/browser/choices.ts';
import { SHIPPED_MODELS } from '../../../src/theory/models/known-models.ts';
import type { MatrixPruning } from '../overrides/matrix-overrides.ts';
import { pruningText, readPruning } from '../overrides/overrides-field.ts';

/** The allowed length of the user's calibration text for Wanda, in characters. */
export const CALIBRATION_LENGTH = { min: 200, max: 4000 };

/** Ids of the sections that can be folded, in the tabs Text, Quality, Neurons and Speed, in this order. */
const DETAILS = [
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
export type DetailsId = (typeof DETAILS)[number];

/** The choices that all tabs of the page Language share, as its address stores them. */
export const SHARED_FIELDS = {
  /** id of an imported model, or of the model to show if the selection bar names none */
  model: textChoice(40, SHIPPED_MODELS[0].id),
  /** the pruning of an imported model, which the selection bar does not name */
  prune: pruneChoice(),
  /** calibration text for a pruning by Wanda; '' for tales of the training set */
  by: calibrationChoice(),
  /** open sections */
  fold: wordsChoice<DetailsId>(DETAILS, []),
};

function pruneChoice(): ChoiceField<MatrixPruning> {
  return {
    default: { way: 'magnitude', density: 0.6 },
    read: readPruning,
    write: pruningText,
    expected: 'a pruning, such as magnitude-0.6, rows-0.5, wanda-0.5, 2of4 or whole',
  };
}

function calibrationChoice(): ChoiceField<string> {
  const { min, max } = CALIBRATION_LENGTH;
  const isRight = (text: string): boolean => text === '' || (text.trim().length >= min && text.length <= max);
  return {
    default: '',
    read: (text) => (isRight(text) ? text : null),
    write: (text) => text,
    expected: `a text of ${min} to ${max} characters`,
  };
}
