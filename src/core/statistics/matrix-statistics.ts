import { rowsPerYield, type Steps } from '../job.ts';
import { CsrMatrix, type Matrix, rowBuffer, DenseMatrix, type RowBuffer } from '../matrix/index.ts';
import { GroupCounter, type GroupCounts } from './group-counts.ts';
import { HALF_WORD_BITS, popcount, halfWordTables } from './half-words.ts';
import { SharedColumnCounter, type SharedColumns } from './shared-columns.ts';

/** The distribution of the non-zeros of a matrix, as far as the size of an encoding depends on it. */
export interface MatrixStatistics {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /**
   * gaps[g]: number of non-zeros that are g columns after the non-zero before in their row; the first non-zero of a row
   * counts from column -1. Sum: nnz. Length: the widest gap + 1.
   */
  readonly gaps: Uint32Array;
  /** rowCounts[k]: number of rows with k non-zeros. Sum: rows. Length: the longest row + 1. */
  readonly rowCounts: Uint32Array;
  /** longest run of non-zeros in neighbouring columns of a row */
  readonly longestRun: number;
  /** for each width of the request */
  readonly groups: readonly GroupCounts[];
  /** for each size of the request */
  readonly blocks: readonly BlockCounts[];
  /** columns in which both rows of a pair have a non-zero, over sampled pairs */
  readonly shared: SharedColumns;
}

/** Optional counts, in addition to gaps, rows, runs and shared columns. */
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
    if (!Number.isSafeInteger(n) || n < 1)
      throw new RangeError(`width or size of a group or block: found ${n}, expected a whole number from 1`);
  }
  const counters: Counters = {
    rowCounts: new Uint32Array(cols + 1),
    gaps: new GapCounter(cols),
    groups: request.groups.map((width) => new GroupCounter(width, rows, cols)),
    blocks: request.blocks.map((size) => new BlockCounter(size, rows, cols)),
    shared: new SharedColumnCounter(m),
  };
  const readsBits =
    nnz >= MIN_BITS_DENSITY * rows * cols &&
    [...counters.groups, ...counters.blocks].every((counter) => counter.takesBits);
  yield* readsBits ? countByBits(m, counters) : countByEntries(m, counters);
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

/** From this density on, rows are read as bits instead of entry by entry. */
const MIN_BITS_DENSITY = 1 / 32;

interface Counters {
  readonly rowCounts: Uint32Array;
  readonly gaps: GapCounter;
  readonly groups: readonly GroupCounter[];
  readonly blocks: readonly BlockCounter[];
  readonly shared: SharedColumnCounter;
}

/** Reads rows as bits and adds them to the counters. For matrices that are not very sparse. */
function* countByBits(m: Matrix, { rowCounts, gaps, groups, blocks, shared }: Counters): Steps<void> {
  const patterns = new RowPatterns(m);
  const { words } = patterns;
  // Counts of a width that divides 16 or another width are derived from the patterns of those columns, at the end.
  const derivedGroups = groups.filter(
    (counter) => counterOfMultiple(counter, groups) !== null || HALF_WORD_BITS % counter.width === 0,
  );
  const countedGroups = groups.filter((counter) => !derivedGroups.includes(counter));
  // Each row is counted several times, so that fewer rows fit between two yields.
  const rowsPerStep = Math.ceil(rowsPerYield(m.cols) / 4);
  for (let row = 0; row < m.rows; row++) {
    const n = patterns.read(row);
    rowCounts[n]++;
    gaps.addBits(words);
    for (const counter of countedGroups) counter.addBits(words);
    for (const counter of blocks) counter.addBits(row, words);
    shared.addBits(row, words, n);
    if (row % rowsPerStep === rowsPerStep - 1) yield progress(row, m);
  }
  for (const counter of derivedGroups) {
    if (HALF_WORD_BITS % counter.width === 0) counter.addPatterns(gaps.patterns, HALF_WORD_BITS);
    else {
      const source = counterOfMultiple(counter, groups);
      if (source) counter.addPatterns(source.patterns, source.width);
    }
  }
}

/** The widest counter with patterns whose width is a multiple of the width of `counter`; null if there is none. */
function counterOfMultiple(counter: GroupCounter, groups: readonly GroupCounter[]): GroupCounter | null {
  const { width } = counter;
  const isSource = (other: GroupCounter): boolean =>
    other.width > width &&
    other.width < HALF_WORD_BITS &&
    other.width % width === 0 &&
    HALF_WORD_BITS % other.width !== 0;
  // The widest of them is not derived from others.
  return groups.filter(isSource).toSorted((a, b) => b.width - a.width)[0] ?? null;
}

/** Reads the columns of each row and adds them to the counters. For sparse matrices, and for any width or size. */
function* countByEntries(m: Matrix, { rowCounts, gaps, groups, blocks, shared }: Counters): Steps<void> {
  const buffer = rowBuffer(m.cols);
  const { columns } = buffer;
  // The time to read a row grows with the entries of a sparse matrix and has a fixed part, here 64; of a dense matrix it
  // grows with the cells.
  const cost = m instanceof CsrMatrix ? Math.ceil(m.nnz / Math.max(1, m.rows)) + 64 : m.cols;
  // A counter needs about twice as long for an entry as for a cell that is read as a bit.
  const rowsPerStep = Math.ceil(rowsPerYield(cost) / 8);
  for (let row = 0; row < m.rows; row++) {
    const n = m.readRow(row, buffer);
    rowCounts[n]++;
    gaps.addEntries(columns, n);
    for (const counter of groups) counter.addEntries(columns, n);
    for (const counter of blocks) counter.addEntries(row, columns, n);
    shared.addEntries(row, columns, n);
    if (row % rowsPerStep === rowsPerStep - 1) yield progress(row, m);
  }
}

function progress(row: number, { rows }: Matrix): { what: string; done: number; total: number } {
  return { what: 'reading the matrix', done: row + 1, total: rows };
}

/** The number of non-empty square blocks of a matrix: blocks begin at multiples of `size` in both directions. */
interface BlockCounts {
  readonly size: number;
  /** blocks with at least one non-zero */
  readonly stored: number;
}

/** By block size: a word in which the lowest bit of each block is 1. */
const LOWEST_BITS: Record<number, number> = { 1: ~0, 2: 0x55555555, 4: 0x11111111, 8: 0x01010101, 16: 0x00010001 };

/** Counts the blocks of one size, row by row from the first on. */
class BlockCounter {
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

  /** Adds a row as bits: bit c % 32 of word c / 32 is 1 if column c is a non-zero. O(cols / 32). */
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

/** Reads the rows of a matrix as bits: bit c % 32 of word c / 32 is 1 if column c is a non-zero. */
class RowPatterns {
  /** one word more than the columns need, which stays 0 */
  readonly words: Uint32Array;
  readonly #matrix: Matrix;
  readonly #buffer: RowBuffer;
  /** of a DenseMatrix, the f32 bits of its cells; otherwise null */
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
    // Columns that fill whole words; the rest is in the last word.
    const fullWordCols = cols & ~31;
    let n = 0;
    for (let c = 0; c < fullWordCols; c += 32) {
      const firstCell = start + c;
      let word = 0;
      for (let b = 0; b < 32; b++) {
        // 1 for anything but zeros of either sign, branchless.
        const magnitude = cells[firstCell + b] << 1;
        word |= ((magnitude | -magnitude) >>> 31) << b;
      }
      words[c >>> 5] = word;
      n += popcount(word);
    }
    if (fullWordCols === cols) return n;
    let word = 0;
    for (let c = fullWordCols; c < cols; c++) {
      const bit = cells[start + c] << 1 === 0 ? 0 : 1;
      word |= bit << (c - fullWordCols);
      n += bit;
    }
    words[fullWordCols >>> 5] = word;
    return n;
  }

  #fromEntries(row: number): number {
    const { words } = this;
    const { columns } = this.#buffer;
    const n = this.#matrix.readRow(row, this.#buffer);
    words.fill(0);
    let wordIndex = 0;
    let word = 0;
    for (let i = 0; i < n; i++) {
      const column = columns[i];
      if (column >>> 5 !== wordIndex) {
        words[wordIndex] = word;
        wordIndex = column >>> 5;
        word = 0;
      }
      word |= 1 << (column & 31);
    }
    words[wordIndex] = word;
    return n;
  }
}

/**
 * Counts gaps, the distances in columns from a non-zero to the one before it in its row, and finds the longest run of
 * non-zeros in neighbouring columns.
 */
class GapCounter {
  readonly #gaps: Uint32Array;
  #longestRun = 0;

  /** for rows added as bits: how often each pattern of 16 columns occurs; `counts` adds the gaps inside patterns */
  readonly patterns = new Uint32Array(2 ** HALF_WORD_BITS);

  constructor(cols: number) {
    this.#gaps = new Uint32Array(cols + 1);
  }

  /** Adds a row as bits: bit c % 32 of word c / 32 is 1 if column c is a non-zero. O(cols / 16). */
  addBits(words: Uint32Array): void {
    const { patterns } = this;
    const gaps = this.#gaps;
    const { first, last, lowRun, highRun } = halfWordTables();
    let previous = -1;
    let run = 0;
    let longest = this.#longestRun;
    for (let halfIndex = 0; halfIndex < 2 * words.length; halfIndex++) {
      const half = (words[halfIndex >>> 1] >>> ((halfIndex & 1) << 4)) & 0xffff;
      patterns[half]++;
      if (half === 0) {
        run = 0;
        continue;
      }
      const start = halfIndex << 4;
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
