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

/** A run that waits at every point until the page has answered. */
function started(steps: readonly number[], isPaused = false) {
  const live = createStore<RunControls>(() => ({ l1: null, isPaused: true }));
  const abort = new AbortController();
  const parts: Run[] = [];
  const answers: (readonly L1Change[])[] = [];
  const heard: (readonly L1Change[])[] = [];
  const asked: number[] = [];
  const service: Parameters<typeof trainingWork>[0] = {
    async run({ signal }, _settings, onPoint) {
      // The user pauses before the first point.
      if (isPaused) live.setState({ isPaused });
      for (const step of steps) {
        asked.push(step);
        answers.push(await onPoint({ ...POINT, step }, { step, cells: new Float32Array(0) }));
        if (signal?.aborted === true) throw new CancelledError();
      }
      return TEST;
    },
  };
  const ask = trainingWork(service, live, SETTINGS, (l1Changes) => heard.push(l1Changes));
  const ended = ask(quietWatch(abort.signal), {
    lastOfSameKey: null,
    lastOfAnyKey: null,
    update: (part) => parts.push(part),
  });
  return { live, abort, parts, answers, heard, asked, ended };
}

test('a run grows point by point and begins unpaused', async () => {
  const { ended, parts } = started([5, 10]);
  const run = await ended;
  expect([run.points.map(({ step }) => step), run.test, run.batch?.step]).toEqual([[5, 10], TEST, 10]);
  expect(parts.map(({ points }) => points.length)).toEqual([0, 1, 2]);
});

test('a paused run waits at its point, and goes on with the coefficient that was chosen meanwhile', async () => {
  const { live, ended, asked, answers, heard } = started([5, 10], true);
  live.setState({ l1: 0 });
  expect(asked).toEqual([5]);
  live.setState({ isPaused: false });
  const run = await ended;
  const l1Changes = [0.03, 0].map((l1, i) => ({ step: 5 * i, l1 }));
  expect([answers, heard, run.settings]).toEqual([[l1Changes, l1Changes], [l1Changes], { ...SETTINGS, l1Changes }]);
  expect(live.getState().l1).toBeNull();
});

test('behind the last step nothing is turned', async () => {
  const { live, ended, heard } = started([STEPS], true);
  live.setState({ l1: 0, isPaused: false });
  expect([(await ended).settings, heard]).toEqual([SETTINGS, []]);
});

test('a paused run can be cancelled', async () => {
  const { abort, ended, asked } = started([5, 10], true);
  abort.abort();
  await expect(ended).rejects.toThrow(CancelledError);
  expect(asked).toEqual([5]);
});

/** A run whose engine ends behind the points of `deaths`, one after the other, and whose points are every fifth step. */
function dying(deaths: readonly number[], before: (step: number, attempt: number) => void = () => {}) {
  const controls = createStore<RunControls>(() => ({ l1: null, isPaused: false }));
  const parts: Run[] = [];
  const asked: RunSettings[] = [];
  const service: Parameters<typeof trainingWork>[0] = {
    async run(_watch, settings, onPoint) {
      const attempt = asked.push(settings);
      for (let step = 5; step <= 30; step += 5) {
        before(step, attempt);
        const answer = onPoint({ ...POINT, step }, { step, cells: new Float32Array(0) });
        if (deaths[attempt - 1] === step) throw new EngineDeathError('The engine stopped by itself.');
        await answer;
      }
      return TEST;
    },
  };
  const abort = new AbortController();
  const ended = trainingWork(service, controls, SETTINGS, () => {})(quietWatch(abort.signal), {
    lastOfSameKey: null,
    lastOfAnyKey: null,
    update: (part) => parts.push(part),
  });
  return { controls, abort, parts, asked, ended };
}

test('after the engine ends, the run reports it, restarts by itself, and loses no point', async () => {
  const { ended, parts, asked } = dying([15]);
  const run = await ended;
  expect([asked.length, run.test, run.points.map(({ step }) => step)]).toEqual([2, TEST, [5, 10, 15, 20, 25, 30]]);
  expect(run.interruption).toBe(
    'The engine stopped by itself after 15 of 500 steps; another one trains them again and goes on.',
  );
  // The curves never shrink.
  const lengths = parts.map(({ points }) => points.length);
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
});

test('a run that begins again keeps the coefficients that were chosen, and waits for nobody until it is where it was', async () => {
  const { ended, asked, controls } = dying([15], (step, attempt) => {
    if (attempt === 1 && step === 10) controls.setState({ l1: 0.1 });
    if (attempt === 2 && step === 5) controls.setState({ isPaused: true });
    if (attempt === 2 && step === 20) controls.setState({ isPaused: false });
  });
  await ended;
  expect(asked.map(({ l1Changes }) => l1Changes)).toEqual([
    SETTINGS.l1Changes,
    [...SETTINGS.l1Changes, { step: 10, l1: 0.1 }],
  ]);
});

test('an engine that ends again and again without a new point ends the run, with what to do', async () => {
  await expect(dying([15, 10, 15]).ended).rejects.toThrow(
    'The engine stopped by itself after 15 of 500 steps, 3 times; what was trained stays: train again, or reload the page',
  );
  const { ended, asked } = dying([5, 10, 15, 20]);
  expect((await ended).points).toHaveLength(6);
  expect(asked).toHaveLength(5);
});

test('a run that is cancelled while the engine ends does not begin again', async () => {
  const { ended, asked, abort } = dying([10], (step) => step === 10 && abort.abort());
  await expect(ended).rejects.toThrow(EngineDeathError);
  expect(asked).toHaveLength(1);
});
