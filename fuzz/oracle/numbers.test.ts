// The fuzzer's oracle for rounding: to the nearest f16 or bf16 (ties to even), and to whole steps of an i8 scale.

import { describe, expect, it } from 'vitest';
import { BF16, F16, i8Fault, nearest } from './numbers.ts';

describe('nearest, rounding to a 16-bit type', () => {
  it.each([
    [65504, 65504],
    [65519.99, 65504],
    [65520, Number.POSITIVE_INFINITY],
    [-65520, Number.NEGATIVE_INFINITY],
    [1 + 2 ** -11, 1],
    [1 + 3 * 2 ** -11, 1 + 2 ** -9],
    [2 ** -24, 2 ** -24],
    [2 ** -25, 0],
    [2 ** -25 * 1.0001, 2 ** -24],
    [-(2 ** -14), -(2 ** -14)],
  ])('rounds %d to %d in f16', (value, expected) => {
    expect(nearest(F16, value)).toBe(value < 0 && expected === 0 ? -0 : expected);
  });

  it.each([
    [1 + 2 ** -8, 1],
    [1 + 3 * 2 ** -8, 1 + 2 ** -6],
    [3.3895313892515355e38, 3.3895313892515355e38],
    [3.4028234663852886e38, Number.POSITIVE_INFINITY],
    [2 ** -134, 0],
    [2 ** -133, 2 ** -133],
  ])('rounds %d to %d in bf16', (value, expected) => {
    expect(nearest(BF16, value)).toBe(expected);
  });

  it('returns NaN for NaN', () => {
    expect(nearest(F16, Number.NaN)).toBeNaN();
  });
});

describe('i8Fault, with a largest magnitude of 127 and so a step of 1', () => {
  it.each([
    [2.5, 2],
    [3.5, 4],
    [-2.5, -2],
    [3.2, 3],
    [127, 127],
  ])('accepts that %d is stored as %d', (value, stored) => {
    expect(i8Fault(value, stored, 127)).toBeNull();
  });

  it.each([
    [2.5, 3, 'even'],
    [3.2, 4, 'half a step'],
    [3.2, 3.2, 'a multiple'],
    [3.2, Number.POSITIVE_INFINITY, 'finite'],
  ])('rejects that %d is stored as %d', (value, stored, why) => {
    expect(i8Fault(value, stored, 127)).toContain(why);
  });
});
