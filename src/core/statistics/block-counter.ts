import { popcount } from './half-words.ts';

/** The number of non-empty square blocks of a matrix: blocks begin at multiples of `size` in both directions. */
export interface BlockCounts {
  readonly size: number;
  /** blocks with at least one non-zero */
  readonly stored: number;
}

/** By block size: a word in which the lowest bit of each block is 1. */
const LOWEST_BITS: Record<number, number> = { 1: ~0, 2: 0x55555555, 4: 0x11111111, 8: 0x01010101, 16: 0x00010001 };

/** Counts the blocks of one size, row by row from the first on. */
export class BlockCounter {
  readonly #size: number;
  readonly #rows: number;
  /** for `addBits`: the OR of the rows so far in the current block row */
  readonly #blockRowBits: Uint32Array;
  /** for `addEntries`, by block column: the last block row with a non-zero in it, plus 1 */
  readonly #lastBlockRow: Uint32Array;
  #stored = 0;

  constructor(size: number, rows: number, cols: number) {
    this.#size = size;
    this.#rows = rows;
    this.#blockRowBits = new Uint32Array(Math.ceil(cols / 32));
    this.#lastBlockRow = new Uint32Array(Math.ceil(cols / size));
  }

  /** Whether `addBits` supports this size. */
  get takesBits(): boolean {
    return this.#size in LOWEST_BITS;
  }

  /** Adds a row as bits: bit c % 32 of word c / 32 is 1 if column c holds a non-zero. O(cols / 32). */
  addBits(row: number, words: Uint32Array): void {
    const bits = this.#blockRowBits;
    const size = this.#size;
    for (let w = 0; w < bits.length; w++) bits[w] |= words[w];
    if (row % size !== size - 1 && row !== this.#rows - 1) return;
    const lowest = LOWEST_BITS[size];
    for (let w = 0; w < bits.length; w++) {
      let word = bits[w];
      // ORs every bit of a block into its lowest one.
      for (let shift = 1; shift < size; shift *= 2) word |= word >>> shift;
      this.#stored += popcount(word & lowest);
      bits[w] = 0;
    }
  }

  /** Adds a row by the first n of its ascending columns. O(n). */
  addEntries(row: number, columns: Uint32Array, n: number): void {
    const lastBlockRow = this.#lastBlockRow;
    const size = this.#size;
    const blockRow = Math.floor(row / size) + 1;
    for (let i = 0; i < n; i++) {
      const j = Math.floor(columns[i] / size);
      if (lastBlockRow[j] === blockRow) continue;
      lastBlockRow[j] = blockRow;
      this.#stored++;
    }
  }

  counts(): BlockCounts {
    return { size: this.#size, stored: this.#stored };
  }
}
