import fc from 'fast-check';
import { expect, test } from 'vitest';
import { remainingTime } from './time-left.ts';

/** Estimates after reports `[ms, what, done]` of a task of `total`. */
function estimates(reports: readonly (readonly [ms: number, what: string, done: number, total?: number])[]) {
  let now = 0;
  const estimate = remainingTime(() => now);
  return reports.map(([ms, what, done, total = 100]) => {
    now = ms;
    return estimate({ what, done, total });
  });
}

test('the remaining time follows from the speed of the present kind of work', () => {
  expect(
    estimates([
      [0, 'encode EC-SpMV: reading rows', 0],
      [1000, 'encode EC-SpMV: matching', 5], // too early
      [4000, 'encode EC-SpMV: matching', 10], // a tenth took 4 s
      [36_000, 'encode EC-SpMV: laying out blocks', 96], // 1.5 s
      [40_000, 'rounds', 50], // another kind of work: the estimate begins anew
      [45_000, 'rounds', 60],
      [46_000, 'rounds', 10], // less is done than at its start: it has begun again
      [51_000, 'rounds', 20],
      [51_000, 'rounds', 20, 200], // the total has changed
    ]),
  ).toEqual([null, null, 36_000, null, null, 20_000, null, 40_000, null]);
});

test('the remaining time is null in the first two seconds of work, and if it is below two seconds', () => {
  const leftAt = (ms: number, done: number): number | null =>
    estimates([
      [0, 'x', 0],
      [ms, 'x', done],
    ])[1];
  expect([leftAt(1999, 20), leftAt(2000, 20)]).toEqual([null, 8000]);
  expect([leftAt(8000, 80), leftAt(8000, 80.1)]).toEqual([2000, null]);
  // Without finished work nothing can be estimated.
  expect(leftAt(60_000, 0)).toBeNull();
});

test('the first and the last report of a kind of work determine the estimate, also if the last one has no progress', () => {
  const report = fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 3 }));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 }), fc.array(report, { minLength: 1, maxLength: 20 }), (first, steps) => {
      let [ms, done] = [0, first];
      const reports = [
        [ms, 'x', done] as const,
        ...steps.map(([addedMs, addedWork]) => [(ms += addedMs), 'x', (done += addedWork)] as const),
      ];
      // The first and the last report alone yield the same estimate.
      expect(estimates(reports).at(-1)).toBe(estimates([reports[0], [ms, 'x', done]])[1]);
    }),
  );
  expect(
    estimates([
      [0, 'x', 0],
      [0, 'x', 0],
      [3000, 'x', 10],
      [6000, 'x', 10],
    ]),
  ).toEqual([null, null, 27_000, 54_000]);
  // At the start, too: the time runs from the first report.
  expect(
    estimates([
      [0, 'x', 5],
      [4000, 'x', 5],
      [5000, 'x', 10],
    ]),
  ).toEqual([null, null, 90_000]);
});
