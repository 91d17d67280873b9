import { expect, it } from 'vitest';
import { endOf, megabytes, paceOf, pairOf, stretchWords, zerosOf } from './visit-words.ts';

const plain = (text: string): string => text.replaceAll('\u202f', ' ');

it('says how much of a matrix is zeros', () => {
  expect([0.5, 0.3, 0.95].map((left) => plain(zerosOf(left)))).toEqual(['Half', '70 %', '5 %']);
});

it('says of a stretch that is not like the matrix why it was chosen', () => {
  // 7 of 32 beside "Half of this matrix is zeros".
  expect(stretchWords(7, 32, 0.5)).toBe(', chosen for its long gap');
  for (const weights of [14, 15, 16, 17, 18]) expect(stretchWords(weights, 32, 0.5)).toBe('');
  for (const weights of [13, 19, 32]) expect(stretchWords(weights, 32, 0.5)).toBe(', chosen for its long gap');
  expect(stretchWords(3, 12, 0.5)).toBe(', chosen for its long gap');
});

it('says a unit once for both, unless they differ', () => {
  expect(plain(`${megabytes(73_434_000)} instead of ${megabytes(117_440_512, true)}`)).toBe('73.4 MB instead of 117.4');
  expect(plain(pairOf(23_900, 30_068))).toBe('23.9 µs instead of 30.1');
  expect(plain(pairOf(900_000, 1_200_000))).toBe('900 µs instead of 1.20 ms');
});

it('does not call a device faster on which the format is slower', () => {
  expect(endOf({ a: 1, b: 2, isSoftware: false })).toBe('so the GPU is done with it in');
  expect(endOf({ a: 2, b: 1, isSoftware: false })).toBe('yet this GPU takes');
  expect(endOf({ a: 1, b: 2, isSoftware: true })).toBe('so this computer’s software GPU is done with it in');
  expect(endOf({ a: 2, b: 1, isSoftware: true })).toBe('yet this computer’s software GPU takes');
});

it('says by how much the picture is slower, or faster, than it is', () => {
  expect([null, 1, 2, 0.5].map(paceOf)).toEqual([
    '',
    '',
    ', shown 2 times slower than it is',
    ', shown 2 times faster than it is',
  ]);
});
