// The fuzzer's oracle for y = A x: its product, and the tolerance within which a kernel's sum is correct.

import { expect, it } from 'vitest';
import { entriesOf } from './matrix.ts';
import { product, sumFault } from './product.ts';

it('the product uses non-zeros only, so NaN times a zero adds nothing', () => {
  const entries = entriesOf({ rows: 2, cols: 3, cells: Float32Array.of(1, 0, 2, 0, -0, 0) });
  const { y, magnitude, terms } = product(2, entries, Float32Array.of(-3, Number.NaN, 4));
  expect([...y]).toEqual([5, 0]);
  expect([...magnitude]).toEqual([11, 0]);
  expect([...terms]).toEqual([2, 0]);
});

it.each([
  [5, 5, null],
  [Number.NaN, Number.NaN, null],
  [1 + 2 ** -23, 1 + 2 ** -24, null],
  [Number.POSITIVE_INFINITY, 3.5e38, null],
  [1.001, 1, 'found 1.001'],
  [Number.NaN, 1, 'found NaN'],
  [1, Number.NaN, 'expected NaN'],
  [Number.POSITIVE_INFINITY, 1e38, 'found Infinity'],
  [Number.NEGATIVE_INFINITY, 3.5e38, 'found -Infinity'],
])('sumFault compares the sum %d with the exact sum %d: %s', (sum, expected, fault) => {
  const text = sumFault(sum, expected, Math.abs(expected), 1, 0);
  if (fault === null) expect(text).toBeNull();
  else expect(text).toContain(fault);
});

it('sumFault accepts Infinity if the magnitudes of the terms overflow f32, whatever their exact sum', () => {
  expect(sumFault(Number.POSITIVE_INFINITY, -65536, 2.3e77, 5, 0)).toBeNull();
});
