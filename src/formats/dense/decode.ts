import type { Matrix, RowBuffer } from '../../core/matrix/index.ts';
import { f16Table, Q4_GROUP, Q4_ZERO, q4At } from '../../core/number/index.ts';
import { asI4, type DenseEncoded, type DenseI4 } from './layout.ts';

/** The decoded matrix, whose rows are read from the encoded arrays when needed; nothing is copied. O(1). */
export function decode(e: DenseEncoded): Matrix {
  const { rows, cols, nnz } = e;
  const i4 = asI4(e);
  const readRow = i4
    ? (row: number, into: RowBuffer) => readRowI4(i4, cols, row, into)
    : (row: number, into: RowBuffer) => readRowOf(e, row, into);
  return { rows, cols, nnz, readRow };
}

/** Reads the non-zeros of a row of f16, f32 or i8 values into the buffer. Returns how many there are. O(columns). */
function readRowOf(e: DenseEncoded, row: number, { columns, values }: RowBuffer): number {
  const { cols, data, scales, stride, valueType } = e;
  const start = row * stride;
  const table = f16Table();
  const scale = valueType === 'i8' ? scales[row] : 1;
  let n = 0;
  for (let c = 0; c < cols; c++) {
    const raw = data[start + c];
    const value = valueType === 'f16' ? table[raw] : raw * scale;
    columns[n] = c;
    values[n] = value;
    n += value === 0 ? 0 : 1;
  }
  return n;
}

/** Like `readRowOf`, for i4 values, which have a scale for each group of Q4_GROUP columns. */
function readRowI4(
  { data, scales, stride }: DenseI4,
  cols: number,
  row: number,
  { columns, values }: RowBuffer,
): number {
  const table = f16Table();
  const first = (row * stride) / Q4_GROUP;
  let n = 0;
  for (let start = 0; start < cols; start += Q4_GROUP) {
    const group = first + start / Q4_GROUP;
    const scale = table[scales[group]];
    const inside = Math.min(Q4_GROUP, cols - start);
    for (let i = 0; i < inside; i++) {
      const value = (q4At(data, group, i) - Q4_ZERO) * scale;
      columns[n] = start + i;
      values[n] = value;
      n += value === 0 ? 0 : 1;
    }
  }
  return n;
}
