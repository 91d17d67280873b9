import { expect, it } from 'vitest';
import { shareText } from './rounded.ts';

it.each([
  [0, '0'],
  [0.0004, '<0.1'],
  [0.0029, '0.3'],
  [0.42, '42'],
  [0.997, '99.7'],
  [0.9999, '>99.9'],
  [1, '100'],
  [1.067, '106.7'],
  [64, '6\u202f400'],
])('the share %d is written without false precision: %s %%', (share, text) => {
  expect(shareText(share)).toBe(`${text}\u202f%`);
});
