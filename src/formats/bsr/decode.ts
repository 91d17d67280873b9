import type { Matrix, RowBuffer } from '../../core/matrix/index.ts';
import { type BsrEncoded, cellValue } from './layout.ts';

/** The decoded matrix, whose rows are read from the blocks when needed; nothing is copied. O(1). */
export function decode(e: BsrEncoded): Matrix {
  const { rows, cols, nnz } = e;
  return { rows, cols, nnz, readRow: (row, into) => readRow(e, row, into) };
}

/** Reads the cells of a row that are not 0; returns their number. */
function readRow(e: BsrEncoded, row: number, { columns, values }: RowBuffer): number {
  const { blockSize, cols, indices, indptr } = e;
  const blockRow = Math.floor(row / blockSize);
  const line = (row - blockRow * blockSize) * blockSize;
  let n = 0;
  for (let b = indptr[blockRow]; b < indptr[blockRow + 1]; b++) {
    const first = indices[b] * blockSize;
    const end = Math.min(blockSize, cols - first);
    for (let c = 0; c < end; c++) {
      const value = cellValue(e, b * blockSize * blockSize + line + c, row);
      columns[n] = first + c;
      values[n] = value;
      n += value === 0 ? 0 : 1;
    }
  }
  return n;
}
