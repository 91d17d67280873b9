import { describe, expect, it } from 'vitest';
import { FormatError } from '../errors.ts';
import { quantise, STEP_SHARE, MIN_ABSMAX } from './quantise.ts';

it('quantise has a finite scale for activations of the largest f32', () => {
  const largest = (2 - 2 ** -23) * 2 ** 127;
  const { scale, inverse, values } = quantise(Float32Array.of(largest, 1, 0, -3.4e38));
  expect(Array.from(values)).toEqual([127, 0, 0, -127]);
  expect(inverse).toBeGreaterThanOrEqual(2 ** -126);
  // 1 / 127 is rounded down, so 127 steps are never beyond the largest magnitude by more than one rounding.
  expect(127 * STEP_SHARE).toBeLessThan(1);
  expect(Math.fround(127 * scale)).toBeLessThanOrEqual(largest);
});

describe('quantise: a row of activations as i8 with one scale', () => {
  it('rounds half to even under one scale', () => {
    const q = quantise(Float32Array.of(127, 0.5, 1.5, -2.5, -127, 0));
    expect(q.scale).toBe(1);
    expect(Array.from(q.values)).toEqual([127, 0, 2, -2, -127, 0]);
  });

  it.each([2 ** -9, 2 ** -12, 1e-6, 1e-30, 1, 65505, 1e30])(
    'a row of absmax %s round-trips within half a step: scale and inverse match',
    (absmax) => {
      const x = Float32Array.of(absmax, -absmax, absmax / 3, 0);
      const q = quantise(x);
      expect(q.values[0]).toBe(127);
      x.forEach((value, i) => expect(Math.abs(q.values[i] * q.scale - value)).toBeLessThanOrEqual(0.5001 * q.scale));
    },
  );

  it('returns zeros for a row of zeros, for one below every scale, and for none', () => {
    expect(Array.from(quantise(new Float32Array(3)).values)).toEqual([0, 0, 0]);
    expect(Array.from(quantise(Float32Array.of(MIN_ABSMAX / 1000, 0)).values)).toEqual([0, 0]);
    expect(quantise(new Float32Array(0)).values).toHaveLength(0);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'rejects %s and names its column',
    (value) => {
      expect(() => quantise(Float32Array.of(1, 2, value, Number.NaN))).toThrow(
        new FormatError(`activations: found ${value} at column 2, expected finite values for i8`),
      );
    },
  );

  it('returns 127 for equal magnitudes', () => {
    expect(Array.from(quantise(Float32Array.of(-3, 3, 3)).values)).toEqual([-127, 127, 127]);
  });
});
