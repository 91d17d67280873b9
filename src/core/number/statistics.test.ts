import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { largest, median, quantile, smallest } from './statistics.ts';

describe('smallest(values) and largest(values)', () => {
  test('handle more values than a call accepts arguments', () => {
    const values = Array.from({ length: 1_000_000 }, (_, i) => (i * 7) % 999_983);
    expect([smallest(values), largest(values)]).toEqual([0, 999_982]);
  });

  test('include the initial value', () => {
    expect([smallest([3, 4], 2), largest([3, 4], 5)]).toEqual([2, 5]);
    expect([smallest([]), largest([])]).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    expect(smallest([1, Number.NaN])).toBeNaN();
  });
});

describe('quantile(values, share)', () => {
  test('interpolates between neighbours', () => {
    expect(quantile([4, 1, 3, 2], 0)).toBe(1);
    expect(quantile([4, 1, 3, 2], 1)).toBe(4);
    expect(quantile([4, 1, 3, 2], 0.1)).toBeCloseTo(1.3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([10, 9, 2])).toBe(9);
  });

  test('rejects an empty list', () =>
    expect(() => median([])).toThrow('quantile: found no values, expected at least one'));

  test('lies between the smallest and the largest and never falls', () => {
    const values = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(
        values,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (v, a, b) => {
          const low = quantile(v, Math.min(a, b));
          const high = quantile(v, Math.max(a, b));
          const slack = 1e-6;
          expect(low).toBeLessThanOrEqual(high + slack);
          expect(low).toBeGreaterThanOrEqual(Math.min(...v) - slack);
          expect(high).toBeLessThanOrEqual(Math.max(...v) + slack);
        },
      ),
    );
  });
});
