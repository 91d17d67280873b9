// The training runs and the training step that were recorded for the page.

import {
  coefficientAt,
  type CurvePoint,
  readL1Changes,
  type RunSettings,
  type TestResult,
  l1ChangesText,
} from '../theory/run.ts';
import { DEFAULT_SEED } from './fields.ts';
import recorded from './recorded.json';
import recordedStep from './recorded-step.json';
import type { StepRun } from '../theory/step.ts';

/** A training run that comes with the page; labs/training/test reproduces it. */
export interface RecordedRun {
  readonly settings: RunSettings;
  readonly test: TestResult;
  readonly points: readonly CurvePoint[];
}

/** All runs that come with the page. */
export const RECORDED_RUNS: readonly RecordedRun[] = recorded.map(({ turns, reinitialises, warmsUp, test, points }) => {
  const settings = { seed: DEFAULT_SEED, l1Changes: readL1Changes(turns) ?? [], reinitialises, warmsUp };
  return {
    settings,
    test,
    points: points.map(([step, loss, accuracy, mean, max, dead, overflowing]) => {
      return { step, l1: coefficientAt(settings, step - 1), loss, accuracy, mean, max, dead, overflowing };
    }),
  };
});

/** Whether two runs have the same settings, and so the same results. */
export function isSameRun(a: RunSettings, b: RunSettings): boolean {
  return (
    a.seed === b.seed &&
    a.reinitialises === b.reinitialises &&
    a.warmsUp === b.warmsUp &&
    l1ChangesText(a.l1Changes) === l1ChangesText(b.l1Changes)
  );
}

/** The recorded run with these settings; null if there is none. */
export function recordedRun(settings: RunSettings): RecordedRun | null {
  return RECORDED_RUNS.find((run) => isSameRun(run.settings, settings)) ?? null;
}

/** The recorded run with a constant coefficient of L1. Throws RangeError if there is none. */
export function runWith(
  l1: number,
  { reinitialises = false, warmsUp = false }: Partial<Pick<RunSettings, 'reinitialises' | 'warmsUp'>> = {},
  runs = RECORDED_RUNS,
): RecordedRun {
  const settings = { seed: DEFAULT_SEED, l1Changes: [{ step: 0, l1 }], reinitialises, warmsUp };
  const run = runs.find((candidate) => isSameRun(candidate.settings, settings));
  if (run === undefined) throw new RangeError(`recorded runs: found none with L1 ${l1}, expected one`);
  return run;
}

/**
 * A training step of a block as large as in the TwELL paper's 1.5B model, shown before any measurement; `date` is the
 * day of the recording.
 */
export const RECORDED_STEP: StepRun & { readonly date: string } = recordedStep;
