import { rowsPerYield, type Steps } from '../job.ts';
import { CsrMatrix, DenseMatrix, type Matrix, rowBuffer, type RowBuffer } from '../matrix/index.ts';
import { GroupCounter, type GroupCounts } from './group-counts.ts';
import { HALF, halfWords, popcount } from './half-words.ts';
import { SharedColumnCounter, type SharedColumns } from './shared-columns.ts';

/** Counts the gaps of rows and finds the longest run; see MatrixStatistics. */
class GapCounter {
  readonly #gaps: Uint32Array;
  #longestRun = 0;

  /**
   * Rows as bits are counted by the patterns of 16 columns; the gaps between their non-zeros are added up at the end.
   */
  readonly patterns = new Uint32Array(2 ** HALF);

  constructor(cols: number) {
    this.#gaps = new Uint32Array(cols + 1);
  }

  /** Adds a row by its bits: see RowPatterns. O(cols / 16). */
  addBits(words: Uint32Array): void {
    const { patterns } = this;
    const gaps = this.#gaps;
    const { first, last, lowRun, highRun } = halfWords();
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
      const through = run + lowRun[half];
      if (through > longest) longest = through;
      run = half === 0xffff ? through : highRun[half];
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

  /** Trimmed to the widest gap. */
  counts(): { readonly gaps: Uint32Array; readonly longestRun: number } {
    const gaps = this.#gaps.slice();
    let longestRun = this.#longestRun;
    for (let pattern = 1; pattern < this.patterns.length; pattern++) {
      const count = this.patterns[pattern];
      if (count === 0) continue;
      let run = 1;
      if (longestRun === 0) longestRun = 1;
      let previous = halfWords().first[pattern];
      for (let bit = previous + 1; bit < HALF; bit++) {
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

/** The number of non-empty square blocks of a matrix: blocks begin at multiples of `size` in both directions. */
interface BlockCounts {
  readonly size: number;
  /** blocks with at least one non-zero */
  readonly stored: number;
}

/** By size, the lowest bit of each of its blocks in a word. */
const LOWEST: Readonly<Record<number, number>> = { 1: ~0, 2: 0x55555555, 4: 0x11111111, 8: 0x01010101, 16: 0x00010001 };

/** Counts the blocks of one size, row by row from the first on. */
class BlockCounter {
  readonly #size: number;
  readonly #rows: number;
  /** the rows so far of this block row, as bits */
  readonly #held: Uint32Array;
  /** by block column: the block row in which it was last non-empty, plus 1 */
  readonly #heldIn: Uint32Array;
  #stored = 0;

  constructor(size: number, rows: number, cols: number) {
    this.#size = size;
    this.#rows = rows;
    this.#held = new Uint32Array(Math.ceil(cols / 32));
    this.#heldIn = new Uint32Array(Math.ceil(cols / size));
  }

  /** Whether rows can be added by their bits. */
  get takesBits(): boolean {
    return this.#size in LOWEST;
  }

  /** Adds a row by its bits: see RowPatterns. O(cols / 32). */
  addBits(row: number, words: Uint32Array): void {
    const held = this.#held;
    const size = this.#size;
    for (let w = 0; w < held.length; w++) held[w] |= words[w];
    if (row % size !== size - 1 && row !== this.#rows - 1) return;
    const lowest = LOWEST[size];
    for (let w = 0; w < held.length; w++) {
      let word = held[w];
      // ORs every bit of a block into its lowest one.
      for (let shift = 1; shift < size; shift *= 2) word |= word >>> shift;
      this.#stored += popcount(word & lowest);
      held[w] = 0;
    }
  }

  /** Adds a row by the first n of its ascending columns. O(n). */
  addEntries(row: number, columns: Uint32Array, n: number): void {
    const heldIn = this.#heldIn;
    const size = this.#size;
    const blockRow = Math.floor(row / size) + 1;
    for (let i = 0; i < n; i++) {
      const j = Math.floor(columns[i] / size);
      if (heldIn[j] === blockRow) continue;
      heldIn[j] = blockRow;
      this.#stored++;
    }
  }

  counts(): BlockCounts {
    return { size: this.#size, stored: this.#stored };
  }
}

/** Reads the rows of a matrix as bits: bit c % 32 of word c / 32 is 1 if column c holds a non-zero. */
class RowPatterns {
  /** one word more than the columns need, which stays 0 */
  readonly words: Uint32Array;
  readonly #matrix: Matrix;
  readonly #buffer: RowBuffer;
  /** the cells as bits, if the matrix can provide them */
  readonly #cells: Uint32Array | null;

  constructor(m: Matrix) {
    this.#matrix = m;
    this.words = new Uint32Array(Math.ceil(m.cols / 32) + 1);
    this.#buffer = rowBuffer(m instanceof DenseMatrix ? 0 : m.cols);
    this.#cells = m instanceof DenseMatrix ? new Uint32Array(m.data.buffer, m.data.byteOffset, m.data.length) : null;
  }

  /** Reads a row into `words` and returns its number of non-zeros. O(cols). */
  read(row: number): number {
    return this.#cells ? this.#fromCells(this.#cells, row) : this.#fromEntries(row);
  }

  #fromCells(cells: Uint32Array, row: number): number {
    const { words } = this;
    const { cols } = this.#matrix;
    const start = row * cols;
    const whole = cols & ~31;
    let n = 0;
    for (let c = 0; c < whole; c += 32) {
      const at = start + c;
      let word = 0;
      for (let b = 0; b < 32; b++) {
        // 1 for anything but zeros of either sign, branchless.
        const magnitude = cells[at + b] << 1;
        word |= ((magnitude | -magnitude) >>> 31) << b;
      }
      words[c >>> 5] = word;
      n += popcount(word);
    }
    if (whole === cols) return n;
    let word = 0;
    for (let c = whole; c < cols; c++) {
      const bit = cells[start + c] << 1 === 0 ? 0 : 1;
      word |= bit << (c - whole);
      n += bit;
    }
    words[whole >>> 5] = word;
    return n;
  }

  #fromEntries(row: number): number {
    const { words } = this;
    const { columns } = this.#buffer;
    const n = this.#matrix.readRow(row, this.#buffer);
    words.fill(0);
    let at = 0;
    let word = 0;
    for (let i = 0; i < n; i++) {
      const column = columns[i];
      if (column >>> 5 !== at) {
        words[at] = word;
        at = column >>> 5;
        word = 0;
      }
      word |= 1 << (column & 31);
    }
    words[at] = word;
    return n;
  }
}

/** From this density on, rows are read as bits instead of entry by entry. */
const AS_BITS = 1 / 32;

/** The distribution of the non-zeros of a matrix, as far as the size of an encoding depends on it. */
export interface MatrixStatistics {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /**
   * gaps[g]: non-zeros whose distance to the one before them in their row is g columns; the first of a row counts from
   * the column before column 0, as formats of gaps store it. They add up to nnz. Length: the widest gap + 1.
   */
  readonly gaps: Uint32Array;
  /** rowCounts[k]: rows with k non-zeros; they add up to rows. Length: the longest row + 1. */
  readonly rowCounts: Uint32Array;
  /** longest run of non-zeros in neighbouring columns of a row */
  readonly longestRun: number;
  /** by width, in the order in which they were asked for */
  readonly groups: readonly GroupCounts[];
  /** by size, in the order in which they were asked for */
  readonly blocks: readonly BlockCounts[];
  readonly shared: SharedColumns;
}

/** Counts besides those of gaps, rows and runs. */
export interface StatisticsRequest {
  /** widths of groups of columns */
  readonly groups: readonly number[];
  /** sides of square blocks */
  readonly blocks: readonly number[];
}

/**
 * Counts everything in one pass over the rows. O(rows * cols) at worst, O(nnz * (widths + sizes)) for a matrix of few
 * non-zeros; memory: a few numbers per column, the patterns of 16 columns, and 8 rows as bits. Throws RangeError unless
 * widths and sizes are whole numbers from 1.
 */
export function* statisticsSteps(m: Matrix, request: StatisticsRequest): Steps<MatrixStatistics> {
  const { rows, cols, nnz } = m;
  for (const n of [...request.groups, ...request.blocks]) {
    if (!Number.isSafeInteger(n) || n < 1) throw new RangeError(`width: found ${n}, expected a whole number from 1`);
  }
  const counters: Counters = {
    rowCounts: new Uint32Array(cols + 1),
    gaps: new GapCounter(cols),
    groups: request.groups.map((width) => new GroupCounter(width, rows, cols)),
    blocks: request.blocks.map((size) => new BlockCounter(size, rows, cols)),
    shared: new SharedColumnCounter(m),
  };
  const asBits =
    nnz >= AS_BITS * rows * cols && [...counters.groups, ...counters.blocks].every((counter) => counter.takesBits);
  yield* asBits ? countByBits(m, counters) : countByEntries(m, counters);
  const { rowCounts, groups, blocks, shared } = counters;
  let longest = cols;
  while (longest > 0 && rowCounts[longest] === 0) longest--;
  return {
    rows,
    cols,
    nnz,
    ...counters.gaps.counts(),
    rowCounts: rowCounts.slice(0, rows === 0 ? 0 : longest + 1),
    groups: groups.map((counter) => counter.counts()),
    blocks: blocks.map((counter) => counter.counts()),
    shared: shared.counts(),
  };
}

interface Counters {
  readonly rowCounts: Uint32Array;
  readonly gaps: GapCounter;
  readonly groups: readonly GroupCounter[];
  readonly blocks: readonly BlockCounter[];
  readonly shared: SharedColumnCounter;
}

function* countByBits(m: Matrix, { rowCounts, gaps, groups, blocks, shared }: Counters): Steps<void> {
  const patterns = new RowPatterns(m);
  const { words } = patterns;
  // Widths that divide another one, or the 16 columns that the gaps are counted by, follow from its patterns.
  const later = groups.filter((counter) => wholeOf(counter, groups) !== null || HALF % counter.width === 0);
  const now = groups.filter((counter) => !later.includes(counter));
  const pause = Math.ceil(rowsPerYield(m.cols) / 4);
  for (let row = 0; row < m.rows; row++) {
    const n = patterns.read(row);
    rowCounts[n]++;
    gaps.addBits(words);
    for (const counter of now) counter.addBits(words);
    for (const counter of blocks) counter.addBits(row, words);
    shared.addBits(row, words, n);
    if (row % pause === pause - 1) yield progress(row, m);
  }
  for (const counter of later) {
    if (HALF % counter.width === 0) counter.addPatterns(gaps.patterns, HALF);
    else {
      const whole = wholeOf(counter, groups);
      if (whole) counter.addPatterns(whole.patterns, whole.width);
    }
  }
}

/** A counter of patterns whose groups consist of whole groups of `counter`; null if there is none. */
function wholeOf(counter: GroupCounter, groups: readonly GroupCounter[]): GroupCounter | null {
  const { width } = counter;
  const isWhole = (other: GroupCounter): boolean =>
    other.width > width && other.width < HALF && other.width % width === 0 && HALF % other.width !== 0;
  // The widest, which cannot be derived from others.
  return groups.filter(isWhole).toSorted((a, b) => b.width - a.width)[0] ?? null;
}

function* countByEntries(m: Matrix, { rowCounts, gaps, groups, blocks, shared }: Counters): Steps<void> {
  const buffer = rowBuffer(m.cols);
  const { columns } = buffer;
  // Reading a sparse matrix costs its entries, a dense one its cells.
  const cost = m instanceof CsrMatrix ? Math.ceil(m.nnz / Math.max(1, m.rows)) + 64 : m.cols;
  const pause = Math.ceil(rowsPerYield(cost) / 8);
  for (let row = 0; row < m.rows; row++) {
    const n = m.readRow(row, buffer);
    rowCounts[n]++;
    gaps.addEntries(columns, n);
    for (const counter of groups) counter.addEntries(columns, n);
    for (const counter of blocks) counter.addEntries(row, columns, n);
    shared.addEntries(row, columns, n);
    if (row % pause === pause - 1) yield progress(row, m);
  }
}

function progress(row: number, { rows }: Matrix): { what: string; done: number; total: number } {
  return { what: 'looking at the matrix', done: row + 1, total: rows };
}
