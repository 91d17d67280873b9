import { expect, it } from 'vitest';
import { denseMatrix } from '../matrix/index.ts';
import { roundToF16 } from '../number/index.ts';
import { lossesOf } from './losses.ts';

const rowOf = (...values: number[]): ReturnType<typeof denseMatrix> =>
  denseMatrix(1, values.length, Float32Array.from(values));
const losses = (before: readonly number[], after: readonly number[]) => lossesOf(rowOf(...before), rowOf(...after));
const inF16 = (...values: number[]) => losses(values, values.map(roundToF16));

it.each([
  ['the largest f16', [65_504], [0, 0, 0]],
  ['a value just below half a step above it', [65_519], [0, 0, 1 - 65_504 / 65_519]],
  ['one at half a step, which becomes infinite', [65_520], [1, 0, 0]],
  ['70,000', [70_000, 1], [1, 0, 0]],
  ['1e6 and 1e-9', [1e6, 0, 1e-9], [1, 1, 0]],
  ['the smallest f16', [2 ** -24], [0, 0, 0]],
  ['half of it, which becomes 0', [-(2 ** -25)], [0, 1, 0]],
  ['more than half of it, which becomes twice as much', [1.5 * 2 ** -25], [0, 0, 1 / 3]],
  ['NaN and infinity, which are representable', [Number.NaN, Number.POSITIVE_INFINITY, 1], [0, 0, 0]],
  ['zeros', [0, 0], [0, 0, 0]],
] as const)('lossesOf counts overflow, underflow and error in f16 of %s', (_, values, [overflow, underflow, error]) => {
  expect(inF16(...values)).toEqual({ overflow, underflow, largestRelativeError: expect.closeTo(error, 7) as number });
});

it('lossesOf counts a value that became NaN as an overflow', () => {
  expect(losses([3, 1], [Number.NaN, 1])).toEqual({ overflow: 1, underflow: 0, largestRelativeError: 0 });
});

it('lossesOf reports an infinite error for a non-finite number, or a 0, that is stored as another number', () => {
  const wrong = { overflow: 0, underflow: 0, largestRelativeError: Number.POSITIVE_INFINITY };
  expect(losses([0, 1, 2], [5, 1, 2])).toEqual(wrong);
  expect(losses([1, 2, 0], [1, 2, 5])).toEqual(wrong);
  expect(losses([Number.POSITIVE_INFINITY], [65_504])).toEqual(wrong);
  expect(losses([Number.NaN], [1])).toEqual(wrong);
});
