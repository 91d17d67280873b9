/**
 * The behaviour of the published kernels for a tile row that has more non-zeros than slots. The encoder refuses such a
 * row and uses nothing of this: the story shows it along with the refusal.
 * Source: TwELL paper, listings 1 (stores words), 2 (reads them) and 4 (makes the hybrid).
 */

/** Padding words after a tile row in workgroup memory, against bank conflicts; they are never written to memory. */
export const PADDING_WORDS = 4;
/** Lanes of a warp: listing 4 gives one to each tile of a row, and has none for further tiles. */
export const CONVERTED_TILES = 32;

/** The count among words that hold non-zeros, which are numbered from 1. */
export const COUNT_WORD = 0;
/** A word that nothing was stored in. */
export const UNUSED_WORD = -1;

/** Whether the index of a word is taken modulo the slots (`LOOP_OVERFLOW_STORAGE` of listing 1) or continues. */
export type BeyondSlots = 'wraps' | 'goes on';

/**
 * The words from the start of a row on in workgroup memory once its `count` non-zeros are stored: the number of a
 * non-zero, COUNT_WORD or UNUSED_WORD. The first `slots` of them are written to memory, PADDING_WORDS follow, and then
 * the row below begins. O(count + slots).
 */
export function storedWords(count: number, slots: number, beyond: BeyondSlots): Int32Array {
  const words = new Int32Array(Math.max(slots + PADDING_WORDS, beyond === 'wraps' ? 0 : count + 1)).fill(UNUSED_WORD);
  words[0] = COUNT_WORD;
  for (let i = 0; i < count; i++) words[beyond === 'wraps' ? (i % slots) + 1 : i + 1] = i + 1;
  return words;
}

/**
 * What the reader reads as the non-zeros 1 to `count`: it asks lane 1, 2 ... of a warp that holds the `slots` words,
 * and a warp wraps around after its last lane. O(count).
 */
export function readWords(words: Int32Array, count: number, slots: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => words[(i + 1) % slots]);
}

/** The errors of reading. */
export interface Loss {
  /** non-zeros that are not read, numbered from 1 */
  readonly lost: readonly number[];
  /** those that are read more than once */
  readonly repeated: readonly number[];
  /** how often the count is read as a non-zero: the upper half of its word, the value, is 0 */
  readonly countsRead: number;
}

/** O(count). */
export function lossOf(read: Int32Array): Loss {
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
export function clampedCount(tileCounts: readonly number[], slots: number): number {
  return tileCounts.reduce((sum, count) => sum + Math.min(count, slots), 0);
}

/**
 * How many times as fast whole sparse models run forward as dense ones, on tensor cores of an H100: the least and the most
 * of four sizes. Source: TwELL paper, table 1, input tokens per ms, +17.0 % to +20.5 %.
 */
export const WHOLE_MODELS = { min: 1.17, max: 1.205 } as const;
