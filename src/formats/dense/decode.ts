import type { Matrix, RowBuffer } from '../../core/matrix/index.ts';
import { f16Table, Q4_GROUP, Q4_ZERO, q4At } from '../../core/number/index.ts';
import { asI4, type DenseEncoded, type DenseI4 } from './layout.ts';

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
    const i4 = asI4(this.#encoded);
    if (i4) return this.#readQ4(i4, row, { columns, values });
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

  #readQ4({ data, scales, stride }: DenseI4, row: number, { columns, values }: RowBuffer): number {
    const table = f16Table();
    const first = (row * stride) / Q4_GROUP;
    let n = 0;
    for (let start = 0; start < this.cols; start += Q4_GROUP) {
      const group = first + start / Q4_GROUP;
      const scale = table[scales[group]];
      const inside = Math.min(Q4_GROUP, this.cols - start);
      for (let i = 0; i < inside; i++) {
        const value = (q4At(data, group, i) - Q4_ZERO) * scale;
        columns[n] = start + i;
        values[n] = value;
        n += value === 0 ? 0 : 1;
      }
    }
    return n;
  }
}
