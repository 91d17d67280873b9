import { rowsPerYield, type Steps } from '../job.ts';
import { CsrMatrix, type Matrix, rowBuffer } from '../matrix/index.ts';
import { BlockCounter, type BlockCounts } from './block-counter.ts';
import { GapCounter } from './gap-counter.ts';
import { GroupCounter, type GroupCounts } from './group-counts.ts';
import { HALF_WORD_BITS } from './half-words.ts';
import { RowPatterns } from './row-patterns.ts';
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
  /** columns in which both rows of a pair hold a non-zero, over sampled pairs */
  readonly shared: SharedColumns;
}

/** What is counted on request, besides gaps, rows, runs and shared columns. */
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
  const asBits =
    nnz >= MIN_BITS_DENSITY * rows * cols &&
    [...counters.groups, ...counters.blocks].every((counter) => counter.takesBits);
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

/** From this density on, rows are read as bits instead of entry by entry. */
const MIN_BITS_DENSITY = 1 / 32;

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
  // Counts of a width that divides 16 or another width follow from the patterns of those columns, at the end.
  const derived = groups.filter((counter) => wholeOf(counter, groups) !== null || HALF_WORD_BITS % counter.width === 0);
  const counted = groups.filter((counter) => !derived.includes(counter));
  // Each row is counted several times, so that fewer rows fit between two yields.
  const pause = Math.ceil(rowsPerYield(m.cols) / 4);
  for (let row = 0; row < m.rows; row++) {
    const n = patterns.read(row);
    rowCounts[n]++;
    gaps.addBits(words);
    for (const counter of counted) counter.addBits(words);
    for (const counter of blocks) counter.addBits(row, words);
    shared.addBits(row, words, n);
    if (row % pause === pause - 1) yield progress(row, m);
  }
  for (const counter of derived) {
    if (HALF_WORD_BITS % counter.width === 0) counter.addPatterns(gaps.patterns, HALF_WORD_BITS);
    else {
      const whole = wholeOf(counter, groups);
      if (whole) counter.addPatterns(whole.patterns, whole.width);
    }
  }
}

/** The widest counter with patterns whose width is a multiple of that of `counter`; null if there is none. */
function wholeOf(counter: GroupCounter, groups: readonly GroupCounter[]): GroupCounter | null {
  const { width } = counter;
  const isWhole = (other: GroupCounter): boolean =>
    other.width > width &&
    other.width < HALF_WORD_BITS &&
    other.width % width === 0 &&
    HALF_WORD_BITS % other.width !== 0;
  // The widest itself is not derived from others.
  return groups.filter(isWhole).toSorted((a, b) => b.width - a.width)[0] ?? null;
}

function* countByEntries(m: Matrix, { rowCounts, gaps, groups, blocks, shared }: Counters): Steps<void> {
  const buffer = rowBuffer(m.cols);
  const { columns } = buffer;
  // The time to read grows with the entries of a sparse matrix, with the cells of a dense matrix.
  const cost = m instanceof CsrMatrix ? Math.ceil(m.nnz / Math.max(1, m.rows)) + 64 : m.cols;
  // A counter takes about twice as long for an entry as for a cell that is read as a bit.
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
