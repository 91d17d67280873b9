import { expect, it } from 'vitest';
import { Random } from './random.ts';

it('the same seed gives the same numbers, on every machine', () => {
  const random = new Random(1);
  expect(Array.from({ length: 4 }, () => random.u32())).toEqual([2442144158, 3238099751, 3819917871, 2104621829]);
  const normals = new Float32Array(4);
  new Random(1).fillNormal(normals);
  expect(Array.from(normals)).toEqual([
    -0.7585761547088623, -1.732319951057434, 1.9568850994110107, -1.5425301790237427,
  ]);
});

it('fill continues the sequence of u32', () => {
  const one = new Random(7);
  const other = new Random(7);
  const block = new Uint32Array(100);
  one.fill(block);
  expect(Array.from(block)).toEqual(Array.from({ length: 100 }, () => other.u32()));
  expect(one.u32()).toBe(other.u32());
});

it.each(['normal', 'fillNormal'] as const)(
  '%s: moments and shares beyond 1, 2, 3 and 4 are those of a normal',
  (way) => {
    const n = 1_000_000;
    const values = new Float32Array(n);
    const random = new Random(3);
    if (way === 'normal') values.forEach((_, i) => (values[i] = random.normal()));
    else random.fillNormal(values);
    const moment = (power: number): number => values.reduce((sum, v) => sum + v ** power, 0) / n;
    expect(moment(1)).toBeCloseTo(0, 2);
    expect(moment(2)).toBeCloseTo(1, 2);
    expect(moment(3)).toBeCloseTo(0, 1);
    expect(moment(4)).toBeCloseTo(3, 1);
    // two-sided tails, each within five standard deviations of a binomial count
    for (const [limit, share] of [
      [1, 0.317310507863],
      [2, 0.045500263896],
      [3, 0.002699796063],
      [3.6541528853610088, 0.000258038],
      [4, 0.0000633424837],
    ]) {
      const beyond = values.reduce((count, v) => count + (Math.abs(v) > limit ? 1 : 0), 0);
      expect(Math.abs(beyond - n * share)).toBeLessThan(5 * Math.sqrt(n * share));
    }
    expect(values.includes(0)).toBe(false);
  },
);
