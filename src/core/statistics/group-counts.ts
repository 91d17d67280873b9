import { HALF_WORD_BITS, halfWordTables } from './half-words.ts';

/** How many non-zeros groups have: every row is divided into groups of `width` columns, from column 0 on. */
export interface GroupCounts {
  readonly width: number;
  /** counts[k]: groups with k non-zeros, k from 0 to width; the last group of a row may have fewer columns */
  readonly counts: Float64Array;
}

/** Counts the groups of one width, row by row. */
export class GroupCounter {
  readonly width: number;
  readonly #groupsOfRow: number;
  readonly #groups: number;
  /** groups by their non-zeros, without those in `patterns`; not every method counts empty groups, so `counts` computes element 0 */
  readonly #counts: Uint32Array;
  /** for a width below 16: how often each pattern of a group's non-zeros occurs in the rows added as bits */
  readonly patterns: Uint32Array;

  constructor(width: number, rows: number, cols: number) {
    this.width = width;
    this.#groupsOfRow = Math.ceil(cols / width);
    this.#groups = rows * this.#groupsOfRow;
    this.#counts = new Uint32Array(width + 1);
    this.patterns = new Uint32Array(width < HALF_WORD_BITS ? 2 ** width : 0);
  }

  /** Whether `addBits` supports this width. */
  get takesBits(): boolean {
    return this.width < HALF_WORD_BITS || this.width % HALF_WORD_BITS === 0;
  }

  /**
   * Adds a row as bits: bit c % 32 of word c / 32 is 1 if column c is a non-zero; a last word of 0 follows.
   * O(cols / min(width, 16)).
   */
  addBits(words: Uint32Array): void {
    if (this.width < HALF_WORD_BITS) this.#addNarrow(words);
    else this.#addWide(words);
  }

  #addNarrow(words: Uint32Array): void {
    const { width } = this;
    const { patterns } = this;
    const mask = 2 ** width - 1;
    for (let g = 0, at = 0; g < this.#groupsOfRow; g++, at += width) {
      const word = at >>> 5;
      const bit = at & 31;
      // A group may continue in the next word. Two shifts, since in JavaScript a shift by 32 is a shift by 0.
      const pattern = (words[word] >>> bit) | ((words[word + 1] << 1) << (31 - bit));
      patterns[pattern & mask]++;
    }
  }

  #addWide(words: Uint32Array): void {
    const counts = this.#counts;
    const { count } = halfWordTables();
    const halves = this.width / HALF_WORD_BITS;
    const end = (words.length - 1) * 2; // without the spare word
    for (let at = 0; at < end;) {
      let sum = 0;
      const groupEnd = Math.min(end, at + halves);
      for (; at < groupEnd; at++) sum += count[(words[at >>> 1] >>> ((at & 1) << 4)) & 0xffff];
      counts[sum]++;
    }
  }

  /** Adds rows, given how often each pattern of `columns` columns (a multiple of `width`) occurs. O(2^columns). */
  addPatterns(patterns: Uint32Array, columns: number): void {
    const { count } = halfWordTables();
    const mask = 2 ** this.width - 1;
    for (let pattern = 1; pattern < patterns.length; pattern++) {
      if (patterns[pattern] === 0) continue;
      for (let at = 0; at < columns; at += this.width)
        this.#counts[count[(pattern >>> at) & mask]] += patterns[pattern];
    }
  }

  /** Adds a row by the first n of its ascending columns. O(n). */
  addEntries(columns: Uint32Array, n: number): void {
    const { width } = this;
    for (let at = 0; at < n;) {
      const start = at;
      const end = (Math.floor(columns[at] / width) + 1) * width;
      while (at < n && columns[at] < end) at++;
      this.#counts[at - start]++;
    }
  }

  counts(): GroupCounts {
    const counts = Float64Array.from(this.#counts);
    this.patterns.forEach((times, pattern) => (counts[halfWordTables().count[pattern]] += times));
    // Empty groups are all that remain.
    counts[0] = 0;
    counts[0] = this.#groups - counts.reduce((sum, count) => sum + count, 0);
    return { width: this.width, counts };
  }
}
