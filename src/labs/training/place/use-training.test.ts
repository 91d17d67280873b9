import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { quietWatch } from '../../../../test/jobs.ts';
import { CancelledError } from '../../../core/errors.ts';
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
      // A person pauses before the first point.
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
