import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSpan, spanText } from './WindowColumn.tsx';

it('reads what it writes', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.integer({ min: 1, max: 64 }), (from, count) => {
      expect(readSpan(spanText({ from, count }), from + count, 64)).toEqual({ from, count });
    }),
  );
});

it.each(['8 to 12', ' 8-12 ', '8 – 12', '8 12'])('reads %s', (text) => {
  expect(readSpan(text, 13, 64)).toEqual({ from: 8, count: 5 });
});

it.each([
  ['', 'Found nothing, expected numbers from 0 to 12, such as 0 to 4.'],
  ['five', 'Found five, expected numbers from 0 to 12, such as 0 to 4.'],
  ['9 to 13', 'Found 9 to 13, expected numbers from 0 to 12, such as 0 to 4.'],
  ['9 to 8', 'Found 9 to 8, expected numbers from 0 to 12, such as 0 to 4.'],
  ['1.5', 'Found 1.5, expected numbers from 0 to 12, such as 0 to 4.'],
  ['0 to 11', 'Found 12, expected at most 11.'],
])('explains what is wrong with "%s"', (text, message) => {
  expect(readSpan(text, 13, 11)).toBe(message);
});

it('names the only number that there is', () => {
  expect(readSpan('1', 1, 11)).toBe('Found 1, expected numbers from 0 to 0, such as 0.');
});
