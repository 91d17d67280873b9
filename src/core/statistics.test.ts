import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { binomialTail, median, quantile } from './statistics.ts';

describe('quantile(values, share)', () => {
  test('interpolates between neighbours', () => {
    expect(quantile([4, 1, 3, 2], 0)).toBe(1);
    expect(quantile([4, 1, 3, 2], 1)).toBe(4);
    expect(quantile([4, 1, 3, 2], 0.1)).toBeCloseTo(1.3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([10, 9, 2])).toBe(9);
  });

  test('refuses no values', () => {
    expect(() => median([])).toThrow('quantile: found no values, expected at least one');
  });

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

describe('binomialTail', () => {
  it('adds up by hand', () => {
    // More than 2 of 4 at one half: 4 / 16 + 1 / 16.
    expect(binomialTail(4, 0.5, 2)).toBeCloseTo(5 / 16, 12);
    expect(binomialTail(3, 0.1, 0)).toBeCloseTo(1 - 0.9 ** 3, 12);
    expect([binomialTail(4, 0.5, 4), binomialTail(4, 0, 0), binomialTail(4, 1, 3), binomialTail(0, 0.5, 0)]).toEqual([
      0, 0, 1, 0,
    ]);
  });

  it('keeps the digits of a tail that is close to nothing', () => {
    const odds = binomialTail(256, 29 / 5632, 31);
    expect(odds / 1.1326263e-33).toBeCloseTo(1, 5);
  });

  it('falls with k and rises with p', () => {
    const by = (p: number, k: number): number => binomialTail(300, p, k);
    for (let k = 0; k < 299; k++) expect(by(0.3, k)).toBeGreaterThanOrEqual(by(0.3, k + 1) - 1e-12);
    for (let p = 0.05; p < 1; p += 0.05) expect(by(p, 100)).toBeLessThanOrEqual(by(p + 0.05, 100) + 1e-12);
  });
});
