// Texts about a training run of the gated network.

import type { Words } from '../../../src/core/text/words.ts';
import { countText, counted, say, strong } from '../../../src/core/text/words.ts';
import { percent } from '../../../src/kit/words/quantity.ts';
import { type CurvePoint, type RunSettings, SIZES, STEPS, TEST_IMAGES, type TestResult } from '../theory/run.ts';

const NEURONS = countText(SIZES.hidden);

/** The text of a mean of counts: one decimal below 100. */
export function meanText(mean: number): string {
  return mean < 100 ? mean.toFixed(1) : countText(Math.round(mean));
}

/** The settings of a run: 'L1 0.03', 'L1 0.03, dead neurons reinitialised', 'L1 0.03, from step 120 on 0'. */
export function settingsText({ l1Changes, reinitialises, warmsUp }: RunSettings): string {
  const [first, ...later] = l1Changes;
  const laterChanges = later.map(({ step, l1 }) => `, from step ${step} on ${l1}`);
  return `L1 ${first.l1}${laterChanges.join('')}${warmsUp ? ', warmed up' : ''}${reinitialises ? ', dead neurons reinitialised' : ''}`;
}

interface TrainingFacts {
  readonly settings: RunSettings;
  readonly test: TestResult | null;
  /** the newest point; undefined before the first */
  readonly last: CurvePoint | undefined;
  /** the message why the run ended early; null if it did not */
  readonly error: string | null;
  readonly isCancelled: boolean;
}

/** The text about a run: its result, its progress, or why it ended early. */
export function trainingWords({ settings, test, last, error, isCancelled }: TrainingFacts): readonly Words[] {
  const words = test ? testWords(settings, test) : last ? pointWords(last) : NOT_TRAINED;
  const ending = error ?? (isCancelled ? 'Training was cancelled.' : null);
  if (ending === null) return words;
  return last || test ? [{ text: `${ending} ` }, ...words] : [{ text: ending }];
}

/** The result of a finished training run, as text. */
export function testWords(settings: RunSettings, { accuracy, mean, dead }: TestResult): readonly Words[] {
  return say`With ${settingsText(settings)}, ${strong(firing(mean))} for an image. Of ${countText(TEST_IMAGES)} test images ${strong(percent(accuracy))} are recognised, and ${deadText(dead)}.`;
}

/** The state of a training run at a point of its curves, as text. */
export function pointWords({ step, mean, dead, accuracy }: CurvePoint): readonly Words[] {
  return say`After ${strong(`${step} of ${STEPS} steps`)}, ${strong(firing(mean))} for an image, ${percent(accuracy, 0)} of images are recognised, and ${counted(dead, 'neuron is', 'neurons are')} dead.`;
}

const firing = (mean: number): string => `${meanText(mean)} of ${NEURONS} neurons fire`;

/** The text before there are results. */
const NOT_TRAINED: readonly Words[] = say`${strong('Train')}, and see how many of ${NEURONS} neurons fire.`;

function deadText(dead: number): string {
  return dead === 0
    ? 'every neuron fires for some of them'
    : `${counted(dead, 'neuron fires for none of them', 'neurons fire for none of them')}`;
}
