import { HALF_WORD_BITS, halfWordTables } from './half-words.ts';

/**
 * Counts gaps, the distances in columns from a non-zero to the one before it in its row, and finds the longest run of
 * non-zeros in neighbouring columns.
 */
export class GapCounter {
  readonly #gaps: Uint32Array;
  #longestRun = 0;

  /** for rows added as bits: how often each pattern of 16 columns occurs; `counts` adds the gaps inside patterns */
  readonly patterns = new Uint32Array(2 ** HALF_WORD_BITS);

  constructor(cols: number) {
    this.#gaps = new Uint32Array(cols + 1);
  }

  /** Adds a row as bits: bit c % 32 of word c / 32 is 1 if column c holds a non-zero. O(cols / 16). */
  addBits(words: Uint32Array): void {
    const { patterns } = this;
    const gaps = this.#gaps;
    const { first, last, lowRun, highRun } = halfWordTables();
    let previous = -1;
    let run = 0;
    let longest = this.#longestRun;
    for (let at = 0; at < 2 * words.length; at++) {
      const half = (words[at >>> 1] >>> ((at & 1) << 4)) & 0xffff;
      patterns[half]++;
      if (half === 0) {
        run = 0;
        continue;
      }
      const start = at << 4;
      gaps[start + first[half] - previous]++;
      previous = start + last[half];
      const joinedRun = run + lowRun[half];
      if (joinedRun > longest) longest = joinedRun;
      run = half === 0xffff ? joinedRun : highRun[half];
    }
    this.#longestRun = longest;
  }

  /** Adds a row by the first n of its ascending columns. O(n). */
  addEntries(columns: Uint32Array, n: number): void {
    const gaps = this.#gaps;
    let previous = -1;
    let run = 0;
    let longest = this.#longestRun;
    for (let i = 0; i < n; i++) {
      const column = columns[i];
      const gap = column - previous;
      gaps[gap]++;
      previous = column;
      run = gap === 1 ? run + 1 : 1;
      if (run > longest) longest = run;
    }
    this.#longestRun = longest;
  }

  /** `gaps[g]`: non-zeros with a gap of g columns, up to the widest; the first of a row counts from column -1. */
  counts(): { readonly gaps: Uint32Array; readonly longestRun: number } {
    const gaps = this.#gaps.slice();
    let longestRun = this.#longestRun;
    for (let pattern = 1; pattern < this.patterns.length; pattern++) {
      const count = this.patterns[pattern];
      if (count === 0) continue;
      let run = 1;
      if (longestRun === 0) longestRun = 1;
      let previous = halfWordTables().first[pattern];
      for (let bit = previous + 1; bit < HALF_WORD_BITS; bit++) {
        if (((pattern >>> bit) & 1) === 0) continue;
        gaps[bit - previous] += count;
        run = bit - previous === 1 ? run + 1 : 1;
        if (run > longestRun) longestRun = run;
        previous = bit;
      }
    }
    let widest = gaps.length - 1;
    while (widest > 0 && gaps[widest] === 0) widest--;
    return { gaps: gaps.slice(0, widest + 1), longestRun };
  }
}
