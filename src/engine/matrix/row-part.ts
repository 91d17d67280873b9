import {
  CsrMatrix,
  DenseMatrix,
  lowerBound,
  type RowBuffer,
  type Rows,
  StoredDenseMatrix,
} from '../../core/matrix/index.ts';
import { QuantisedMatrix } from '../../core/matrix/quantised.ts';
import { StandIn } from '../../generate/stand-in.ts';

/**
 * Fills `into` with the entries of `row` in the columns [from, to), and returns how many there are: like `readRow`, at
 * the price of the part alone for the matrices that are usual. `into` holds any row.
 */
export function readRowPart(m: Rows, row: number, from: number, to: number, into: RowBuffer): number {
  if (m instanceof CsrMatrix) return readCsrPart(m, row, from, to, into);
  if (m instanceof DenseMatrix) return readDensePart(m, row, from, to, into);
  if (m instanceof StoredDenseMatrix || m instanceof QuantisedMatrix || m instanceof StandIn) {
    return m.readRowPart(row, from, to, into);
  }
  const { columns, values } = into;
  const n = m.readRow(row, into);
  const start = lowerBound(columns, n, from);
  const end = lowerBound(columns, n, to);
  columns.copyWithin(0, start, end);
  values.copyWithin(0, start, end);
  return end - start;
}

function readCsrPart(m: CsrMatrix, row: number, from: number, to: number, { columns, values }: RowBuffer): number {
  const indices = m.indices.subarray(m.indptr[row], m.indptr[row + 1]);
  const start = lowerBound(indices, indices.length, from);
  let n = 0;
  for (let i = start; i < indices.length && indices[i] < to; i++) {
    columns[n] = indices[i];
    values[n++] = m.data[m.indptr[row] + i];
  }
  return n;
}

function readDensePart(m: DenseMatrix, row: number, from: number, to: number, { columns, values }: RowBuffer): number {
  const { data, cols } = m;
  const length = to - from;
  const cells = new Uint32Array(data.buffer, data.byteOffset + 4 * (row * cols + from), length);
  const bits = new Uint32Array(values.buffer, values.byteOffset, length);
  let n = 0;
  // Without a branch on the value, like DenseMatrix.readRow.
  for (let i = 0; i < length; i++) {
    const cell = cells[i];
    columns[n] = from + i;
    bits[n] = cell;
    // 1 for a non-zero, 0 for +0 and -0
    const magnitude = cell << 1;
    n += (magnitude | -magnitude) >>> 31;
  }
  return n;
}
