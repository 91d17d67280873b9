import type { Matrix, RowBuffer } from '../../core/matrix/index.ts';
import { f16Table } from '../../core/number/index.ts';
import type { DenseEncoded } from './layout.ts';

/** The matrix of the cells that are not 0, read from the encoded arrays row by row; nothing is copied. O(1). */
export function decode(e: DenseEncoded): Matrix {
  return new DecodedDense(e);
}

class DecodedDense implements Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly #encoded: DenseEncoded;

  constructor(e: DenseEncoded) {
    this.rows = e.rows;
    this.cols = e.cols;
    this.nnz = e.nnz;
    this.#encoded = e;
  }

  readRow(row: number, { columns, values }: RowBuffer): number {
    const { data, scales, stride, valueType } = this.#encoded;
    const start = row * stride;
    const table = f16Table();
    const scale = valueType === 'i8' ? scales[row] : 1;
    let n = 0;
    for (let c = 0; c < this.cols; c++) {
      const raw = data[start + c];
      const value = valueType === 'f16' ? table[raw] : raw * scale;
      columns[n] = c;
      values[n] = value;
      n += value === 0 ? 0 : 1;
    }
    return n;
  }
}
