import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assignGreedily,
  assignOptimally,
  binomial,
  bottleneck,
  HARDWARE_2_4,
  judge,
  overfullRun,
  type Sliding,
  slidingOf,
  storedShare,
} from './sliding-windows.ts';
import { cases } from '../../test/scheduled.ts';

/** The sliding windows of the pattern kept:group on hardware that stores hardwareKept:window. */
function sliding(kept: number, group: number, hardwareKept: number, window: number): Sliding {
  const result = slidingOf({ kept, group }, { kept: hardwareKept, window });
  if (typeof result === 'string') throw new Error(result);
  return result;
}

/** Any pattern of up to 14 columns that fits its hardware. */
const anySliding = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.nat(), fc.integer({ min: 1, max: 5 }), fc.nat())
  .map(([window, m, windows, z]) => {
    // Any numbers, reduced to the valid ranges: M from 1 to N - 1, and Z from 1 to L.
    const kept = 1 + (m % (window - 1));
    const group = window + (windows - 1) * (window - kept);
    return { kept, window, group, z: 1 + (z % group) };
  })
  .filter(({ group }) => group <= 14)
  .map(({ kept, window, group, z }) => sliding(z, group, kept, window));

it('slidingOf explains why windows of M:N hardware do not fit on groups of Z:L', () => {
  expect(slidingOf({ kept: 3, group: 5 }, HARDWARE_2_4)).toBe(
    'Windows of 4, 2 apart, end after column 4 or 6, not after 5.',
  );
  expect(slidingOf({ kept: 2, group: 3 }, HARDWARE_2_4)).toBe('A group of 3 columns is shorter than a window of 4.');
  expect(slidingOf({ kept: 9, group: 8 }, HARDWARE_2_4)).toMatch(/cannot have 9/);
  expect(slidingOf({ kept: 6, group: 8 }, { kept: 4, window: 4 })).toMatch(/omit some/);
  expect(slidingOf({ kept: 6, group: 26 }, HARDWARE_2_4)).toMatch(/up to 24/);
  expect(slidingOf({ kept: 0, group: 8 }, HARDWARE_2_4)).toMatch(/at least 1/);
});

it('storedShare counts values and slot numbers, relative to dense', () => {
  const shares = [2, 3, 4, 5, 8].map((n) => {
    const s = sliding(2 * n - 2, 2 * n, 2, 4);
    return [storedShare(s.pattern.group, s.hardware, 16), storedShare(s.pattern.group, s.hardware, 8)];
  });
  expect(shares).toEqual([
    [0.5625, 0.625],
    [0.75, 10 / 12],
    [0.84375, 0.9375],
    [0.9, 1],
    [0.984375, 1.09375],
  ]);
});

describe('assignments of non-zeros to windows', () => {
  it('place as many by the greedy algorithm as by the optimal one, at most as many per window as it has slots', () => {
    fc.assert(
      fc.property(anySliding, fc.nat(), (s, seed) => {
        const columns = Array.from({ length: s.pattern.group }, (_, c) => c).filter((c) => (seed >>> c) & 1);
        const greedy = assignGreedily(s, columns);
        const optimal = assignOptimally(s, columns);
        expect(greedy.placedCount).toBe(optimal.placedCount);
        for (const { windowOf, placedCount } of [greedy, optimal]) {
          expect(windowOf.filter((w) => w >= 0)).toHaveLength(placedCount);
          for (let w = 0; w < s.windows; w++) {
            const taken = columns.filter((_, i) => windowOf[i] === w);
            expect(taken.length).toBeLessThanOrEqual(s.hardware.kept);
            for (const c of taken) expect(c - w * s.stride).toBeGreaterThanOrEqual(0);
            for (const c of taken) expect(c - w * s.stride).toBeLessThan(s.hardware.window);
          }
        }
        // Hall's condition of one placement agrees with the assignments.
        expect(overfullRun(s, columns) === null).toBe(optimal.placedCount === columns.length);
      }),
      { numRuns: cases(500, 2000) },
    );
  });

  it('agree with the proof by Hall’s condition on every pattern', () => {
    fc.assert(
      fc.property(anySliding, (s) => {
        const { failures, rescued } = judge(s);
        expect(bottleneck(s) === null).toBe(failures === 0);
        expect(rescued).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('are judged by Hall’s condition if a group is too large to enumerate, with a counterexample if one fails', () => {
    const fitting = judge(sliding(12, 24, 2, 4));
    expect(fitting).toMatchObject({ placements: 2_704_156, method: 'hall', failures: 0, counterexample: null });
    const s = sliding(11, 23, 1, 3);
    const failing = judge(s);
    expect(failing).toMatchObject({ method: 'hall', failures: null });
    expect(failing.counterexample).toHaveLength(11);
    expect(assignOptimally(s, failing.counterexample ?? []).placedCount).toBeLessThan(11);
  });

  it('are counted exactly by `binomial`', () => {
    expect([binomial(8, 6), binomial(16, 14), binomial(24, 12), binomial(5, 0)]).toEqual([28, 120, 2704156, 1]);
  });
});
