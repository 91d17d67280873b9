import { expect, it } from 'vitest';
import { ReadError, withVisibleSigns } from './errors.ts';

it('an error that quotes a file stays on one visible line', () => {
  const error = new ReadError("a.csv: line 1: found '1\u0000\n2\u202e3\t4', expected a number");
  expect(error.message).toBe("a.csv: line 1: found '1␀␊2\ufffd3\t4', expected a number");
});

it('marks of text direction become visible, or are replaced as requested', () => {
  const marks = ['\u061c', '\u200e', '\u200f', '\u202a', '\u2066', '\u2069', '\u009b', '\u2028'];
  for (const mark of marks) expect(withVisibleSigns(`a${mark}b`), mark.codePointAt(0)?.toString(16)).toBe('a\ufffdb');
  expect(withVisibleSigns('a\u001bb\u202ec', (unseen) => `<${unseen.codePointAt(0)}>`)).toBe('a<27>b<8238>c');
});

it('ordinary text is unchanged', () => {
  expect(withVisibleSigns('größe.npy: 3 µs, 日本 👩‍🔬')).toBe('größe.npy: 3 µs, 日本 👩‍🔬');
});
