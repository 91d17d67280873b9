import {
  type ChoiceField,
  flagChoice,
  numberChoice,
  wordChoice,
  wordsChoice,
} from '../../../src/kit/browser/choices.ts';
import { STEP_NON_ZEROS } from '../theory/step.ts';
import { COEFFICIENTS, readL1Changes, STEPS_PER_POINT, type L1Change, l1ChangesText } from '../theory/run.ts';

/** Default seed and coefficient of L1, which have a recorded run. */
export const DEFAULT_SEED = 81;
const DEFAULT_L1_CHANGES: readonly L1Change[] = [{ step: 0, l1: 0.03 }];

const l1ChangesChoice: ChoiceField<readonly L1Change[]> = {
  default: DEFAULT_L1_CHANGES,
  read: readL1Changes,
  write: l1ChangesText,
  expected: `one of ${COEFFICIENTS.join(', ')}, or changed at steps, as in 0.03_${20 * STEPS_PER_POINT}-0`,
};

const DETAILS = ['step', 'paper', 'network'] as const;
/** The choices of the Training page that its address stores, above all the settings of a run. */
export const TRAINING_FIELDS = {
  l1: l1ChangesChoice,
  seed: numberChoice(0, 2 ** 31 - 1, DEFAULT_SEED, true),
  /** dead neurons are re-initialised after every step */
  reinit: flagChoice(false),
  /** the coefficient of L1 grows from 0 at first */
  warmup: flagChoice(false),
  /** shows the story of a recorded run instead of the curves */
  story: flagChoice(false),
  /** mean non-zeros per token in the training step that is measured on the GPU */
  mean: wordChoice(STEP_NON_ZEROS.map(String), '30'),
  /** open sections below the curves */
  fold: wordsChoice(DETAILS, []),
};
