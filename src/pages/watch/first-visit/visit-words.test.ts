import { expect, it } from 'vitest';
import { headlineEnding, megabytes, paceText, pairText, zerosText } from './visit-words.ts';

const plain = (text: string): string => text.replaceAll('\u202f', ' ');

it('names the share of zeros', () => {
  expect([0.5, 0.3, 0.95].map((left) => plain(zerosText(left)))).toEqual(['Half', '70 %', '5 %']);
});

it('names a unit once for both, unless they differ', () => {
  expect(plain(`${megabytes(73_434_000)} instead of ${megabytes(117_440_512, true)}`)).toBe('73.4 MB instead of 117.4');
  expect(plain(pairText(23_900, 30_068))).toBe('23.9 µs instead of 30.1');
  expect(plain(pairText(900_000, 1_200_000))).toBe('900 µs instead of 1.20 ms');
});

it('does not call a format faster on a device where it is slower', () => {
  const output = (a: number, b: number, isSoftware: boolean): string =>
    plain(headlineEnding({ a, b, isSoftware }).join(' '));
  expect(output(23_900, 30_068, false)).toBe(' and takes 23.9 µs instead of 30.1 ');
  expect(output(30_068, 23_900, false)).toBe(', yet takes 30.1 µs instead of 23.9 ');
  expect(output(23_900, 30_068, true)).toBe(' and takes 23.9 µs instead of 30.1  on this computer’s software GPU');
});

it('names the factor by which the animation is slower or faster', () => {
  expect([null, 1, 100_000, 0.5].map(paceText).map(plain)).toEqual(['', '', '100 000 times slower', '2 times faster']);
});
