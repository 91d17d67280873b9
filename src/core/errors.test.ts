import { expect, it } from 'vitest';
import { ReadError, seen } from './errors.ts';

it('an error that quotes a file stays on one visible line', () => {
  const error = new ReadError("a.csv: line 1: found '1\u0000\n2\u202e3\t4', expected a number");
  expect(error.message).toBe("a.csv: line 1: found '1␀␊2\ufffd3\t4', expected a number");
});

it('ordinary text is unchanged', () => {
  expect(seen('größe.npy: 3 µs, 日本 👩‍🔬')).toBe('größe.npy: 3 µs, 日本 👩‍🔬');
});
