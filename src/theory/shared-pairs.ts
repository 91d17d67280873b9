import { type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { Random } from '../core/number/random.ts';
import { popcount } from '../core/statistics/half-words.ts';

/** How many weights lie in columns that two paired rows share: in a matrix, and in a random one as a control. */
export interface SharedPairs {
  readonly nnz: number;
  /** weights in a column that both rows of a pair have */
  readonly paired: number;
  /** the same count in a random matrix with as many weights in each row */
  readonly random: number;
}

const SEED = 1;

/**
 * How many weights the first round of EC-SpMV's extraction puts into blocks of two rows, without cutting blocks to a
 * multiple of the lanes: each free row, from the first on, pairs with the first free row of those that share the most
 * columns with it. O(rows² × columns / 32).
 */
export function sharedPairs(m: Matrix): SharedPairs {
  const wordsPerRow = Math.ceil(m.cols / 32);
  const bits = new Uint32Array(m.rows * wordsPerRow);
  const randomBits = new Uint32Array(m.rows * wordsPerRow);
  const random = new Random(SEED);
  const buffer = rowBuffer(m.cols);
  let nnz = 0;
  for (let row = 0; row < m.rows; row++) {
    const count = m.readRow(row, buffer);
    nnz += count;
    for (let i = 0; i < count; i++) setBit(bits, row * wordsPerRow, buffer.columns[i]);
    // The control: as many columns, chosen at random (selection sampling).
    let remaining = count;
    for (let column = 0; remaining > 0; column++) {
      if (random.uniform() * (m.cols - column) >= remaining) continue;
      setBit(randomBits, row * wordsPerRow, column);
      remaining--;
    }
  }
  return { nnz, paired: pairedIn(bits, m.rows, wordsPerRow), random: pairedIn(randomBits, m.rows, wordsPerRow) };
}

function setBit(bits: Uint32Array, from: number, column: number): void {
  bits[from + (column >>> 5)] |= 1 << (column & 31);
}

/** Pairs rows, and counts the weights in columns that both rows of a pair have. */
function pairedIn(bits: Uint32Array, rows: number, wordsPerRow: number): number {
  const taken = new Uint8Array(rows);
  let paired = 0;
  for (let row = 0; row < rows; row++) {
    if (taken[row]) continue;
    let max = 0;
    let partner = -1;
    for (let other = row + 1; other < rows; other++) {
      if (taken[other]) continue;
      const shared = sharedBits(bits, row * wordsPerRow, other * wordsPerRow, wordsPerRow);
      if (shared <= max) continue;
      max = shared;
      partner = other;
    }
    if (partner < 0) continue;
    taken[partner] = 1;
    paired += 2 * max;
  }
  return paired;
}

/** The number of columns that two rows have in common: `a` and `b` are where their bits begin. */
function sharedBits(bits: Uint32Array, a: number, b: number, wordsPerRow: number): number {
  let count = 0;
  for (let i = 0; i < wordsPerRow; i++) count += popcount(bits[a + i] & bits[b + i]);
  return count;
}
