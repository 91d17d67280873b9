import { finishAsync, type Job, type Steps } from '../core/job.ts';
import { CsrMatrix } from '../core/matrix/index.ts';
import { threadPace } from '../core/pace.ts';
import { countText } from '../core/text/words.ts';
import { ValueLosses } from './value-losses.ts';

// Makes CSR matrices of entries in any order: sorts the entries, sums duplicates (merging), drops zeros.

/** A sparse matrix as coordinates (COO): row, column and value of each entry, in the order of its file. */
export interface CooArrays {
  readonly rows: number;
  readonly cols: number;
  /** number of entries; the arrays may be longer */
  readonly length: number;
  readonly rowIndices: Uint32Array;
  readonly colIndices: Uint32Array;
  readonly data: Float32Array;
  /** whether they are in row-major order without duplicates already */
  readonly sorted: boolean;
}

/** A matrix made of entries in any order, and what merging changed. */
export interface CsrFromCoo {
  readonly matrix: CsrMatrix;
  /** cells that got the sum of several entries */
  readonly summedCells: number;
  /** entries that were 0, or became 0 by adding */
  readonly zeros: number;
}

/** What a cell (i, j) implies for (j, i): nothing, the same, or the negative. */
export type Symmetry = 'general' | 'symmetric' | 'skew-symmetric';

/** Entries that are processed between two progress reports: about 10 ms. */
const ENTRIES_PER_STEP = 2 ** 20;

/** CSR arrays whose columns may be in any order and repeat within a row. Merging modifies them. */
export interface Rows {
  readonly rows: number;
  readonly cols: number;
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
  readonly data: Float32Array;
}

/** CSR arrays with ascending columns, each once; indices and data may be longer than the last element of indptr. */
interface MergedRows extends Rows {
  /** positions of the cells that got the sum of several entries, ascending */
  readonly summed: Uint32Array;
  /** positions of the summed cells whose sum is beyond f32, although their entries are not */
  readonly overflows: Uint32Array;
  readonly hasZeros: boolean;
}

const isBeyondF32 = (value: number): boolean => Number.isFinite(value) && !Number.isFinite(Math.fround(value));

/** Receives an entry of a file; indices count from 0. */
export type AddEntry = (row: number, col: number, value: number) => void;

/**
 * The matrix of merged entries, without zeros. `readAgain` delivers all entries again, unrounded, so that duplicates
 * are summed in f64, in file order, and rounded once; null if no entry was rounded. Values beyond f32 whose sum f32 can
 * represent are subtracted from `losses`, and sums beyond f32 of values within it are added; if `isMirrored`, only one
 * of two mirrored entries or cells is counted there.
 */
export async function csrOf(
  merging: Steps<MergedRows>,
  job: Job,
  readAgain: ((add: AddEntry) => Promise<void>) | null,
  losses = new ValueLosses(),
  isMirrored = false,
): Promise<CsrFromCoo> {
  const merged = await finishAsync(merging, job, threadPace);
  const { rows, indptr, indices, data, summed } = merged;
  let { overflows } = merged;
  if (summed.length > 0 && readAgain) {
    const sums = new Float64Array(summed.length);
    /** by number of a summed cell: how many of its entries are beyond f32 */
    const entriesBeyondF32 = new Map<number, number>();
    await readAgain((row, col, value) => {
      const position = firstFrom(indices, col, indptr[row], indptr[row + 1]);
      const k = firstFrom(summed, position, 0, sums.length);
      if (summed[k] !== position) return;
      sums[k] += value;
      if (isBeyondF32(value) && !(isMirrored && row < col)) entriesBeyondF32.set(k, (entriesBeyondF32.get(k) ?? 0) + 1);
    });
    for (let k = 0; k < sums.length; k++) data[summed[k]] = sums[k]; // rounds to f32
    overflows = summed.filter((_, k) => isBeyondF32(sums[k]) && !entriesBeyondF32.has(k));
    for (const [k, count] of entriesBeyondF32) if (Number.isFinite(data[summed[k]])) losses.toInfinity -= count;
  }
  // Of two mirrored cells only the one with row >= col is counted. `firstFrom` returns row + 1: the first row that begins
  // after the position.
  losses.toInfinity += overflows.filter(
    (position) => !isMirrored || firstFrom(indptr, position + 1, 0, rows) > indices[position],
  ).length;
  return withoutZeros(merged);
}

/** Entries in any order, merged. Sorted ones are not copied. O(entries + rows + cols), by counting sorts. */
export function* mergedCoo(coo: CooArrays, symmetry: Symmetry): Steps<MergedRows> {
  const { rows, cols, colIndices, data } = coo;
  if (!coo.sorted || symmetry !== 'general') return yield* mergedRows(yield* scatterByRow(coo, symmetry));
  return mergeCells({ rows, cols, indptr: yield* countRows(coo, symmetry), indices: colIndices, data });
}

/** Rows with columns in any order, merged. O(entries + rows + cols). */
export function* mergedRows(rows: Rows): Steps<MergedRows> {
  // Transposing is a stable sort by the other index: after two of them every row is in order.
  return mergeCells(columnsAscend(rows) ? rows : yield* transpose(yield* transpose(rows)));
}

/** Like `mergedRows`, for a matrix given by its columns, as rows of the transposed matrix. */
export function* mergedColumns(columns: Rows): Steps<MergedRows> {
  return mergeCells(yield* transpose(columns));
}

/** Notes about summed cells and zeros, for the page. */
export function cooNotes({ summedCells, zeros }: Omit<CsrFromCoo, 'matrix'>): readonly string[] {
  const notes: string[] = [];
  if (summedCells > 0) {
    const cells = summedCells === 1 ? '1 cell has' : `${countText(summedCells)} cells have`;
    notes.push(`${cells} duplicate entries, summed.`);
  }
  if (zeros > 0) notes.push(`${zeros === 1 ? '1 entry is' : `${countText(zeros)} entries are`} zero and not stored.`);
  return notes;
}

/** indptr of the rows, including the mirrored entries. */
function* countRows(coo: CooArrays, symmetry: Symmetry): Steps<Uint32Array> {
  const { rowIndices, colIndices, length } = coo;
  const indptr = new Uint32Array(coo.rows + 1);
  for (let start = 0; start < length; start += ENTRIES_PER_STEP) {
    const end = Math.min(length, start + ENTRIES_PER_STEP);
    for (let i = start; i < end; i++) indptr[rowIndices[i] + 1]++;
    if (symmetry !== 'general') {
      for (let i = start; i < end; i++) indptr[colIndices[i] + 1] += colIndices[i] === rowIndices[i] ? 0 : 1;
    }
    yield { what: 'Sorting', done: end, total: 2 * length };
  }
  for (let r = 0; r < coo.rows; r++) indptr[r + 1] += indptr[r];
  return indptr;
}

/** The entries row by row, with the mirrored ones; the columns of a row in any order. */
function* scatterByRow(coo: CooArrays, symmetry: Symmetry): Steps<Rows> {
  const { rows, cols, rowIndices, colIndices, data: values, length } = coo;
  const indptr = yield* countRows(coo, symmetry);
  const next = indptr.slice();
  const indices = new Uint32Array(indptr[rows]);
  const data = new Float32Array(indptr[rows]);
  const sign = symmetry === 'skew-symmetric' ? -1 : 1;
  for (let start = 0; start < length; start += ENTRIES_PER_STEP) {
    const end = Math.min(length, start + ENTRIES_PER_STEP);
    for (let i = start; i < end; i++) {
      const r = rowIndices[i];
      const c = colIndices[i];
      const position = next[r]++;
      indices[position] = c;
      data[position] = values[i];
      if (symmetry === 'general' || r === c) continue;
      const mirrored = next[c]++;
      indices[mirrored] = r;
      data[mirrored] = sign * values[i];
    }
    yield { what: 'Sorting', done: length + end, total: 2 * length };
  }
  return { rows, cols, indptr, indices, data };
}

/** Whether the columns of every row ascend, perhaps with duplicates. */
function columnsAscend({ rows, indptr, indices }: Rows): boolean {
  for (let r = 0; r < rows; r++) {
    for (let i = indptr[r] + 1; i < indptr[r + 1]; i++) if (indices[i] < indices[i - 1]) return false;
  }
  return true;
}

/** The transposed matrix, by a stable counting sort. */
function* transpose({ rows, cols, indptr, indices, data }: Rows): Steps<Rows> {
  const nnz = data.length;
  const newIndptr = new Uint32Array(cols + 1);
  for (let i = 0; i < nnz; i++) newIndptr[indices[i] + 1]++;
  for (let c = 0; c < cols; c++) newIndptr[c + 1] += newIndptr[c];
  const next = newIndptr.slice();
  const newIndices = new Uint32Array(nnz);
  const newData = new Float32Array(nnz);
  let reported = 0;
  for (let r = 0; r < rows; r++) {
    const end = indptr[r + 1];
    for (let i = indptr[r]; i < end; i++) {
      const position = next[indices[i]]++;
      newIndices[position] = r;
      newData[position] = data[i];
    }
    if (end - reported < ENTRIES_PER_STEP) continue;
    reported = end;
    yield { what: 'Sorting', done: end, total: nnz };
  }
  return { rows: cols, cols: rows, indptr: newIndptr, indices: newIndices, data: newData };
}

/** The first index in [from, to) of ascending elements whose element is at least `target`; `to` if there is none. */
function firstFrom(elements: Uint32Array, target: number, from: number, to: number): number {
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (elements[middle] < target) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Adds up adjacent entries of the same cell, in the same arrays. */
function mergeCells(from: Rows): MergedRows {
  const { rows, indptr, indices, data } = from;
  let summed = new Uint32Array(0);
  let summedCells = 0;
  const overflows: number[] = [];
  let hasZeros = false;
  let written = 0;
  let i = 0;
  for (let r = 0; r < rows; r++) {
    const end = indptr[r + 1];
    while (i < end) {
      const c = indices[i];
      let sum = data[i++];
      if (i < end && indices[i] === c) {
        if (summedCells === summed.length) {
          const larger = new Uint32Array(Math.max(16, 2 * summedCells));
          larger.set(summed);
          summed = larger;
        }
        summed[summedCells++] = written;
        while (i < end && indices[i] === c) sum += data[i++];
        if (isBeyondF32(sum)) overflows.push(written);
      }
      indices[written] = c;
      data[written] = sum;
      if (data[written] === 0) hasZeros = true;
      written++;
    }
    indptr[r + 1] = written;
  }
  return { ...from, summed: summed.subarray(0, summedCells), overflows: Uint32Array.from(overflows), hasZeros };
}

/** Drops zeros, in the same arrays; they are copied only if they get shorter. */
function withoutZeros({ rows, cols, indptr, indices, data, summed, hasZeros }: MergedRows): CsrFromCoo {
  const cells = indptr[rows];
  let written = cells;
  if (hasZeros || summed.length > 0) {
    written = 0;
    let i = 0;
    for (let r = 0; r < rows; r++) {
      for (const end = indptr[r + 1]; i < end; i++) {
        if (data[i] === 0) continue;
        indices[written] = indices[i];
        data[written++] = data[i];
      }
      indptr[r + 1] = written;
    }
  }
  const isWhole = written === data.length;
  const matrix = new CsrMatrix({
    rows,
    cols,
    indptr,
    indices: isWhole ? indices : indices.slice(0, written),
    data: isWhole ? data : data.slice(0, written),
  });
  return { matrix, summedCells: summed.length, zeros: cells - written };
}
