import { expect, it } from 'vitest';
import { ReadError, seen } from './errors.ts';

it('an error that quotes a file stays one line that can be seen', () => {
  const error = new ReadError("a.csv: line 1: found '1\u0000\n2\u202e3\t4', expected a number");
  expect(error.message).toBe("a.csv: line 1: found '1␀␊2\ufffd3\t4', expected a number");
});

it('ordinary text stays as it is', () => {
  expect(seen('größe.npy: 3 µs, 日本 👩‍🔬')).toBe('größe.npy: 3 µs, 日本 👩‍🔬');
});
