import { expect, test } from 'vitest';
import { leftText, odds, percentOf, roughLeft } from './shares.ts';

test.each([
  [0.683, '68\u202f%'],
  [0.0527, '5.3\u202f%'],
  [1, '100\u202f%'],
])('%f left is %s in a sentence: two digits', (left, text) => {
  expect(roughLeft(left)).toBe(text);
});

test.each([
  [0.1256, '12.6\u202f%'],
  [0.0001, '0.01\u202f%'],
])('%f left is %s beside a control: three digits', (left, text) => {
  expect(leftText(left)).toBe(text);
});

test('an odd has three digits, however small', () => {
  expect([0, 0.5, 0.00123, 1.1e-33, 1].map(odds)).toEqual([
    '0',
    '50\u202f%',
    '0.123\u202f%',
    '1.1e\u221233',
    '100\u202f%',
  ]);
});

test('a percentage has none of the digits that binary fractions add', () => {
  expect(percentOf(0.07)).toBe(7);
});
