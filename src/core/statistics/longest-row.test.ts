import { describe, expect, it } from 'vitest';
import { expectedLongestRow } from './longest-row.ts';

/**
 * The expected longest of `rows` rows, each with a binomial number of non-zeros (`cols` cells, probability p): the sum
 * over k of P(the longest has more than k). Terms are computed with logarithms. O(cols).
 */
function byEveryCount(rows: number, cols: number, p: number): number {
  let logTerm = cols * Math.log1p(-p);
  let below = 0;
  let mean = 0;
  for (let k = 0; k < cols; k++) {
    const term = Math.exp(logTerm);
    below += term;
    if (k > cols * p && term < 1e-22) break;
    mean += below >= 1 ? 0 : -Math.expm1(rows * Math.log(below));
    logTerm += Math.log((cols - k) / (k + 1)) + Math.log(p) - Math.log1p(-p);
  }
  return mean;
}

describe('expectedLongestRow', () => {
  it.each([
    [1, 1, 0.5],
    [1, 40, 0.12],
    [4096, 4096, 0.5],
    [4096, 4096, 0.01],
    [11008, 4096, 0.99],
    [32000, 4096, 1e-4],
    [5, 11008, 1e-9],
    [2 ** 14, 300, 0.9],
  ])('equals the sum over every count, for %i rows of %i columns at density %f', (rows, cols, p) => {
    expect(expectedLongestRow(rows, cols, p) / byEveryCount(rows, cols, p)).toBeCloseTo(1, 8);
  });

  it('expectedLongestRow is between the mean and all columns, also for 2^24 rows and columns', () => {
    for (const p of [1e-9, 0.01, 0.5, 0.999, 1 - 1e-12]) {
      const longest = expectedLongestRow(2 ** 24, 2 ** 24, p);
      expect(longest).toBeGreaterThanOrEqual(2 ** 24 * p * (1 - 1e-12));
      expect(longest).toBeLessThanOrEqual(2 ** 24);
    }
  });

  it('expectedLongestRow is exact for one row and one column, and at densities 0 and 1', () => {
    expect(expectedLongestRow(1, 100, 0.3)).toBeCloseTo(30, 6);
    expect(expectedLongestRow(5, 1, 0.5)).toBeCloseTo(1 - 0.5 ** 5, 12);
    expect(expectedLongestRow(9, 40, 0)).toBe(0);
    expect(expectedLongestRow(9, 40, 1)).toBe(40);
    expect(expectedLongestRow(0, 40, 0.5)).toBe(0);
    expect(expectedLongestRow(28672, 8192, 0.001)).toBeGreaterThan(8192 * 0.001);
  });
});
