// Training runs: the first steps reproduce the recorded runs, changes of L1 take effect, and docs state the results.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CancelledError } from '../../../src/core/errors.ts';
import { RECORDED_RUNS, recordedRun, type RecordedRun } from '../page/recorded-runs.ts';
import { observationsOf } from '../page/observations.ts';
import { train } from '../page/service/train.ts';
import type { BatchActivations, CurvePoint, RunSettings, TestResult } from '../theory/run.ts';
import { BATCH, SIZES, STEPS, STEPS_PER_POINT, TEST_IMAGES, l1ChangesText } from '../theory/run.ts';
import { scheduled } from '../../../test/scheduled.ts';

const QUIET = { report() {}, throwIfCancelled() {} };
const DEFAULT_SETTINGS: RunSettings = {
  seed: 81,
  l1Changes: [{ step: 0, l1: 0.03 }],
  reinitialises: false,
  warmsUp: false,
};

/** Sizes of a run: its steps, and the images of the test at its end. */
const WHOLE_RUN = { steps: STEPS, testImages: TEST_IMAGES };
const SHORT_RUN = { steps: 15, testImages: 32 };

interface Outcome {
  readonly points: readonly CurvePoint[];
  readonly batches: readonly BatchActivations[];
  readonly test: TestResult;
}

/** Trains with these settings; `l1Changes` is what the page returns after every point. */
async function outcomeOf(settings: RunSettings, size = WHOLE_RUN, l1Changes = settings.l1Changes): Promise<Outcome> {
  const points: CurvePoint[] = [];
  const batches: BatchActivations[] = [];
  const result = await train(
    QUIET,
    settings,
    (point, batch) => {
      points.push(point);
      batches.push(batch);
      return l1Changes;
    },
    size,
  );
  return { points, batches, test: result };
}

/** Rounds every number to four digits, as in the recorded runs. */
const rounded = (points: readonly CurvePoint[]): readonly (readonly number[])[] =>
  points.map(({ step, loss, accuracy, mean, max, dead, overflowing }) =>
    [step, loss, accuracy, mean, max, dead, overflowing].map((value) => Number(value.toPrecision(4))),
  );

test('the first 60 steps are those that were recorded, and the batch that Watch opens has as many non-zeros as the curve shows', async () => {
  const { points, batches, test: result } = await outcomeOf(DEFAULT_SETTINGS, { steps: 60, testImages: 320 });
  const recorded = recordedRun(DEFAULT_SETTINGS);
  expect(rounded(points)).toEqual(rounded(recorded?.points.slice(0, 12) ?? []));
  for (const [i, { step, cells }] of batches.entries()) {
    expect(step).toBe(points[i].step);
    expect(cells).toHaveLength(BATCH * SIZES.hidden);
  }
  const lastPoint = 60 / STEPS_PER_POINT - 1;
  const nonZerosOfImages = Array.from({ length: BATCH }, (_, image) =>
    batches[lastPoint].cells
      .subarray(image * SIZES.hidden, (image + 1) * SIZES.hidden)
      .reduce((n, value) => n + (value === 0 ? 0 : 1), 0),
  );
  expect(Math.max(...nonZerosOfImages)).toBeLessThanOrEqual(points[lastPoint].max);
  expect(nonZerosOfImages.reduce((a, b) => a + b) / BATCH / points[lastPoint].mean).toBeCloseTo(1, 1);
  expect(result.accuracy).toBeGreaterThan(0.3);
});

test('changing the coefficient during a run equals a run that has the change from the beginning', async () => {
  const l1Changes = [0.03, 0].map((l1, i) => ({ step: 5 * i, l1 }));
  const uninterrupted = await outcomeOf({ ...DEFAULT_SETTINGS, l1Changes }, SHORT_RUN);
  const live = await outcomeOf(DEFAULT_SETTINGS, SHORT_RUN, l1Changes);
  expect([live, uninterrupted.points.map(({ l1 }) => l1)]).toEqual([uninterrupted, [0.03, 0, 0]]);
  expect(await outcomeOf(DEFAULT_SETTINGS, SHORT_RUN)).not.toEqual(uninterrupted);
});

test('a cancelled run ends with the next step', async () => {
  let cancelChecks = 0;
  const job = {
    report() {},
    throwIfCancelled() {
      if (++cancelChecks > 3) throw new CancelledError();
    },
  };
  await expect(train(job, DEFAULT_SETTINGS, () => DEFAULT_SETTINGS.l1Changes)).rejects.toThrow(CancelledError);
  expect(cancelChecks).toBe(4);
});

/** Returns the results that the table in docs/examples.md states for a coefficient. */
function documented(l1: number): TestResult {
  const docs = readFileSync('docs/examples.md', 'utf8');
  const row = [...docs.matchAll(/^\| ([\d.]+) +\| ([\d.]+) +\| (\d+) +\| (\d+) +\| ([\d.]+) % +\| \S+ +\|$/gm)].find(
    (match) => Number(match[1]) === l1,
  );
  if (!row) throw new RangeError(`docs/examples.md: found no row of L1 ${l1}, expected one`);
  const [mean, max, dead, accuracy] = row.slice(2).map(Number);
  return { mean, max, dead, accuracy: accuracy / 100 };
}

/** Compares a result with docs/examples.md: within 2 % of the non-zeros and 0.3 percentage points of the accuracy. */
function expectDocumented({ mean, accuracy }: TestResult, l1: number): void {
  const expected = documented(l1);
  expect(Math.abs(mean / expected.mean - 1), `mean with L1 ${l1}`).toBeLessThan(0.02);
  expect(Math.abs(accuracy - expected.accuracy), `accuracy with L1 ${l1}`).toBeLessThanOrEqual(0.003);
}

test('the recorded runs have the mean non-zeros and the accuracy that docs/examples.md documents for each L1', () => {
  const plain = RECORDED_RUNS.filter(
    ({ settings }) => !settings.reinitialises && !settings.warmsUp && settings.l1Changes.length === 1,
  );
  const results = plain.map(({ settings, test: result }) => ({ l1: settings.l1Changes[0].l1, result }));
  expect(results.map(({ l1 }) => l1)).toEqual([0, 0.001, 0.003, 0.01, 0.03, 0.1]);
  for (const { l1, result } of results) expectDocumented(result, l1);
});

for (const run of RECORDED_RUNS) {
  const { l1Changes, reinitialises, warmsUp } = run.settings;
  scheduled(
    'it trains a network, for several seconds',
    "'the first 60 steps are those that were recorded', in the same file",
    `training reproduces the recorded run ${l1ChangesText(l1Changes)}${reinitialises ? ', reinitialised' : ''}${warmsUp ? ', warmed up' : ''}, to the last point and the test images`,
    async () => {
      const { points, test: result } = await outcomeOf(run.settings);
      expect([rounded(points), result]).toEqual([rounded(run.points), run.test]);
    },
  );
}

test('without L1, the first 50 steps have the dead neurons that were recorded', async () => {
  const settings = { ...DEFAULT_SETTINGS, l1Changes: [{ step: 0, l1: 0 }] };
  const { points } = await outcomeOf(settings, { steps: 50, testImages: 32 });
  expect(rounded(points)).toEqual(rounded(recordedRun(settings)?.points.slice(0, 10) ?? []));
  expect(points[9].dead).toBeGreaterThan(0);
});

test('each observation of the paper has a verdict from the recorded runs', () => {
  const verdicts = observationsOf(RECORDED_RUNS).map(({ id, verdict }) => [id, verdict]);
  expect(verdicts).toEqual([
    ['cost', 'confirmed'],
    ['settling', 'not confirmed'],
    ['early-dead', 'not confirmed'],
    ['dead', 'confirmed'],
    ['max', 'not confirmed'],
    ['reinitialised', 'partly confirmed'],
    ['warmed', 'partly confirmed'],
  ]);
  // The verdict depends on the runs: with the same mean at every point, 'settling' is confirmed.
  const withConstantMean = (run: RecordedRun): RecordedRun => ({
    ...run,
    points: run.points.map((point) => ({ ...point, mean: 15 })),
  });
  expect(observationsOf(RECORDED_RUNS.map(withConstantMean)).find(({ id }) => id === 'settling')?.verdict).toBe(
    'confirmed',
  );
});
