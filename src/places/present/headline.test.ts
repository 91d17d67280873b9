import { expect, test } from 'vitest';
import { headlineOf, lengthOf } from './headline.ts';

const text = (words: readonly { readonly text: string }[]): string => words.map((word) => word.text).join('');

test('the first sentence is separate from the others', () => {
  const { first, rest } = headlineOf([
    { text: 'Column 29 is ' },
    { text: '17', strong: true },
    { text: ' past column 12. A 4-bit delta reaches 0.5 of that. ' },
    { text: 'More', strong: true },
  ]);
  expect(text(first)).toBe('Column 29 is 17 past column 12.');
  expect(first[1]).toEqual({ text: '17', strong: true });
  expect(text(rest)).toBe('A 4-bit delta reaches 0.5 of that. More');
});

test('a sentence that ends with its piece is one, and numbers end none', () => {
  const { first, rest } = headlineOf([{ text: 'The value is 0.25 of 1.5.', strong: true }, { text: ' It stays.' }]);
  expect(text(first)).toBe('The value is 0.25 of 1.5.');
  expect(text(rest)).toBe(' It stays.');
  expect(headlineOf([{ text: 'no end' }])).toEqual({ first: [{ text: 'no end' }], rest: [] });
  expect(lengthOf(first)).toBe(25);
});
