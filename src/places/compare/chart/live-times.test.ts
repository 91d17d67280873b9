import { expect, it } from 'vitest';
import { CancelledError } from '../../../core/errors.ts';
import type { BenchReport } from '../../../core/report.ts';
import type { OnReport } from '../../../engine/bench/bench-types.ts';
import { modelReport } from '../../../../test/model-reports.ts';
import { settle } from '../../../../test/fake-engine.ts';
import { createLive } from './live-times.ts';
import { liveRemarks, liveWords } from './MatrixSpeed.tsx';

/** An engine answered by hand. */
function started() {
  const calls: {
    density: number;
    onReport: OnReport;
    answer: (report: BenchReport) => void;
    fail: (e: Error) => void;
  }[] = [];
  let ended = 0;
  let clock = 0;
  const live = createLive({
    service: {
      live: (_, { density }, onReport) =>
        new Promise((answer, fail) => {
          // Like the engine: a newer request replaces an older one.
          calls.at(-1)?.fail(new CancelledError());
          calls.push({ density, onReport, answer, fail });
        }),
      endLive: async () => {
        ended++;
        calls.at(-1)?.fail(new CancelledError());
      },
    },
    now: () => clock,
  });
  const report = modelReport(64, 64, 0.3, [10, 5]);
  return { live, calls, report, ended: () => ended, pass: (ms: number) => (clock += ms) };
}

it('runs nothing before it is switched on, and nothing after it is switched off', async () => {
  const { live, calls, report, ended } = started();
  live.ask({ density: 0.2 });
  expect(calls).toEqual([]);
  live.start({ density: 0.3 });
  expect(live.store.getState()).toMatchObject({ on: true, waitingFor: 0.3, shown: null });
  live.stop();
  await settle();
  expect(ended()).toBe(1);
  void calls[0].onReport(report, 0);
  live.ask({ density: 0.4 });
  await settle();
  expect(calls.map(({ density }) => density)).toEqual([0.3]);
  expect(live.store.getState()).toMatchObject({ on: false, waitingFor: null, shown: null, problem: null });
});

it('shows first times of one density, then measures the newest of those that were asked for meanwhile', async () => {
  const { live, calls, report, pass } = started();
  live.start({ density: 0.3 });
  pass(100);
  for (const density of [0.31, 0.32, 0.33]) live.ask({ density });
  expect(calls.map(({ density }) => density)).toEqual([0.3]);
  pass(50);
  void calls[0].onReport({ ...report, unfinished: { waiting: [] } }, 0);
  await settle();
  expect(calls.map(({ density }) => density)).toEqual([0.3, 0.33]);
  expect(live.store.getState()).toMatchObject({ on: true, waitingFor: 0.33, shown: { firstMs: 150 } });
  pass(200);
  // A late report of the older one is ignored.
  void calls[0].onReport(report, 0);
  calls[1].answer(report);
  await settle();
  expect(live.store.getState()).toMatchObject({
    waitingFor: null,
    shown: { request: { density: 0.33 }, firstMs: 250 },
  });
});

it('takes the first times again, unless another density is asked for', async () => {
  const { live, calls, report } = started();
  live.start({ density: 0.3 });
  void calls[0].onReport({ ...report, unfinished: { waiting: [] } }, 0);
  void calls[1].onReport({ ...report, unfinished: { waiting: [] } }, 0);
  await settle();
  expect(calls.map(({ density }) => density)).toEqual([0.3, 0.3]);
});

it('ends with a sentence where it fails, and without one where a benchmark takes its place', async () => {
  const { live, calls } = started();
  live.start({ density: 0.3 });
  calls[0].fail(new Error('live: found no dense kernel that is right here, expected one to compare with'));
  await settle();
  expect(live.store.getState()).toMatchObject({
    on: false,
    problem: 'live: found no dense kernel that is right here, expected one to compare with.',
  });
  live.start({ density: 0.3 });
  expect(live.store.getState().problem).toBeNull();
  calls[1].fail(new CancelledError());
  await settle();
  expect(live.store.getState()).toMatchObject({ on: false, problem: null });
});

it('says what its times are of, and what could not be timed', () => {
  const { report } = started();
  const request = { density: 0.3 };
  const shown = {
    request,
    firstMs: 212.4,
    report: {
      ...report,
      refused: [{ kernel: '', format: 'full', reason: 'found 5 in row 1, expected 4' }],
      notes: ['software', 'For Slide the matrix is pruned to 6:8.'],
    },
  };
  const state = { on: true, waitingFor: null, shown, problem: null };
  expect(liveWords({ ...state, on: false })).toBeNull();
  expect(liveWords({ ...state, shown: null })).toMatch(/preparing the device/);
  expect(liveWords(state)).toMatch(
    /^Live at density 0\.300: \d+ formats?, .* 64 × 64, f16 · first times after 212 ms$/,
  );
  expect(
    liveRemarks(
      state,
      () => 'Full',
      () => false,
    ),
  ).toBe('For Slide the matrix is pruned to 6:8. Not timed: Full (found 5 in row 1, expected 4).');
  expect(
    liveRemarks(
      state,
      () => 'Full',
      () => true,
    ),
  ).toBe('For Slide the matrix is pruned to 6:8.');
});
