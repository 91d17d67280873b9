import { describe, expect, it } from 'vitest';
import {
  checkOneOfFour,
  checkTheorem1,
  checkTheorem2,
  checkTheorem3,
  checkWindowPerNonZero,
  fitsWhereCapacitySuffices,
  overfillingPlacement,
  refuteTheorem2,
  placementThatDoesNotFit,
  windowPerNonZero,
} from './sliding-theorems.ts';
import {
  assignOptimally,
  bottleneck,
  HARDWARE_2_4,
  judge,
  patternText,
  type Sliding,
  slidingOf,
} from './sliding-windows.ts';

/** The sliding windows of the pattern kept:group on hardware that stores hardwareKept:window. */
function sliding(z: number, group: number, m: number, window: number): Sliding {
  const result = slidingOf({ kept: z, group }, { kept: m, window });
  if (typeof result === 'string') throw new Error(result);
  return result;
}

/** Every ascending choice of `count` windows of four columns in `group` columns. */
function choicesOfWindows(group: number, count: number, from = 0): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  return Array.from({ length: group - 3 - from }, (_, i) => from + i).flatMap((start) =>
    choicesOfWindows(group, count - 1, start).map((laterStarts) => [start, ...laterStarts]),
  );
}

describe('theorem 3', () => {
  it('bounds every pattern that fits, for N and L up to 16, and is attained by those that fill every slot', () => {
    const rows = Array.from({ length: 15 }, (_, i) => checkTheorem3(i + 2, 16));
    const sum = (countOf: (row: (typeof rows)[number]) => number): number =>
      rows.reduce((total, row) => total + countOf(row), 0);
    expect([sum((row) => row.fitting), sum((row) => row.faster), sum((row) => row.atBound)]).toEqual([2663, 0, 160]);
  });

  it('gives a bound that (2N-2):2N reaches on 2:4, and 7:10 does not', () => {
    const speed = (z: number, group: number): number => 2 / sliding(z, group, 2, 4).expansion;
    for (const n of [2, 3, 4, 5, 6, 7, 8]) expect(speed(2 * n - 2, 2 * n)).toBeCloseTo(n / (n - 1), 12);
    expect(judge(sliding(7, 10, 2, 4)).failures).toBe(0);
    expect(speed(7, 10)).toBeCloseTo(1.25, 12);
  });
});

describe('1:4 hardware', () => {
  it('stores only single non-zeros, and attains the bound only with 1:4', () => {
    const rows = [4, 7, 10, 13, 16, 19, 22].map(checkOneOfFour);
    expect(rows.flatMap((row) => row.fitting).map(patternText)).toEqual('1:4 1:7 1:10 1:13 1:16 1:19 1:22'.split(' '));
    expect(rows.flatMap((row) => row.atBound).map(patternText)).toEqual(['1:4']);
    expect(rows.map((row) => row.withoutFreeSlot)).toEqual([3, 5, 7, 9, 11, 13, 15]);
    expect(() => checkOneOfFour(8)).toThrow(RangeError);
  });

  it('with a window for each non-zero stores every placement if and only if L - Z <= 3, for any windows', () => {
    for (let group = 4; group <= 8; group++) {
      for (let z = 1; z <= group; z++) {
        const fits = choicesOfWindows(group, z).some((starts) => placementThatDoesNotFit(group, starts) === null);
        expect(fits, `${z}:${group}`).toBe(group - z <= 3);
      }
    }
  });

  it('with a window for each non-zero reaches the bound with every pattern of the paper', () => {
    expect(windowPerNonZero({ kept: 6, group: 8 })).toEqual([0, 0, 1, 2, 3, 4]);
    for (const [z, group] of [
      [2, 4],
      [4, 6],
      [6, 8],
      [8, 10],
      [10, 12],
      [7, 10],
    ]) {
      const starts = windowPerNonZero({ kept: z, group });
      expect(placementThatDoesNotFit(group, starts)).toBeNull();
      // alpha / gamma: four times as fast over four slots for each window.
      expect(4 / ((4 * starts.length) / group)).toBeCloseTo(group / z, 12);
    }
    expect([4, 5, 6, 7, 8, 9, 10, 11, 12].map((group) => checkWindowPerNonZero(group).broken)).toEqual(
      Array.from({ length: 9 }, () => 0),
    );
    expect(() => windowPerNonZero({ kept: 2, group: 6 })).toThrow('found 4 zeros, expected at most 3');
  });
});

it('theorem 1 is true for every placement of (2N-2):2N with N from 2 to 8', () => {
  const rows = [2, 3, 4, 5, 6, 7, 8].map(checkTheorem1);
  expect(rows.map((row) => row.failures)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(rows.reduce((sum, row) => sum + row.placements, 0)).toBe(87299);
});

describe('theorem 2', () => {
  it('is refuted by a smallest pattern for each hardware M:N with 2M < N', () => {
    const refutations = refuteTheorem2(5, 8).map(
      ({ sliding: s, columns }) => `${patternText(s.hardware)} ${patternText(s.pattern)} at ${columns.join()}`,
    );
    expect(refutations).toEqual(['1:3 2:5 at 0,1', '1:4 2:7 at 0,1', '2:5 4:8 at 0,1,2,3']);
  });

  it('fails in 6 of 21 placements of 2:7 on 1:4, and no assignment rescues one', () => {
    expect(judge(sliding(2, 7, 1, 4))).toEqual({
      placements: 21,
      method: 'all',
      failures: 6,
      rescued: 0,
      counterexample: [0, 1],
    });
  });

  it('breaks exactly where 2M < N and Z > M, for N and L up to 16', () => {
    const rows = Array.from({ length: 15 }, (_, i) => checkTheorem2(i + 2, 16));
    const sum = (countOf: (row: (typeof rows)[number]) => number): number =>
      rows.reduce((total, row) => total + countOf(row), 0);
    expect(sum((row) => row.exceptions)).toBe(0);
    expect([sum((row) => row.hardware), sum((row) => row.patterns), sum((row) => row.broken)]).toEqual([120, 716, 47]);
  });

  it('is true for patterns of up to 16 columns if and only if 2M >= N or Z <= M, by bottleneck', () => {
    const counts = { fit: 0, broken: 0 };
    for (let window = 2; window <= 16; window++) {
      for (let m = 1; m < window; m++) {
        for (let group = window; group <= 16; group += window - m) {
          for (let z = 1; z <= group; z++) {
            const s = sliding(z, group, m, window);
            // Theorem 2 is about patterns for which there are enough slots.
            if (s.capacity < z) continue;
            const fits = bottleneck(s) === null;
            expect(fits, `${patternText(s.pattern)} on ${patternText(s.hardware)}`).toBe(2 * m >= window || z <= m);
            expect(fitsWhereCapacitySuffices(s.pattern, s.hardware)).toBe(fits);
            counts[fits ? 'fit' : 'broken']++;
          }
        }
      }
    }
    expect(Math.min(counts.fit, counts.broken)).toBeGreaterThan(40);
  });

  it('is true for N and L up to 10 if and only if 2M >= N or Z <= M, by trying every placement', () => {
    const counts = { fit: 0, broken: 0 };
    for (let window = 2; window <= 10; window++) {
      for (let m = 1; m < window; m++) {
        for (let group = window; group <= 10; group += window - m) {
          /** numbers of non-zeros for which some placement has no assignment */
          const broken = new Set<number>();
          // Bit c of the mask: column c has a non-zero.
          for (let mask = 0; mask < 2 ** group; mask++) {
            const columns = Array.from({ length: group }, (_, c) => c).filter((c) => (mask >>> c) & 1);
            const { placedCount } = assignOptimally(sliding(group, group, m, window), columns);
            if (placedCount < columns.length) broken.add(columns.length);
          }
          const { capacity } = sliding(group, group, m, window);
          for (let z = 1; z <= group; z++) {
            const fits = z <= capacity && (2 * m >= window || z <= m);
            expect(!broken.has(z), `${z}:${group} on ${m}:${window}`).toBe(fits);
            counts[fits ? 'fit' : 'broken']++;
          }
        }
      }
    }
    expect(Math.min(counts.fit, counts.broken)).toBeGreaterThan(100);
  });

  it('has the same result by enumeration and by proof, wherever both are feasible', () => {
    for (let window = 2; window <= 6; window++) {
      for (let m = 1; m < window; m++) {
        for (let group = window; group <= 12; group += window - m) {
          for (let z = 1; z <= group; z++) {
            const s = sliding(z, group, m, window);
            const enumerated = judge(s).counterexample;
            const proved = judge(s, 0).counterexample; // 0: no placement is enumerated
            expect(proved === null, patternText(s.pattern)).toBe(enumerated === null);
          }
        }
      }
    }
  });
});

it('"a pattern sparser than the hardware runs directly" is false for 3:8 on 2:4', () => {
  expect(overfillingPlacement({ kept: 3, group: 8 }, HARDWARE_2_4)).toEqual([0, 1, 2]);
  expect(overfillingPlacement({ kept: 2, group: 8 }, HARDWARE_2_4)).toBeNull();
});
