import { MatrixError } from '../errors.ts';
import type { Matrix, RowBuffer } from './matrix.ts';
import { checkReading, checkShape } from './shape.ts';

/** Compressed sparse rows: row i occupies indices[indptr[i] .. indptr[i + 1]) and the same range of data. */
export interface CsrArrays {
  readonly rows: number;
  readonly cols: number;
  /** length rows + 1 */
  readonly indptr: Uint32Array;
  /** length nnz; ascending inside a row, no column twice */
  readonly indices: Uint32Array;
  /** length nnz */
  readonly data: Float32Array;
}

/**
 * A matrix over CSR arrays. Keeps the arrays unless explicit zeros have to be dropped.
 * Throws MatrixError with position, found and expected when the arrays contradict each other. O(rows + nnz).
 */
export function csrMatrix(arrays: CsrArrays): CsrMatrix {
  checkCsr(arrays);
  return new CsrMatrix(dropZeros(arrays));
}

/** A matrix over CSR arrays that are known to be valid. */
export class CsrMatrix implements Matrix, CsrArrays {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
  readonly data: Float32Array;

  /** Trusts its arrays; use `csrMatrix` for arrays from outside. */
  constructor(arrays: CsrArrays) {
    this.rows = arrays.rows;
    this.cols = arrays.cols;
    this.indptr = arrays.indptr;
    this.indices = arrays.indices;
    this.data = arrays.data;
    this.nnz = arrays.data.length;
  }

  /** memory of the arrays */
  get bytes(): number {
    return this.indptr.byteLength + this.indices.byteLength + this.data.byteLength;
  }

  readRow(row: number, into: RowBuffer): number {
    checkReading(this, row, 0, this.cols, into);
    const start = this.indptr[row];
    const end = this.indptr[row + 1];
    into.columns.set(this.indices.subarray(start, end));
    into.values.set(this.data.subarray(start, end));
    return end - start;
  }

  readRowPart(row: number, from: number, to: number, into: RowBuffer): number {
    checkReading(this, row, from, to, into);
    const { columns, values } = into;
    const indices = this.indices.subarray(this.indptr[row], this.indptr[row + 1]);
    let n = 0;
    for (let i = lowerBound(indices, indices.length, from); i < indices.length && indices[i] < to; i++) {
      columns[n] = indices[i];
      values[n++] = this.data[this.indptr[row] + i];
    }
    return n;
  }
}

function checkCsr({ rows, cols, indptr, indices, data }: CsrArrays): void {
  checkShape(rows, cols);
  if (indptr.length !== rows + 1) {
    throw new MatrixError(`indptr: found ${indptr.length} entries, expected rows + 1 = ${rows + 1}`);
  }
  if (indptr[0] !== 0) throw new MatrixError(`indptr[0]: found ${indptr[0]}, expected 0`);
  if (indices.length !== data.length) {
    throw new MatrixError(
      `indices and data: found ${indices.length} and ${data.length} entries, expected equal numbers`,
    );
  }
  if (indptr[rows] !== data.length) {
    throw new MatrixError(`indptr[${rows}]: found ${indptr[rows]}, expected the number of entries, ${data.length}`);
  }
  for (let r = 0; r < rows; r++) {
    const end = indptr[r + 1];
    const wrongEnd = (expected: string): MatrixError =>
      new MatrixError(`indptr[${r + 1}]: found ${end}, expected ${expected}`);
    if (end > data.length) throw wrongEnd(`at most the number of entries, ${data.length}`);
    if (end < indptr[r]) throw wrongEnd(`at least indptr[${r}] = ${indptr[r]}`);
    let previous = -1;
    for (let i = indptr[r]; i < end; i++) {
      const c = indices[i];
      if (c >= cols || c <= previous) {
        const wrong = c >= cols ? `, expected below ${cols}` : ` after ${previous}, expected ascending columns`;
        throw new MatrixError(`indices[${i}] in row ${r}: found column ${c}${wrong}`);
      }
      previous = c;
    }
  }
}

/** The arrays without stored zeros; `arrays` itself if it has none. */
function dropZeros(arrays: CsrArrays): CsrArrays {
  const { rows, indptr, indices, data } = arrays;
  let zeros = 0;
  for (let i = 0; i < data.length; i++) zeros += data[i] === 0 ? 1 : 0;
  if (zeros === 0) return arrays;
  const count = data.length - zeros;
  const newIndptr = new Uint32Array(rows + 1);
  const newIndices = new Uint32Array(count);
  const newData = new Float32Array(count);
  let n = 0;
  for (let r = 0; r < rows; r++) {
    for (let i = indptr[r]; i < indptr[r + 1]; i++) {
      if (data[i] === 0) continue;
      newIndices[n] = indices[i];
      newData[n++] = data[i];
    }
    newIndptr[r + 1] = n;
  }
  return { rows, cols: arrays.cols, indptr: newIndptr, indices: newIndices, data: newData };
}

/** First position in ascending `values[0 .. n)` whose value is at least `min`. O(log n). */
export function lowerBound(values: Uint32Array, n: number, min: number): number {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < min) low = middle + 1;
    else high = middle;
  }
  return low;
}
