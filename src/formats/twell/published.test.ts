import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
/**
 * Checks what docs/formats/twell.md says about the kernels that the TwELL paper published, if a tile row has more
 * non-zeros than slots. Simulates the words that the kernels store and read again. Source: listings 1 (stores words),
 * 2 (reads them) and 4 (makes the hybrid).
 */

/** Padding words after a tile row in workgroup memory, against bank conflicts; they are never written to memory. */
const PADDING_WORDS = 4;
/** The count among words that contain non-zeros, which are numbered from 1. */
const COUNT_WORD = 0;
/** A word that nothing was stored in. */
const UNUSED_WORD = -1;

/** Whether the index of a word is taken modulo the slots (`LOOP_OVERFLOW_STORAGE` of listing 1) or continues. */
type BeyondSlots = 'wraps' | 'goes on';

/**
 * The words from the start of a row on in workgroup memory once its `count` non-zeros are stored: the number of a
 * non-zero, COUNT_WORD or UNUSED_WORD. The first `slots` of them are written to memory, PADDING_WORDS follow, and then
 * the row below begins. O(count + slots).
 */
function storedWords(count: number, slots: number, beyond: BeyondSlots): Int32Array {
  const words = new Int32Array(Math.max(slots + PADDING_WORDS, beyond === 'wraps' ? 0 : count + 1)).fill(UNUSED_WORD);
  words[0] = COUNT_WORD;
  for (let i = 0; i < count; i++) words[beyond === 'wraps' ? (i % slots) + 1 : i + 1] = i + 1;
  return words;
}

/**
 * What the reader reads as the non-zeros 1 to `count`: it reads from lane 1, 2 ... of a warp that contains the `slots` words,
 * and a warp wraps around after its last lane. O(count).
 */
const readWords = (words: Int32Array, count: number, slots: number): Int32Array =>
  Int32Array.from({ length: count }, (_, i) => words[(i + 1) % slots]);

/** The differences between the non-zeros that were stored and those that were read. */
interface Loss {
  /** non-zeros that are not read, numbered from 1 */
  readonly lost: readonly number[];
  /** those that are read more than once */
  readonly repeated: readonly number[];
  /** how often the count is read as a non-zero: the upper half of its word, the value, is 0 */
  readonly countsRead: number;
}

/** O(count). */
function lossOf(read: Int32Array): Loss {
  const times = new Uint32Array(read.length + 1);
  for (const word of read) if (word !== UNUSED_WORD) times[word]++;
  const numbers = Array.from({ length: read.length }, (_, i) => i + 1);
  return {
    lost: numbers.filter((number) => times[number] === 0),
    repeated: numbers.filter((number) => times[number] > 1),
    countsRead: times[COUNT_WORD],
  };
}

/** The count of a row according to listing 4, which clamps the count of every tile to the slots, and adds those up. */
const clampedCount = (tileCounts: readonly number[], slots: number): number =>
  tileCounts.reduce((sum, count) => sum + Math.min(count, slots), 0);

/** Slots of a tile row in the paper. */
const SLOTS = 32;

const lossAt = (count: number, beyond: BeyondSlots): ReturnType<typeof lossOf> =>
  lossOf(readWords(storedWords(count, SLOTS, beyond), count, SLOTS));

describe('the published kernels of TwELL', () => {
  it('the published kernels of TwELL are right up to 31 non-zeros in 32 words, wrapping or not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 31 }), fc.constantFrom('wraps', 'goes on'), (count, beyond) => {
        expect(lossAt(count, beyond)).toEqual({ lost: [], repeated: [], countsRead: 0 });
      }),
    );
  });

  it('lose the 32nd non-zero and read the count instead, wrapping or not', () => {
    for (const beyond of ['wraps', 'goes on'] as const) {
      expect(storedWords(32, SLOTS, beyond)[32]).toBe(32);
      expect(lossAt(32, beyond)).toEqual({ lost: [32], repeated: [], countsRead: 1 });
    }
  });

  it('wrap the 33rd non-zero around to word 1: the first and the 32nd are lost, the 33rd is read twice', () => {
    expect(storedWords(33, SLOTS, 'wraps')[1]).toBe(33);
    expect(lossAt(33, 'wraps')).toEqual({ lost: [1, 32], repeated: [33], countsRead: 1 });
  });

  it('write, without wrapping, non-zeros 32 to 35 into the padding and the 36th over the count of the row below', () => {
    expect(storedWords(33, SLOTS, 'goes on')[33]).toBe(33);
    expect(lossAt(33, 'goes on')).toEqual({ lost: [32, 33], repeated: [1], countsRead: 1 });
    expect(storedWords(36, SLOTS, 'goes on')[SLOTS + PADDING_WORDS]).toBe(36);
    expect(storedWords(35, SLOTS, 'goes on').length).toBe(SLOTS + PADDING_WORDS);
  });

  it('never touch the count of their row, and read as many as there are', () => {
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
