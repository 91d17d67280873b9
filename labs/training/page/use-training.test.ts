// The training run of the page: points, pause, changes of L1, and cancelling.

import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { quietWatch } from '../../../test/jobs.ts';
import { CancelledError, EngineDeathError } from '../../../src/core/errors.ts';
import { type CurvePoint, type RunSettings, STEPS, type L1Change } from '../theory/run.ts';
import { type RunControls, type Run, trainingWork } from './use-training.ts';

const SETTINGS: RunSettings = { seed: 1, l1Changes: [{ step: 0, l1: 0.03 }], reinitialises: false, warmsUp: false };
const TEST = { accuracy: 1, mean: 2, max: 3, dead: 4 };

const POINT: Omit<CurvePoint, 'step'> = {
  l1: 0.03,
  loss: 1,
  accuracy: 0.5,
  mean: 10,
  max: 20,
  dead: 0,
  overflowing: 0,
};

/** Starts a run that waits at every point until the page has answered. */
function startRun(steps: readonly number[], isPaused = false) {
  const controls = createStore<RunControls>(() => ({ l1: null, isPaused: true }));
  const abort = new AbortController();
  const updates: Run[] = [];
  const answers: (readonly L1Change[])[] = [];
  const l1ChangeCalls: (readonly L1Change[])[] = [];
  const stepsSent: number[] = [];
  const service: Parameters<typeof trainingWork>[0] = {
    async run({ signal }, _settings, onPoint) {
      // The user pauses before the first point.
      if (isPaused) controls.setState({ isPaused });
      for (const step of steps) {
        stepsSent.push(step);
        answers.push(await onPoint({ ...POINT, step }, { step, cells: new Float32Array(0) }));
        if (signal?.aborted === true) throw new CancelledError();
      }
      return TEST;
    },
  };
  const startWork = trainingWork(service, controls, SETTINGS, (l1Changes) => l1ChangeCalls.push(l1Changes));
  const ended = startWork(quietWatch(abort.signal), {
    lastOfSameKey: null,
    lastOfAnyKey: null,
    update: (run) => updates.push(run),
  });
  return { controls, abort, updates, answers, l1ChangeCalls, stepsSent, ended };
}

test('a run adds points one by one, and begins unpaused', async () => {
  const { ended, updates } = startRun([5, 10]);
  const run = await ended;
  expect([run.points.map(({ step }) => step), run.test, run.batch?.step]).toEqual([[5, 10], TEST, 10]);
  expect(updates.map(({ points }) => points.length)).toEqual([0, 1, 2]);
});

test('a paused run continues with the coefficient that was chosen during the pause', async () => {
  const { controls, ended, stepsSent, answers, l1ChangeCalls } = startRun([5, 10], true);
  controls.setState({ l1: 0 });
  expect(stepsSent).toEqual([5]);
  controls.setState({ isPaused: false });
  const run = await ended;
  const l1Changes = [0.03, 0].map((l1, i) => ({ step: 5 * i, l1 }));
  expect([answers, l1ChangeCalls, run.settings]).toEqual([
    [l1Changes, l1Changes],
    [l1Changes],
    { ...SETTINGS, l1Changes },
  ]);
  expect(controls.getState().l1).toBeNull();
});

test('after the last step the L1 coefficient can no longer change', async () => {
  const { controls, ended, l1ChangeCalls } = startRun([STEPS], true);
  controls.setState({ l1: 0, isPaused: false });
  expect([(await ended).settings, l1ChangeCalls]).toEqual([SETTINGS, []]);
});

test('a paused run can be cancelled', async () => {
  const { abort, ended, stepsSent } = startRun([5, 10], true);
  abort.abort();
  await expect(ended).rejects.toThrow(CancelledError);
  expect(stepsSent).toEqual([5]);
});

/**
 * Starts a run with a point at every fifth step up to 30. Its engine ends after sending the point of a step in
 * `crashSteps`: the first entry in the first attempt, and so on. `beforePoint` is called before each point is sent.
 */
function crashingRun(crashSteps: readonly number[], beforePoint: (step: number, attempt: number) => void = () => {}) {
  const controls = createStore<RunControls>(() => ({ l1: null, isPaused: false }));
  const updates: Run[] = [];
  const settingsSent: RunSettings[] = [];
  const service: Parameters<typeof trainingWork>[0] = {
    async run(_watch, settings, onPoint) {
      const attempt = settingsSent.push(settings);
      for (let step = 5; step <= 30; step += 5) {
        beforePoint(step, attempt);
        const answer = onPoint({ ...POINT, step }, { step, cells: new Float32Array(0) });
        if (crashSteps[attempt - 1] === step) throw new EngineDeathError('The engine stopped by itself.');
        await answer;
      }
      return TEST;
    },
  };
  const abort = new AbortController();
  const ended = trainingWork(service, controls, SETTINGS, () => {})(quietWatch(abort.signal), {
    lastOfSameKey: null,
    lastOfAnyKey: null,
    update: (run) => updates.push(run),
  });
  return { controls, abort, updates, settingsSent, ended };
}

test('after the engine ends, the run reports it, restarts by itself, and loses no point', async () => {
  const { ended, updates, settingsSent } = crashingRun([15]);
  const run = await ended;
  expect([settingsSent.length, run.test, run.points.map(({ step }) => step)]).toEqual([
    2,
    TEST,
    [5, 10, 15, 20, 25, 30],
  ]);
  expect(run.interruption).toBe(
    'The engine stopped by itself after 15 of 500 steps; another one trains them again and goes on.',
  );
  // The curves never shrink.
  const lengths = updates.map(({ points }) => points.length);
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
});

test('a restarted run keeps the chosen coefficients, and ignores Pause until it reaches the step it had lost', async () => {
  const { ended, settingsSent, controls } = crashingRun([15], (step, attempt) => {
    if (attempt === 1 && step === 10) controls.setState({ l1: 0.1 });
    if (attempt === 2 && step === 5) controls.setState({ isPaused: true });
    if (attempt === 2 && step === 20) controls.setState({ isPaused: false });
  });
  await ended;
  expect(settingsSent.map(({ l1Changes }) => l1Changes)).toEqual([
    SETTINGS.l1Changes,
    [...SETTINGS.l1Changes, { step: 10, l1: 0.1 }],
  ]);
});

test('a run ends with advice if the engine ends repeatedly without a new point', async () => {
  await expect(crashingRun([15, 10, 15]).ended).rejects.toThrow(
    'The engine stopped by itself after 15 of 500 steps, 3 times; what was trained stays: train again, or reload the page',
  );
  const { ended, settingsSent } = crashingRun([5, 10, 15, 20]);
  expect((await ended).points).toHaveLength(6);
  expect(settingsSent).toHaveLength(5);
});

test('a run that is cancelled while the engine ends does not begin again', async () => {
  const { ended, settingsSent, abort } = crashingRun([10], (step) => step === 10 && abort.abort());
  await expect(ended).rejects.toThrow(EngineDeathError);
  expect(settingsSent).toHaveLength(1);
});
