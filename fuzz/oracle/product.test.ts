import { expect, it } from 'vitest';
import { entriesOf } from './matrix.ts';
import { product, sumFault } from './product.ts';

it('multiplies the non-zeros, and nothing else', () => {
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
])('%d for %d: %s', (found, expected, fault) => {
  const text = sumFault(found, expected, Math.abs(expected), 1, 0);
  if (fault === null) expect(text).toBeNull();
  else expect(text).toContain(fault);
});

it('where doubles cancel, a sum may overflow in one order and not in another', () => {
  expect(sumFault(Number.POSITIVE_INFINITY, -65536, 2.3e77, 5, 0)).toBeNull();
});
