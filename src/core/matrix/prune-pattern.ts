import { MatrixError } from '../errors.ts';
import { rowsPerYield, type Steps } from '../job.ts';
import { type Matrix, rowBuffer, matrixBytes, type RowBuffer } from './index.ts';

/** Maximum number of columns in a group. */
const MAX_GROUP = 64;

/**
 * Prunes a matrix to an N:M pattern: of every `group` neighbours in a row, the `keptCount` largest by magnitude remain; of
 * equal ones, those in higher columns. Columns that a short last group lacks count as zeros, NaN as larger than infinity.
 * Throws MatrixError unless 1 <= keptCount <= group <= 64. O(rows * cols) at worst; memory: one bit per entry, and the whole matrix, which the
 * result refers to.
 */
export function* pruneToPatternSteps(m: Matrix, keptCount: number, group: number): Steps<Matrix> {
  checkPattern(keptCount, group);
  const buffer = rowBuffer(m.cols + SENTINELS);
  const firstWord = new Uint32Array(m.rows);
  const words = new Int32Array(Math.ceil(m.nnz / 32) + m.rows + 1);
  const row: RowBits = {
    columns: new Int32Array(buffer.columns.buffer),
    bits: new Int32Array(buffer.values.buffer),
  };
  const dropSmallest = group - keptCount <= 2 && group <= 32 ? dropOneOrTwo : dropOneByOne;
  const rowsPerStep = rowsPerYield(m.cols);
  let nextWord = 0;
  let nnz = m.nnz;
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    firstWord[r] = nextWord;
    const end = nextWord + Math.ceil(n / 32);
    words.fill(-1, nextWord, end);
    row.columns.fill(ABOVE_COLUMNS, n, n + SENTINELS);
    nnz -= dropSmallest(row, n, keptCount, group, words, nextWord);
    nextWord = end;
    if (r % rowsPerStep === rowsPerStep - 1) yield { what: 'Pruning', done: r + 1, total: m.rows };
  }
  return new MaskedMatrix(m, { firstWord, words }, nnz);
}

/** Throws MatrixError unless 1 <= keptCount <= group <= 64, whole numbers. */
export function checkPattern(keptCount: number, group: number): void {
  if (
    Number.isInteger(keptCount) &&
    Number.isInteger(group) &&
    keptCount >= 1 &&
    group <= MAX_GROUP &&
    keptCount <= group
  )
    return;
  throw new MatrixError(
    `pattern: found ${keptCount}:${group}, expected whole numbers N:M with 1 <= N <= M <= ${MAX_GROUP}`,
  );
}

/** The entries of a row as 32-bit integers: their columns, and the bits of their values. */
interface RowBits {
  readonly columns: Int32Array;
  readonly bits: Int32Array;
}

/** Every NaN counts as this, larger than infinity. */
const NAN_MAGNITUDE = 0x7f800001;
/** Beyond every magnitude. */
const ABOVE_MAGNITUDES = 0x7fffffff;
/** Beyond every column: the sentinel after the last entry of a row. */
const ABOVE_COLUMNS = 0x7fffffff;
/** Sentinels after a row: `dropOneOrTwo` reads as many entries ahead. */
const SENTINELS = 2;

/** Integers in the order of magnitudes: the bits of an f32 without its sign, all NaNs equal. */
function magnitudeOf(bits: number): number {
  const magnitude = bits & 0x7fffffff;
  return magnitude > NAN_MAGNITUDE ? NAN_MAGNITUDE : magnitude;
}

/**
 * Clears the bits in `words`, from `firstWord` on, of the entries that are not among the `keptCount` largest of their group,
 * and returns how many. May modify the row.
 */
type Drop = (row: RowBits, n: number, keptCount: number, group: number, words: Int32Array, firstWord: number) => number;

/**
 * For groups that lose at most two cells, like the groups of (2N-2):2N. Avoids branches on magnitudes, which a processor
 * cannot predict, and has loops of the same length for every group. A difference shifted by 31 is a mask: -1 if it is
 * negative, else 0.
 */
const dropOneOrTwo: Drop = ({ columns, bits }, n, keptCount, group, words, firstWord) => {
  let dropped = 0;
  let groupEnd = group;
  for (let start = 0; start < n;) {
    groupEnd = groupEndOf(columns[start], groupEnd, group);
    const last = start + keptCount + 1;
    // With at most `keptCount` entries, the group loses none.
    if (last > n || columns[last - 1] >= groupEnd) {
      while (columns[start] < groupEnd) start++;
      continue;
    }
    // A mask: -1 if the group loses two entries; 0 if it loses one, and then the entry at `last`, which belongs to a later
    // group, counts as larger than everything.
    const twoMask = (columns[last] - groupEnd) >> 31;
    const lastMagnitude = (magnitudeOf(bits[last]) & twoMask) | (ABOVE_MAGNITUDES & ~twoMask);
    let smallest = lastMagnitude;
    let secondSmallest = ABOVE_MAGNITUDES;
    for (let i = start; i < last; i++) {
      const magnitude = magnitudeOf(bits[i]);
      bits[i] = magnitude;
      // Sorts the magnitude into the two smallest so far; `below` is how much it is below the smallest, else 0.
      const below = (magnitude - smallest) & ((magnitude - smallest) >> 31);
      const larger = magnitude - below;
      smallest += below;
      secondSmallest += (larger - secondSmallest) & ((larger - secondSmallest) >> 31);
    }
    // Drops all entries below the threshold, and as many equal to it as are still to be dropped, lowest columns first.
    const threshold = smallest + ((secondSmallest - smallest) & twoMask);
    // Two of them if two entries are dropped and both have the same magnitude.
    let tiesToDrop = 1 - (twoMask & ~((smallest - secondSmallest) >> 31));
    let droppedBits = 0;
    for (let i = start; i < last; i++) {
      const difference = bits[i] - threshold;
      const isDropped = (((difference | -difference) >>> 31) ^ 1) & (-tiesToDrop >>> 31);
      tiesToDrop -= isDropped;
      droppedBits |= (isDropped | (difference >>> 31)) << (i - start);
    }
    // Drops the last entry if too few before it were dropped.
    const word = firstWord + (start >>> 5);
    const shift = start & 31;
    droppedBits |= (lastMagnitude < threshold || tiesToDrop > 0 ? 1 : 0) << (last - start);
    words[word] &= ~(droppedBits << shift);
    // A group that begins with a word also ends with one, and a shift by 32 would be a shift by 0.
    if (shift > 0 && shift + last - start >= 32) words[word + 1] &= ~(droppedBits >>> (32 - shift));
    dropped += 1 - twoMask;
    start = last - twoMask;
  }
  return dropped;
};

/** For any pattern: drops the smallest entry of a group until `keptCount` remain; ties: the lowest column first. */
const dropOneByOne: Drop = ({ columns, bits }, n, keptCount, group, words, firstWord) => {
  let dropped = 0;
  let groupEnd = group;
  for (let start = 0, end = 0; start < n; start = end) {
    groupEnd = groupEndOf(columns[start], groupEnd, group);
    while (columns[end] < groupEnd) end++;
    for (let count = end - start; count > keptCount; count--) {
      const smallest = smallestOf(bits, start, end, words, firstWord);
      words[firstWord + (smallest >>> 5)] &= ~(1 << (smallest & 31));
      dropped++;
    }
  }
  return dropped;
};

/** The first entry of start .. end - 1 with the smallest magnitude, among those whose bit is still 1. */
function smallestOf(bits: Int32Array, start: number, end: number, words: Int32Array, firstWord: number): number {
  let min = ABOVE_MAGNITUDES;
  let smallest = start;
  for (let i = start; i < end; i++) {
    const remains = (words[firstWord + (i >>> 5)] >>> (i & 31)) & 1;
    const magnitude = magnitudeOf(bits[i]);
    if (remains === 0 || magnitude >= min) continue;
    min = magnitude;
    smallest = i;
  }
  return smallest;
}

/** The end column of the group of `column`; `groupEnd`: the end of an earlier group or of this one. */
function groupEndOf(column: number, groupEnd: number, group: number): number {
  // An addition if the column is in the next group, a division after empty groups.
  if (column < groupEnd) return groupEnd;
  return column < groupEnd + group ? groupEnd + group : (Math.floor(column / group) + 1) * group;
}

/** One bit per stored entry of a matrix: entry i of row r has bit i % 32 of words[firstWord[r] + floor(i / 32)]. */
interface EntryMask {
  /** length rows */
  readonly firstWord: Uint32Array;
  /** at least one word for every 32 entries of a row, rounded up */
  readonly words: Int32Array;
}

/**
 * The entries of another matrix whose mask bit is 1: a pruned matrix that needs one bit per entry in addition to the
 * whole matrix. Keeps the matrix and the mask, does not copy them.
 */
export class MaskedMatrix implements Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly #whole: Matrix;
  readonly #mask: EntryMask;

  /** `nnz`: the number of entries whose bit is 1; not checked. */
  constructor(whole: Matrix, mask: EntryMask, nnz: number) {
    this.rows = whole.rows;
    this.cols = whole.cols;
    this.nnz = nnz;
    this.#whole = whole;
    this.#mask = mask;
  }

  /** memory of the mask and of the whole matrix */
  get bytes(): number {
    return matrixBytes(this.#whole) + this.#mask.words.byteLength + this.#mask.firstWord.byteLength;
  }

  readRow(row: number, into: RowBuffer): number {
    const n = this.#whole.readRow(row, into);
    const { words } = this.#mask;
    const { columns } = into;
    // Copied as bits: reading and writing a NaN may change it.
    const bits = new Int32Array(into.values.buffer, into.values.byteOffset, into.values.length);
    let remaining = 0;
    for (let start = 0, w = this.#mask.firstWord[row]; start < n; start += 32, w++) {
      const end = Math.min(n, start + 32);
      let word = words[w];
      // Written without a branch, which a processor could not predict: an entry remains if the index advances.
      for (let i = start; i < end; i++) {
        columns[remaining] = columns[i];
        bits[remaining] = bits[i];
        remaining += word & 1;
        word >>>= 1;
      }
    }
    return remaining;
  }
}
