import twell from '../../../src/papers/twell/tables.json';
import { countText } from '../../../src/core/text/words.ts';
import { percent } from '../../../src/kit/words/quantity.ts';
import { SIZES, STEPS } from '../theory/run.ts';
import { type RecordedRun, runWith } from './recorded-runs.ts';
import { meanText } from './run-words.ts';

/** An observation of the TwELL paper about its language models, and whether this small network shows it too. */
export interface Observation {
  readonly id: string;
  readonly title: string;
  readonly verdict: 'confirmed' | 'partly confirmed' | 'not confirmed';
  readonly paper: string;
  readonly here: string;
}

/**
 * Table 5 of the paper: without L1, with it, with dead neurons reinitialised, and with a warm-up of a larger
 * coefficient.
 */
const [NO_L1, WITH_L1, REINITIALISED, WARMED] = twell.tables.deadNeurons.rows;

const taskAccuracy = ({ accuracy }: { readonly accuracy: number }): string => percent(accuracy / 100);

const accuracyChange = (from: string, to: string): string => `accuracy goes from ${from} to ${to}`;

/** The coefficient of L1 in the runs that are compared, unless another is named. */
export const DEFAULT_L1 = 0.03;

/** The factor that counts as an order of magnitude. */
const MAGNITUDE = 10;

/**
 * The paper's observations about training, each checked against the recorded runs. Throws RangeError if a run is
 * missing.
 */
export function observationsOf(runs: readonly RecordedRun[]): readonly Observation[] {
  const find = (l1: number, reinitialises = false, warmsUp = false) => runWith(l1, { reinitialises, warmsUp }, runs);
  // The runs that are compared: without L1 and with three coefficients, and the default one with each remedy against
  // dead neurons.
  const [none, gentle, chosen, strongest] = [find(0), find(0.01), find(DEFAULT_L1), find(0.1)];
  const [reinitialised, warmed] = [find(DEFAULT_L1, true), find(DEFAULT_L1, false, true)];
  const pointAt = (run: RecordedRun, step: number) =>
    run.points.findLast((point) => point.step <= step) ?? run.points[0];
  const end = (run: RecordedRun) => pointAt(run, STEPS);
  const shareDead = (run: RecordedRun): string => percent(run.test.dead / SIZES.hidden, 0);
  // What each observation measures, in the order of the list below.
  const nonZerosFactor = none.test.mean / gentle.test.mean;
  const accuracyOf = ({ test }: RecordedRun): string => percent(test.accuracy, 2);
  const gainedPoints = 100 * (gentle.test.accuracy - none.test.accuracy);
  const early = pointAt(chosen, STEPS / 30);
  const isSettled = early.mean < 2 * end(chosen).mean;
  const middle = pointAt(chosen, STEPS / 5);
  const areDeadEarly = middle.dead > end(chosen).dead / 2;
  const byCoefficient = [find(3e-3), gentle, chosen, strongest];
  const isRising = byCoefficient.every((run, i) => i === 0 || run.test.dead > byCoefficient[i - 1].test.dead);
  const maxToMean = chosen.test.max / chosen.test.mean;
  const isRevived = reinitialised.test.dead < chosen.test.dead / 10;
  const keepsZeros = reinitialised.test.mean < 1.1 * chosen.test.mean;
  const warmUpKeepsAlive = warmed.test.dead < chosen.test.dead / 10;
  const warmUpHelps = warmed.test.dead < chosen.test.dead && warmed.test.mean > chosen.test.mean;
  const changeText = ({ test }: RecordedRun): string =>
    `${countText(chosen.test.dead)} dead neurons become ${countText(test.dead)}, ${meanText(chosen.test.mean)} non-zeros become ${meanText(test.mean)}`;
  return [
    {
      id: 'cost',
      title: 'Ten times fewer non-zeros are nearly free',
      verdict: nonZerosFactor >= MAGNITUDE && gainedPoints > -0.5 ? 'confirmed' : 'not confirmed',
      paper: `${NO_L1.nonZeros} non-zeros become ${WITH_L1.nonZeros}, ${accuracyChange(taskAccuracy(NO_L1), taskAccuracy(WITH_L1))}.`,
      here: `With L1 0.01, ${meanText(none.test.mean)} become ${meanText(gentle.test.mean)}, ${accuracyChange(accuracyOf(none), accuracyOf(gentle))}.`,
    },
    {
      id: 'settling',
      title: 'Zeros come in a thirtieth of the steps',
      verdict: isSettled ? 'confirmed' : 'not confirmed',
      paper: `Non-zeros settle after about ${countText(1000)} of ${countText(30_000)} steps.`,
      here: `${meanText(early.mean)} neurons fire after step ${early.step}, ${meanText(middle.mean)} after ${middle.step}, ${meanText(end(chosen).mean)} at the end.`,
    },
    {
      id: 'early-dead',
      title: 'Neurons die early',
      verdict: areDeadEarly ? 'confirmed' : 'not confirmed',
      paper: 'They die very early.',
      here: `${countText(middle.dead)} are dead after a fifth of the steps, ${countText(end(chosen).dead)} at the end.`,
    },
    {
      id: 'dead',
      title: 'Stronger L1, more dead neurons',
      verdict: isRising ? 'confirmed' : 'not confirmed',
      paper: 'Over 30\u202f% with the recommended L1, more with a larger one.',
      here: `${byCoefficient.map((run) => `${shareDead(run)} with ${run.settings.l1Changes[0].l1}`).join(', ')}; without L1 ${shareDead(none)}.`,
    },
    {
      id: 'max',
      title: 'The maximum: ten times the mean',
      verdict: maxToMean >= MAGNITUDE ? 'confirmed' : 'not confirmed',
      paper: 'Often more.',
      here: `The maximum is ${countText(chosen.test.max)}, ${maxToMean.toFixed(1)} times the mean.`,
    },
    {
      id: 'reinitialised',
      title: 'Reinitialising revives, and keeps zeros',
      verdict: isRevived && keepsZeros ? 'confirmed' : isRevived || keepsZeros ? 'partly confirmed' : 'not confirmed',
      paper: `Almost no neuron is dead, ${WITH_L1.nonZeros} non-zeros become ${REINITIALISED.nonZeros}, ${accuracyChange(taskAccuracy(WITH_L1), taskAccuracy(REINITIALISED))}.`,
      here: `${changeText(reinitialised)}, ${accuracyChange(accuracyOf(chosen), accuracyOf(reinitialised))}.`,
    },
    {
      id: 'warmed',
      title: 'A warm-up keeps neurons alive, and non-zeros',
      verdict: !warmUpHelps ? 'not confirmed' : warmUpKeepsAlive ? 'confirmed' : 'partly confirmed',
      paper: `Almost no neuron is dead: ${WARMED.nonZeros} fire with L1 ${WARMED.l1}, ${WITH_L1.nonZeros} without warm-up at ${WITH_L1.l1}.`,
      here: `${changeText(warmed)}.`,
    },
  ];
}
