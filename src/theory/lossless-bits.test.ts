import { expect, it } from 'vitest';
import { finish } from '../core/job.ts';
import { denseMatrix } from '../core/matrix/index.ts';
import { losslessSteps } from './lossless-bits.ts';

const bitsOf = (...cells: readonly number[]) =>
  finish(losslessSteps([denseMatrix(1, cells.length, Float32Array.from(cells))]));

it('four exponents that are equally frequent take two bits, with sign and mantissa ten in bf16', () => {
  expect(bitsOf(1, -2, 4, 8)).toEqual({ type: 'bf16', exponentBits: 2, bits: 10, bitsAsBf16: 10 });
  // 1 + 2^-8 is an f16, but no bf16.
  expect(bitsOf(1 + 2 ** -8, -2, 4, 8)).toEqual({ type: 'f16', exponentBits: 2, bits: 13, bitsAsBf16: 10 });
});

it('one exponent takes no bits, zeros that are not stored count, and no weights have no bits', () => {
  expect(bitsOf(1, 1.5, -1.25)).toMatchObject({ exponentBits: 0, bits: 8 });
  expect(bitsOf(0, 0, 0, 1).exponentBits).toBeCloseTo(2 - 0.75 * Math.log2(3), 12);
  expect(bitsOf().bits).toBeNaN();
});
