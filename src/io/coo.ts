import type { Steps } from '../core/job.ts';
import { CsrMatrix } from '../core/matrix/index.ts';

/** Entries in the order of a file. */
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

export interface CsrFromCoo {
  readonly matrix: CsrMatrix;
  /** cells that got the sum of several entries */
  readonly summedCells: number;
  /** entries that were 0, or became 0 by adding */
  readonly zeros: number;
}

/** What a cell (i, j) implies for (j, i): nothing, the same, or the negative. */
export type Symmetry = 'general' | 'symmetric' | 'skew-symmetric';

/** Entries that are handled between two reports: about 10 ms. */
const SLICE = 2 ** 20;

/** Rows whose columns may be in any order and have duplicates. Takes ownership of the arrays and modifies them. */
export interface Rows {
  readonly rows: number;
  readonly cols: number;
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
  readonly data: Float32Array;
}

/**
 * The matrix of entries in any order, with duplicates summed (in f64, in file order) and zeros dropped. Sorted entries
 * are not copied. O(entries + rows + cols): counting sorts, no comparisons.
 */
export function* csrFromCoo(coo: CooArrays, symmetry: Symmetry): Steps<CsrFromCoo> {
  const { rows, cols } = coo;
  if (!coo.sorted || symmetry !== 'general') return yield* csrFromRows(yield* scatterByRow(coo, symmetry));
  const indptr = yield* countRows(coo, symmetry);
  const fits = coo.colIndices.length === coo.length;
  return mergeCells({
    rows,
    cols,
    indptr,
    indices: fits ? coo.colIndices : coo.colIndices.slice(0, coo.length),
    data: fits ? coo.data : coo.data.slice(0, coo.length),
  });
}

/** The matrix of rows with columns in any order, duplicates summed and zeros dropped. O(entries + rows + cols). */
export function* csrFromRows(rows: Rows): Steps<CsrFromCoo> {
  // Transposing is a stable sort by the other index: after two of them every row is in order.
  return mergeCells(columnsAscend(rows) ? rows : yield* transpose(yield* transpose(rows)));
}

/** Like `csrFromRows`, for columns, given as the rows of the transposed matrix. */
export function* csrFromColumns(columns: Rows): Steps<CsrFromCoo> {
  return mergeCells(yield* transpose(columns));
}

/** Notes about the sums and zeros, for a person. */
export function cooNotes({ summedCells, zeros }: CsrFromCoo): readonly string[] {
  const notes: string[] = [];
  if (summedCells > 0) {
    const cells = summedCells === 1 ? '1 cell has' : `${summedCells} cells have`;
    notes.push(`${cells} duplicate entries, summed.`);
  }
  if (zeros > 0) notes.push(`${zeros === 1 ? '1 entry is' : `${zeros} entries are`} zero and not stored.`);
  return notes;
}

/** indptr of the rows, including the mirrored entries. */
function* countRows(coo: CooArrays, symmetry: Symmetry): Steps<Uint32Array> {
  const { rowIndices, colIndices, length } = coo;
  const indptr = new Uint32Array(coo.rows + 1);
  for (let start = 0; start < length; start += SLICE) {
    const end = Math.min(length, start + SLICE);
    for (let i = start; i < end; i++) indptr[rowIndices[i] + 1]++;
    if (symmetry !== 'general') {
      for (let i = start; i < end; i++) indptr[colIndices[i] + 1] += colIndices[i] === rowIndices[i] ? 0 : 1;
    }
    yield { what: 'Sorting', done: end, total: 2 * length };
  }
  for (let r = 0; r < coo.rows; r++) indptr[r + 1] += indptr[r];
  return indptr;
}

function* scatterByRow(coo: CooArrays, symmetry: Symmetry): Steps<Rows> {
  const { rows, cols, rowIndices, colIndices, data: values, length } = coo;
  const indptr = yield* countRows(coo, symmetry);
  const next = indptr.slice();
  const indices = new Uint32Array(indptr[rows]);
  const data = new Float32Array(indptr[rows]);
  const sign = symmetry === 'skew-symmetric' ? -1 : 1;
  for (let start = 0; start < length; start += SLICE) {
    const end = Math.min(length, start + SLICE);
    for (let i = start; i < end; i++) {
      const r = rowIndices[i];
      const c = colIndices[i];
      const at = next[r]++;
      indices[at] = c;
      data[at] = values[i];
      if (symmetry === 'general' || r === c) continue;
      const mirrored = next[c]++;
      indices[mirrored] = r;
      data[mirrored] = sign * values[i];
    }
    yield { what: 'Sorting', done: length + end, total: 2 * length };
  }
  return { rows, cols, indptr, indices, data };
}

function columnsAscend({ rows, indptr, indices }: Rows): boolean {
  for (let r = 0; r < rows; r++) {
    for (let i = indptr[r] + 1; i < indptr[r + 1]; i++) if (indices[i] < indices[i - 1]) return false;
  }
  return true;
}

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
      const at = next[indices[i]]++;
      newIndices[at] = r;
      newData[at] = data[i];
    }
    if (end - reported < SLICE) continue;
    reported = end;
    yield { what: 'Sorting', done: end, total: nnz };
  }
  return { rows: cols, cols: rows, indptr: newIndptr, indices: newIndices, data: newData };
}

/**
 * Adds up adjacent entries of the same cell and drops zeros, in place; the arrays are copied only if they get shorter.
 */
function mergeCells({ rows, cols, indptr, indices, data }: Rows): CsrFromCoo {
  let kept = 0;
  let summedCells = 0;
  let zeros = 0;
  let i = 0;
  for (let r = 0; r < rows; r++) {
    const end = indptr[r + 1];
    while (i < end) {
      const c = indices[i];
      let sum = data[i++];
      if (i < end && indices[i] === c) {
        summedCells++;
        while (i < end && indices[i] === c) sum += data[i++];
      }
      indices[kept] = c;
      data[kept] = sum;
      if (data[kept] === 0) zeros++;
      else kept++;
    }
    indptr[r + 1] = kept;
  }
  const whole = kept === data.length;
  const matrix = new CsrMatrix({
    rows,
    cols,
    indptr,
    indices: whole ? indices : indices.slice(0, kept),
    data: whole ? data : data.slice(0, kept),
  });
  return { matrix, summedCells, zeros };
}
