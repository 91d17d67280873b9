import { popcount } from './half-words.ts';

/** The number of non-empty square blocks of a matrix: blocks begin at multiples of `size` in both directions. */
export interface BlockCounts {
  readonly size: number;
  /** blocks with at least one non-zero */
  readonly stored: number;
}

/** By size of a block, a word in which the lowest bit of each block is 1. */
const LOWEST_BITS: Record<number, number> = { 1: ~0, 2: 0x55555555, 4: 0x11111111, 8: 0x01010101, 16: 0x00010001 };

/** Counts the blocks of one size, row by row from the first on. */
export class BlockCounter {
  readonly #size: number;
  readonly #rows: number;
  /** the rows so far of this block row, as bits */
  readonly #blockRowBits: Uint32Array;
  /** by block column: the block row in which it was last non-empty, plus 1 */
  readonly #lastBlockRow: Uint32Array;
  #stored = 0;

  constructor(size: number, rows: number, cols: number) {
    this.#size = size;
    this.#rows = rows;
    this.#blockRowBits = new Uint32Array(Math.ceil(cols / 32));
    this.#lastBlockRow = new Uint32Array(Math.ceil(cols / size));
  }

  /** Whether rows can be added by their bits. */
  get takesBits(): boolean {
    return this.#size in LOWEST_BITS;
  }

  /** Adds a row by its bits, as `RowPatterns` reads them. O(cols / 32). */
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
