import { type Matrix, rowBuffer } from '../matrix/index.ts';
import { Random } from '../number/random.ts';
import { popcount } from './half-words.ts';

/** Rows that every other row is compared with. */
export const SAMPLED_ROWS = 8;

/** Fixed, so that two analyses of a matrix sample the same rows. */
const SEED = 13;

/** How many columns two rows share: both have a non-zero there. Pairs: each row with every sampled row, once. */
export interface SharedColumns {
  /** the sampled rows, ascending; all of them if there are no more than SAMPLED_ROWS */
  readonly sampled: readonly number[];
  /** counts[k]: pairs that share k columns. Length: the maximum + 1; empty without pairs. */
  readonly counts: Uint32Array;
  /** mean number of shared columns of a pair */
  readonly mean: number;
  /** expected mean for independent rows: the mean of n m / cols over pairs of rows with n and m non-zeros */
  readonly byChance: number;
  /** mean, over the sampled rows, of the maximum that any other row shares with it */
  readonly best: number;
}

/** Compares every row with the sampled rows. */
export class SharedColumnCounter {
  readonly #sampled: readonly number[];
  /** non-zeros of the sampled rows */
  readonly #lengths: readonly number[];
  /** a bit per column, one sampled row after the other */
  readonly #bits: Uint32Array;
  readonly #words: number;
  readonly #counts: Uint32Array;
  readonly #best: Uint32Array;
  readonly #cols: number;
  #pairs = 0;
  #sum = 0;
  #byChance = 0;

  /** Reads the sampled rows. O(8 cols). */
  constructor(m: Matrix) {
    this.#cols = m.cols;
    this.#words = Math.ceil(m.cols / 32);
    this.#sampled = sampledRows(m.rows);
    this.#bits = new Uint32Array(this.#sampled.length * this.#words);
    this.#best = new Uint32Array(this.#sampled.length);
    this.#counts = new Uint32Array(m.cols + 1);
    const buffer = rowBuffer(m.cols);
    this.#lengths = this.#sampled.map((row, s) => {
      const n = m.readRow(row, buffer);
      for (let i = 0; i < n; i++) {
        const column = buffer.columns[i];
        this.#bits[s * this.#words + (column >>> 5)] |= 1 << (column & 31);
      }
      return n;
    });
  }

  /** Adds a row of n non-zeros as bits: bit c % 32 of word c / 32 is 1 if column c is a non-zero. O(cols / 4). */
  addBits(row: number, words: Uint32Array, n: number): void {
    this.#compare(row, n, (from) => sharedBits(this.#bits, from, this.#words, words));
  }

  /** Adds a row by the first n of its columns. O(8 n). */
  addEntries(row: number, columns: Uint32Array, n: number): void {
    this.#compare(row, n, (from) => probedBits(this.#bits, from, columns, n));
  }

  #compare(row: number, n: number, sharedWith: (from: number) => number): void {
    const sampledIndex = this.#sampled.indexOf(row);
    // Two sampled rows form one pair, counted by the later one.
    const comparedCount = sampledIndex < 0 ? this.#sampled.length : sampledIndex;
    const best = this.#best;
    for (let s = 0; s < comparedCount; s++) {
      const shared = sharedWith(s * this.#words);
      this.#counts[shared]++;
      this.#pairs++;
      this.#sum += shared;
      this.#byChance += this.#cols === 0 ? 0 : (n * this.#lengths[s]) / this.#cols;
      best[s] = Math.max(best[s], shared);
      if (sampledIndex >= 0) best[sampledIndex] = Math.max(best[sampledIndex], shared);
    }
  }

  counts(): SharedColumns {
    let max = this.#counts.length - 1;
    while (max > 0 && this.#counts[max] === 0) max--;
    const pairs = Math.max(1, this.#pairs);
    return {
      sampled: this.#sampled,
      counts: this.#counts.slice(0, this.#pairs === 0 ? 0 : max + 1),
      mean: this.#sum / pairs,
      byChance: this.#byChance / pairs,
      best: this.#best.reduce((sum, best) => sum + best, 0) / Math.max(1, this.#best.length),
    };
  }
}

/** SAMPLED_ROWS random rows, or all if there are no more, ascending. */
function sampledRows(rows: number): readonly number[] {
  if (rows <= SAMPLED_ROWS) return Array.from({ length: rows }, (_, row) => row);
  const random = new Random(SEED);
  const chosen = new Set<number>();
  while (chosen.size < SAMPLED_ROWS) chosen.add(random.below(rows));
  return [...chosen].toSorted((a, b) => a - b);
}

/** Number of bits set both in `count` words of `sampled`, from word `from` on, and in `row`. */
function sharedBits(sampled: Uint32Array, from: number, count: number, row: Uint32Array): number {
  let shared = 0;
  for (let w = 0; w < count; w++) shared += popcount(sampled[from + w] & row[w]);
  return shared;
}

/** Number of the first n columns whose bit is set in the sampled row. */
function probedBits(sampled: Uint32Array, from: number, columns: Uint32Array, n: number): number {
  let count = 0;
  for (let i = 0; i < n; i++) count += (sampled[from + (columns[i] >>> 5)] >>> (columns[i] & 31)) & 1;
  return count;
}
