import { describe, expect, it } from 'vitest';
import { Random, shuffled } from './random.ts';

describe('Random', () => {
  it('returns the same sequence for the same seed, everywhere', () => {
    const random = new Random(1);
    const first = [random.u32(), random.u32(), random.u32()];
    expect(first).toEqual([2442144158, 3238099751, 3819917871]);
    expect(new Random(2).u32()).not.toBe(first[0]);
  });

  it('Random is uniform and normal to within the sampling error', () => {
    const random = new Random(7);
    const n = 100_000;
    let mean = 0;
    let normalMean = 0;
    let normalSquares = 0;
    for (let i = 0; i < n; i++) {
      mean += random.uniform() / n;
      const z = random.normal();
      normalMean += z / n;
      normalSquares += (z * z) / n;
    }
    expect(Math.abs(mean - 0.5)).toBeLessThan(5 * Math.sqrt(1 / 12 / n));
    expect(Math.abs(normalMean)).toBeLessThan(5 / Math.sqrt(n));
    expect(Math.abs(normalSquares - 1)).toBeLessThan(5 * Math.sqrt(2 / n));
  });

  it('draws whole numbers below n', () => {
    const random = new Random(3);
    const seen = new Set(Array.from({ length: 200 }, () => random.below(5)));
    expect([...seen].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
  });
});

it('shuffled keeps every value, and every order comes up', () => {
  const random = new Random(1);
  const seen = new Set<string>();
  for (let i = 0; i < 200; i++) {
    const order = shuffled(['a', 'b', 'c'], random);
    expect(order.toSorted()).toEqual(['a', 'b', 'c']);
    seen.add(order.join(''));
  }
  expect(seen.size).toBe(6);
});
