// What a lesson reads from a recorded training run: its numbers, and questions that are answered from the recording.

import type { FigureFacts } from '../../../src/story/figure-facts.ts';
import type { PosedQuestion, WrongAnswer } from '../../../src/story/question.ts';
import type { Words } from '../../../src/core/text/words.ts';
import { countText, say, strong } from '../../../src/core/text/words.ts';
import { percent } from '../../../src/kit/words/quantity.ts';
import { readChoices } from '../../../src/kit/browser/choices.ts';
import { type AppDocument, pageState } from '../../../src/state/index.ts';
import { type CurvePoint, SIZES, STEPS, l1ChangesText } from '../theory/run.ts';
import { TRAINING_ADDRESS } from './address.ts';
import { TRAINING_FIELDS } from './fields.ts';
import { type RecordedRun, recordedRun } from './recorded-runs.ts';
import { meanText, settingsText } from './run-words.ts';

/** The recorded training run that a lesson's figure shows. Throws Error if no such run was recorded. */
export function runOfFigure(document: AppDocument): RecordedRun {
  const { l1, seed, reinit, warmup } = readChoices(
    TRAINING_FIELDS,
    pageState(document, TRAINING_ADDRESS).choices,
  ).values;
  const run = recordedRun({ seed, l1Changes: l1, reinitialises: reinit, warmsUp: warmup });
  if (run !== null) return run;
  throw new Error(`x.l1: found '${l1ChangesText(l1)}' with seed ${seed}, expected a run that was recorded`);
}

/** The last point of the curves up to a step. */
function pointAt({ points }: RecordedRun, step: number): CurvePoint {
  return points.findLast((point) => point.step <= step) ?? points[0];
}

/**
 * The numbers and questions that a lesson reads from a recorded training run. Rejects with Error if none was recorded.
 */
export function figureFacts(document: AppDocument): Promise<FigureFacts> {
  // In `then`, so that an error of `runOfFigure` rejects the promise.
  return Promise.resolve(document).then((figureDocument) => {
    const run = runOfFigure(figureDocument);
    return {
      caption: `${settingsText(run.settings)} · a recorded run`,
      answeredBy: 'the run',
      number: (name) => numberOf(run, name),
      questionOf: (question) => QUESTIONS.find(({ id }) => id === question)?.pose(run) ?? null,
    };
  });
}

/** Steps with a name: a fifth of a run, half of it, and its end. */
const NAMED_STEPS: Readonly<Record<string, number>> = { early: STEPS / 5, half: STEPS / 2, end: STEPS };

/**
 * The number that a lesson's text names in braces: {neurons}; {accuracy}, {mean} and {dead} of the test images; of the
 * curves {early.dead}, {end.mean} and the like. Null for other names. See CONTRIBUTING.md.
 */
function numberOf(run: RecordedRun, name: string): number | null {
  if (name === 'neurons') return SIZES.hidden;
  if (name === 'accuracy' || name === 'mean' || name === 'dead') return run.test[name];
  const [, stepName = '', property] = /^(early|half|end)\.(mean|max|dead|step)$/.exec(name) ?? [];
  if (property !== 'mean' && property !== 'max' && property !== 'dead' && property !== 'step') return null;
  return pointAt(run, NAMED_STEPS[stepName])[property];
}

/** A question about a run: the answer is computed from the recording. */
interface RunQuestion {
  readonly id: string;
  /** the step at which the curves end until the question is answered */
  lastShownStep(run: RecordedRun): number;
  pose(run: RecordedRun): PosedQuestion | null;
}

/** A wrong answer; `title`: the belief behind it. `falseAt`, a step of an animation, has no meaning for a run. */
function wrong(id: string, title: string, answer: string, reply: readonly Words[]): WrongAnswer {
  return { id, title, answer, reply, falseAt: 0 };
}

const posedQuestion = (
  parts: Pick<PosedQuestion, 'id' | 'ask' | 'options' | 'answer' | 'reason' | 'wrongAnswers'>,
): PosedQuestion => ({ ...parts, unit: null, tolerance: 0, parts: [], before: 0, shows: 0 });

/** `cost` is posed if L1 divides the mean of non-zeros by at least this, and costs at most this accuracy. */
const MIN_REDUCTION = 10;
const MAX_LOST_ACCURACY = 0.005;

/** The options of `cost`: how many images fewer are recognised. */
const FEWER_IMAGES = { almostNone: 'next to none', some: 'about 1 in 20', many: 'about 1 in 5' };

/**
 * How many images a network with a tenth of the non-zeros no longer recognises; a question only if they are very few.
 */
const cost: RunQuestion = {
  id: 'cost',
  lastShownStep: () => 0,
  pose(run) {
    const withoutL1 = recordedRun({ ...run.settings, l1Changes: [{ step: 0, l1: 0 }] });
    if (withoutL1 === null) return null;
    const lost = withoutL1.test.accuracy - run.test.accuracy;
    const factor = withoutL1.test.mean / run.test.mean;
    if (factor < MIN_REDUCTION || lost > MAX_LOST_ACCURACY) return null;
    return posedQuestion({
      id: 'cost',
      ask: say`With this price ${strong(`${meanText(run.test.mean)} neurons`)} fire for an image, without it ${meanText(withoutL1.test.mean)}. Without it, ${percent(withoutL1.test.accuracy)} of test images are recognised. How many fewer are recognised now?`,
      options: Object.values(FEWER_IMAGES),
      answer: FEWER_IMAGES.almostNone,
      reason: say`${strong(percent(run.test.accuracy))} are recognised: most of what fired repeated others.`,
      wrongAnswers: [
        wrong(
          'all-of-it-counts',
          'every activation carries something',
          FEWER_IMAGES.many,
          say`With ${factor.toFixed(0)} times fewer non-zeros, ${strong(percent(run.test.accuracy))} are recognised.`,
        ),
        wrong(
          'always-a-price',
          'such a saving has to show',
          FEWER_IMAGES.some,
          say`It shows at a larger coefficient. Here ${strong(percent(run.test.accuracy))} are recognised.`,
        ),
      ],
    });
  },
};

/** `whenDead` is posed if at least so many neurons die, and at most one in so many of them in the first fifth. */
const MIN_DEAD = 100;
const DEAD_PER_EARLY = 20;

/** The options of `whenDead`: how many of the neurons that are dead at the end are dead after a fifth of the steps. */
const DEAD_EARLY = {
  almostNone: 'next to none of them',
  fifth: 'about a fifth of them',
  nearlyAll: 'nearly all of them',
};

/** When neurons die; a question only if nearly all of them die late. */
const whenDead: RunQuestion = {
  id: 'when-dead',
  lastShownStep: () => 0,
  pose(run) {
    const [early, late] = [pointAt(run, NAMED_STEPS.early), pointAt(run, STEPS)];
    if (late.dead < MIN_DEAD || early.dead > late.dead / DEAD_PER_EARLY) return null;
    return posedQuestion({
      id: 'when-dead',
      ask: say`At the end, ${strong(`${countText(late.dead)} of ${countText(SIZES.hidden)} neurons`)} are dead. How many after a fifth of the steps?`,
      options: Object.values(DEAD_EARLY),
      answer: DEAD_EARLY.almostNone,
      reason: say`After step ${early.step} it is ${strong(countText(early.dead))}. First L1 shrinks all activations; only then do gates close for every image.`,
      wrongAnswers: [
        wrong(
          'they-die-early',
          'what was never needed dies at once',
          DEAD_EARLY.nearlyAll,
          say`So it was in the paper, whose first fifth has thousands of steps. Here it is ${early.step} steps, and ${strong(countText(early.dead))} neurons.`,
        ),
        wrong(
          'they-die-evenly',
          'as many die in every step',
          DEAD_EARLY.fifth,
          say`The curve is flat at first: ${strong(countText(early.dead))} after ${early.step} steps, ${countText(pointAt(run, STEPS / 2).dead)} after ${STEPS / 2}.`,
        ),
      ],
    });
  },
};

/** The options of `turnedDown`: how many dead neurons fire again. */
const FIRE_AGAIN = {
  nearlyAll: 'nearly all fire again',
  half: 'about half of them fire again',
  hardlyAny: 'hardly any fires again',
};

/** What happens to dead neurons after L1 is set to 0; a question only if they stay dead. */
const turnedDown: RunQuestion = {
  id: 'turned-down',
  lastShownStep: ({ settings }) => settings.l1Changes[1]?.step ?? STEPS,
  pose(run) {
    const [, change] = run.settings.l1Changes;
    if (change === undefined || change.l1 !== 0) return null;
    const [before, end] = [pointAt(run, change.step), pointAt(run, STEPS)];
    if (end.dead < before.dead || end.mean < before.mean) return null;
    return posedQuestion({
      id: 'turned-down',
      ask: say`After ${strong(`${change.step} steps`)}, ${strong(`${countText(before.dead)} neurons`)} are dead. Now L1 is turned to 0. What becomes of them?`,
      options: Object.values(FIRE_AGAIN),
      answer: FIRE_AGAIN.hardlyAny,
      reason: say`At the end ${strong(countText(end.dead))} are dead. A closed gate lets no gradient through: nothing changes its weights.`,
      wrongAnswers: [
        wrong(
          'l1-holds-them',
          'L1 alone keeps them at 0',
          FIRE_AGAIN.nearlyAll,
          say`One that never fires has no gradient, with L1 or without: ${strong(countText(end.dead))} stay dead.`,
        ),
        wrong(
          'all-recover-alike',
          'zeros go away as they came',
          FIRE_AGAIN.half,
          say`The living fire more often: ${strong(`${Math.round(before.mean)} for an image before, ${Math.round(end.mean)} at the end`)}. The dead do not.`,
        ),
      ],
    });
  },
};

const QUESTIONS: readonly RunQuestion[] = [cost, whenDead, turnedDown];

/** The points of a run that do not reveal the answer to an open question; all of them without one. */
export function visiblePoints(run: RecordedRun, openQuestion: string | null): readonly CurvePoint[] {
  const question = QUESTIONS.find(({ id }) => id === openQuestion);
  if (question === undefined) return run.points;
  const last = question.lastShownStep(run);
  return run.points.filter(({ step }) => step <= last);
}
