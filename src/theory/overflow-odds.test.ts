import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../core/number/random.ts';
import { rowOverflowProbability, tileRowOverflowShare, binomialTail } from './overflow-odds.ts';

/**
 * The tail of a binomial distribution (the probability of more than `capacity` non-zeros among n cells), computed with
 * whole numbers: the sum of C(n, k) a^k (b - a)^(n - k) over k > capacity, divided by b^n. p = a / b.
 */
function exactTail(n: number, a: number, b: number, capacity: number): number {
  let sum = 0n;
  let choose = 1n;
  for (let k = 0; k <= n; k++) {
    if (k > capacity) sum += choose * BigInt(a) ** BigInt(k) * BigInt(b - a) ** BigInt(n - k);
    choose = (choose * BigInt(n - k)) / BigInt(k + 1);
  }
  if (sum === 0n) return 0;
  const total = BigInt(b) ** BigInt(n);
  // Seventeen digits, then the power of ten: a quotient of whole numbers has no exponent.
  let tens = 0;
  while (sum * 10n ** BigInt(tens) < total * 10n ** 17n) tens++;
  return Number(`${(sum * 10n ** BigInt(tens)) / total}e-${tens}`);
}

describe('binomialTail', () => {
  it('binomialTail is the tail of the binomial distribution, however small', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 256 }),
        fc.integer({ min: 0, max: 1000 }),
        fc.nat(256),
        (n, a, capacity) => {
          const exact = exactTail(n, a, 1000, capacity);
          const tail = binomialTail(n, a / 1000, capacity);
          expect(Math.abs(tail - exact)).toBeLessThanOrEqual(Math.max(1e-11 * exact, 2 ** -1074));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('binomialTail is right to the last unit where f64 has few digits: P(more than 143 of 239) at 2 of 1000', () => {
    const exact = exactTail(239, 2, 1000, 143);
    expect(exact).toBe(1105 * 2 ** -1074);
    expect(binomialTail(239, 2 / 1000, 143)).toBe(exact);
  });

  it('binomialTail is 0 if everything fits, and 1 if nothing is 0', () => {
    expect(binomialTail(8, 0.5, 8)).toBe(0);
    expect(binomialTail(8, 0, 0)).toBe(0);
    expect(binomialTail(8, 1, 7)).toBe(1);
    expect(binomialTail(0, 0.5, 0)).toBe(0);
  });
});

describe('figures of the TwELL paper: 5632 columns in tiles of 256 with a 32-word tile row, one word being the count', () => {
  const tiling = { cols: 5632, width: 256, capacity: 31 };
  it('a tile row of an average token with 29 non-zeros overflows with a probability between 1e-35 and 2e-33', () => {
    expect(tileRowOverflowShare(tiling, 29) / 1.13e-33).toBeCloseTo(1, 2);
    expect(tileRowOverflowShare({ ...tiling, capacity: 32 }, 29) / 3.97e-35).toBeCloseTo(1, 2);
  });
  it('a row with 400 non-zeros overflows with probability 3 %, one with 500 with probability 1/2', () => {
    expect(rowOverflowProbability(tiling, 400)).toBeCloseTo(0.0304, 4);
    expect(rowOverflowProbability(tiling, 500)).toBeCloseTo(0.5053, 4);
  });
});

describe('rows and tile rows', () => {
  it('overflow as often as in a simulation with random non-zeros and a narrower last tile', () => {
    const tiling = { cols: 40, width: 16, capacity: 5 };
    const random = new Random(1);
    const rows = 20_000;
    let overflowingTileRows = 0;
    let overflowingRows = 0;
    for (let r = 0; r < rows; r++) {
      const counts = [0, 0, 0];
      for (let c = 0; c < 40; c++) if (random.uniform() < 0.25) counts[Math.floor(c / 16)]++;
      const overflows = counts.filter((n) => n > 5).length;
      overflowingTileRows += overflows;
      overflowingRows += overflows > 0 ? 1 : 0;
    }
    expect(tileRowOverflowShare(tiling, 10)).toBeCloseTo(overflowingTileRows / (3 * rows), 2);
    expect(rowOverflowProbability(tiling, 10)).toBeCloseTo(overflowingRows / rows, 1);
  });
  it('never overflow without columns, and always if all are non-zero', () => {
    expect(rowOverflowProbability({ cols: 0, width: 16, capacity: 2 }, 0)).toBe(0);
    expect(tileRowOverflowShare({ cols: 0, width: 16, capacity: 2 }, 0)).toBe(0);
    expect(rowOverflowProbability({ cols: 32, width: 16, capacity: 2 }, 32)).toBe(1);
    expect(rowOverflowProbability({ cols: 9, width: 16, capacity: 2 }, 9)).toBe(1);
    expect(rowOverflowProbability({ cols: 9, width: 16, capacity: 9 }, 9)).toBe(0);
    expect(tileRowOverflowShare({ cols: 32, width: 16, capacity: 2 }, 32)).toBe(1);
  });
});
