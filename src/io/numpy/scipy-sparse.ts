import { ReadError } from '../../core/errors.ts';
import type { Job, Steps } from '../../core/job.ts';
import { cooNotes, csrFromColumns, csrFromCoo, type CsrFromCoo, csrFromRows, type Rows } from '../coo.ts';
import { allocate, checkDimensions, type ReadResult } from '../file-format.ts';
import { readNpyIntegers, readNpyText, readNpyValues } from './npz-arrays.ts';
import { finishAsync } from '../../core/job.ts';
import { threadPace } from '../../core/pace.ts';
import type { FileSource } from '../source.ts';
import { ValueLosses } from '../value-losses.ts';

/** The arrays that identify a sparse matrix of scipy.sparse.save_npz. */
export const SPARSE_MARKS = ['format.npy', 'shape.npy', 'data.npy'] as const;

const SPARSE_FORMATS = ['csr', 'csc', 'coo', 'bsr', 'dia'] as const;
export type SparseFormatName = (typeof SPARSE_FORMATS)[number];

/** The member of an archive by its name; null if there is none. */
export type MemberByName = (name: string) => FileSource | null;

/** Kind and shape of a matrix of scipy.sparse.save_npz. Throws ReadError for unknown kinds. */
export async function readSparseHead(
  member: MemberByName,
  job: Job,
): Promise<{ format: SparseFormatName; rows: number; cols: number }> {
  const found = await readNpyText(required(member, 'format.npy'), job);
  const format = SPARSE_FORMATS.find((name) => name === found);
  if (!format) throw new ReadError(`format.npy: found '${found}', expected one of ${SPARSE_FORMATS.join(', ')}`);
  const shape = await readNpyIntegers(required(member, 'shape.npy'), (n) => new Uint32Array(n), job);
  if (shape.length !== 2) {
    throw new ReadError(`shape.npy: found (${shape.join(', ')}), expected two dimensions`);
  }
  const data = required(member, 'data.npy');
  checkDimensions('shape.npy', shape[0], shape[1], data.maxSize);
  return { format, rows: shape[0], cols: shape[1] };
}

/**
 * A matrix of scipy.sparse.save_npz in CSR, CSC, COO, BSR or DIA. Entries may be in any order; duplicates are summed.
 * Throws ReadError when the arrays contradict each other.
 */
export async function readSparse(member: MemberByName, job: Job): Promise<ReadResult> {
  const { format, rows, cols } = await readSparseHead(member, job);
  const losses = new ValueLosses();
  const { shape, data } = await readNpyValues(required(member, 'data.npy'), losses, job);
  const indices = (name: string): Promise<Uint32Array> =>
    readNpyIntegers(required(member, name), (n) => new Uint32Array(n), job);
  const finished = async (steps: Steps<CsrFromCoo>): Promise<ReadResult> => {
    const result = await finishAsync(steps, job, threadPace);
    return { matrix: result.matrix, notes: [...losses.notes(), ...cooNotes(result)] };
  };

  if (format === 'coo') {
    const [rowIndices, colIndices] = [await indices('row.npy'), await indices('col.npy')];
    const { length } = data;
    checkCount('row.npy', rowIndices.length, length);
    checkCount('col.npy', colIndices.length, length);
    checkBelow('row.npy', rowIndices, rows, 'row');
    checkBelow('col.npy', colIndices, cols, 'column');
    return finished(csrFromCoo({ rows, cols, length, rowIndices, colIndices, data, sorted: false }, 'general'));
  }
  if (format === 'dia') {
    const offsets = await readNpyIntegers(required(member, 'offsets.npy'), (n) => new Int32Array(n), job);
    if (shape.length !== 2) throw new ReadError(`data.npy: found ${shape.length} dimensions, expected two`);
    checkCount('offsets.npy', offsets.length, shape[0]);
    return finished(csrFromRows(diagonalRows(rows, cols, offsets, data, shape[1])));
  }
  const [indptr, minor] = [await indices('indptr.npy'), await indices('indices.npy')];
  if (format === 'bsr') return finished(csrFromRows(blockRows(rows, cols, indptr, minor, shape, data)));
  const isCsr = format === 'csr';
  checkCount('indices.npy', minor.length, data.length);
  checkPointers(indptr, isCsr ? rows : cols, data.length);
  checkBelow('indices.npy', minor, isCsr ? cols : rows, isCsr ? 'column' : 'row');
  const end = indptr[indptr.length - 1];
  const lines: Rows = {
    rows: isCsr ? rows : cols,
    cols: isCsr ? cols : rows,
    indptr,
    indices: minor.length === end ? minor : minor.slice(0, end),
    data: data.length === end ? data : data.slice(0, end),
  };
  return finished(isCsr ? csrFromRows(lines) : csrFromColumns(lines));
}

function required(member: MemberByName, name: string): FileSource {
  const found = member(name);
  if (found) return found;
  throw new ReadError(`found no ${name} in the archive, expected it beside format.npy`);
}

function checkCount(name: string, found: number, expected: number): void {
  if (found !== expected) throw new ReadError(`${name}: found ${found} entries, expected ${expected}`);
}

function checkBelow(name: string, indices: Uint32Array, limit: number, what: string): void {
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= limit) {
      throw new ReadError(`${name}: found ${what} ${indices[i]} at index ${i}, expected below ${limit}`);
    }
  }
}

function checkPointers(indptr: Uint32Array, lines: number, entries: number): void {
  checkCount('indptr.npy', indptr.length, lines + 1);
  if (indptr[0] !== 0) throw new ReadError(`indptr.npy: found ${indptr[0]} at index 0, expected 0`);
  for (let i = 1; i <= lines; i++) {
    if (indptr[i] >= indptr[i - 1] && indptr[i] <= entries) continue;
    throw new ReadError(
      `indptr.npy: found ${indptr[i]} at index ${i}, expected a whole number from ${indptr[i - 1]} to ${entries}`,
    );
  }
}

/** BSR as rows: block k of block row i covers columns from indices[k] * C; data[k] is the block, row-major. */
function blockRows(
  rows: number,
  cols: number,
  indptr: Uint32Array,
  indices: Uint32Array,
  shape: readonly number[],
  data: Float32Array,
): Rows {
  const [blocks, blockRowCount, blockCols] = shape;
  if (shape.length !== 3 || blockRowCount < 1 || blockCols < 1) {
    throw new ReadError(`data.npy: found shape (${shape.join(', ')}), expected blocks of at least 1 × 1`);
  }
  if (rows % blockRowCount !== 0 || cols % blockCols !== 0) {
    throw new ReadError(
      `data.npy: found blocks of ${blockRowCount} × ${blockCols}, expected ones that divide ${rows} × ${cols}`,
    );
  }
  const lines = rows / blockRowCount;
  checkCount('indices.npy', indices.length, blocks);
  checkPointers(indptr, lines, blocks);
  checkBelow('indices.npy', indices, cols / blockCols, 'block column');
  const end = indptr[lines];
  const entries = end * blockRowCount * blockCols;
  const out = makeRows(rows, cols, entries);
  let at = 0;
  for (let r = 0; r < rows; r++) {
    const line = Math.floor(r / blockRowCount);
    for (let k = indptr[line]; k < indptr[line + 1]; k++) {
      const from = (k * blockRowCount + (r % blockRowCount)) * blockCols;
      for (let c = 0; c < blockCols; c++) {
        out.indices[at] = indices[k] * blockCols + c;
        out.data[at++] = data[from + c];
      }
    }
    out.indptr[r + 1] = at;
  }
  return out;
}

/** DIA as rows: data[k][j] is cell (j - offsets[k], j). */
function diagonalRows(rows: number, cols: number, offsets: Int32Array, data: Float32Array, stride: number): Rows {
  const width = Math.min(cols, stride);
  if (new Set(offsets).size < offsets.length) {
    throw new ReadError('offsets.npy: found the same diagonal twice, expected each once');
  }
  const counts = new Uint32Array(rows + 1);
  const diagonals = Array.from(offsets, (offset, k) => ({ offset, k })).toSorted((a, b) => a.offset - b.offset);
  const visit = (take: (row: number, col: number, value: number) => void): void => {
    for (const { offset, k } of diagonals) {
      const last = Math.min(width, rows + offset);
      for (let col = Math.max(0, offset); col < last; col++) take(col - offset, col, data[k * stride + col]);
    }
  };
  visit((row) => counts[row + 1]++);
  for (let r = 0; r < rows; r++) counts[r + 1] += counts[r];
  const out = makeRows(rows, cols, counts[rows]);
  out.indptr.set(counts);
  const next = counts;
  visit((row, col, value) => {
    out.indices[next[row]] = col;
    out.data[next[row]++] = value;
  });
  return out;
}

function makeRows(rows: number, cols: number, entries: number): Rows {
  return allocate(`${entries} entries`, 8 * entries, () => ({
    rows,
    cols,
    indptr: new Uint32Array(rows + 1),
    indices: new Uint32Array(entries),
    data: new Float32Array(entries),
  }));
}
