import { expect, it } from 'vitest';
import { isNetworkError, messageOf, ReadError, withVisibleSigns } from './errors.ts';

it('an error that quotes a file stays on one visible line', () => {
  const error = new ReadError("a.csv: line 1: found '1\u0000\n2\u202e3\t4', expected a number");
  expect(error.message).toBe("a.csv: line 1: found '1␀␊2\ufffd3\t4', expected a number");
});

it('marks of text direction are seen, or become what is asked for', () => {
  const marks = ['\u061c', '\u200e', '\u200f', '\u202a', '\u2066', '\u2069', '\u009b', '\u2028'];
  for (const mark of marks) expect(withVisibleSigns(`a${mark}b`), mark.codePointAt(0)?.toString(16)).toBe('a\ufffdb');
  expect(withVisibleSigns('a\u001bb\u202ec', (unseen) => `<${unseen.codePointAt(0)}>`)).toBe('a<27>b<8238>c');
});

it('ordinary text is unchanged', () => {
  expect(withVisibleSigns('größe.npy: 3 µs, 日本 👩‍🔬')).toBe('größe.npy: 3 µs, 日本 👩‍🔬');
});

it.each([
  'Failed to fetch dynamically imported module: https://example.org/assets/open.worker-Cfm.js',
  'error loading dynamically imported module: https://example.org/assets/open.worker-Cfm.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/compare-Bd1.css',
])('code that has not arrived is no address: %s', (message) => {
  expect(messageOf(new TypeError(message))).toBe('the network did not answer');
  expect(isNetworkError(new TypeError(message))).toBe(true);
});

it('only what the network failed may succeed with it', () => {
  const answers = [
    'a.mtx: the network did not answer',
    'https://a.org/a.npz: found no answer (Failed to fetch)',
    'a.csv: line 1',
  ];
  expect(answers.map((message) => isNetworkError(new ReadError(message)))).toEqual([true, true, false]);
});
