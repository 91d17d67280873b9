import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BeyondSlots,
  clampedCount,
  COUNT_WORD,
  lossOf,
  PADDING_WORDS,
  readWords,
  storedWords,
} from './published.ts';

/** Slots of a tile row in the paper. */
const SLOTS = 32;

const lossAt = (count: number, beyond: BeyondSlots): ReturnType<typeof lossOf> =>
  lossOf(readWords(storedWords(count, SLOTS, beyond), count, SLOTS));

describe('the published kernels', () => {
  it('are right up to 31 non-zeros in 32 words, wrapping or not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 31 }), fc.constantFrom('wraps', 'goes on'), (count, beyond) => {
        expect(lossAt(count, beyond)).toEqual({ lost: [], repeated: [], countsRead: 0 });
      }),
    );
  });

  it('lose the 32nd and read the count instead, wrapping or not', () => {
    for (const beyond of ['wraps', 'goes on'] as const) {
      expect(storedWords(32, SLOTS, beyond)[32]).toBe(32);
      expect(lossAt(32, beyond)).toEqual({ lost: [32], repeated: [], countsRead: 1 });
    }
  });

  it('wrap the 33rd around to word 1: the first and the 32nd are lost, the 33rd is read twice', () => {
    expect(storedWords(33, SLOTS, 'wraps')[1]).toBe(33);
    expect(lossAt(33, 'wraps')).toEqual({ lost: [1, 32], repeated: [33], countsRead: 1 });
  });

  it('without wrapping write four into the padding and the 36th on the count of the row below', () => {
    expect(storedWords(33, SLOTS, 'goes on')[33]).toBe(33);
    expect(lossAt(33, 'goes on')).toEqual({ lost: [32, 33], repeated: [1], countsRead: 1 });
    expect(storedWords(36, SLOTS, 'goes on')[SLOTS + PADDING_WORDS]).toBe(36);
    expect(storedWords(35, SLOTS, 'goes on').length).toBe(SLOTS + PADDING_WORDS);
  });

  it('never touch the count of their own row, and read as many as there are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 256 }),
        fc.constantFrom(1, 2, 4, 32, 128),
        fc.constantFrom('wraps', 'goes on'),
        (count, slots, beyond) => {
          const words = storedWords(count, slots, beyond);
          expect(words[0]).toBe(COUNT_WORD);
          const read = readWords(words, count, slots);
          const { lost, repeated, countsRead } = lossOf(read);
          expect(read.length).toBe(count);
          expect(countsRead).toBe(Math.floor(count / slots));
          expect(lost.length > 0).toBe(count >= slots);
          for (const number of repeated) expect(lost).not.toContain(number);
        },
      ),
    );
  });

  it('clamp the count of every tile before they add it up', () => {
    expect(clampedCount([33, 2, 0], SLOTS)).toBe(34);
    expect(clampedCount([31, 32], SLOTS)).toBe(63);
    expect(clampedCount([], SLOTS)).toBe(0);
  });
});
