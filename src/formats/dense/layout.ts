import type { EncodedMatrix } from '../../core/format.ts';
import { f16Table, Q4_GROUP, Q4_GROUP_BYTES, Q4_ZERO, q4At, VALUE_BITS } from '../../core/number/index.ts';
import type { Violations } from '../../core/encoded/violations.ts';
import type { DenseValueType } from './params.ts';

/**
 * A dense matrix with rows that start on a 16-byte boundary: cell (i, j) is data[i * stride + j]. In i4, group
 * g = i * stride / 32 + floor(j / 32) has bytes 16 g to 16 g + 15: the low half of byte b is column b of the group, the
 * high half column 16 + b, and cell = (half - 8) * scales[g].
 *
 * | array | dtype | length | meaning |
 * |---|---|---|---|
 * | data | f32, f16 bits in u16, or i8 | rows * stride | cells in row-major order; 0 past the last column of a row |
 * | data | two i4 in a u8 | rows * stride / 2 | the same in groups of 32 columns, where 8 means 0 |
 * | scales | f32 | rows for i8, 0 for f16 and f32 | the value of one step of the row: cell = data * scale |
 * | scales | f16 bits in u16 | rows * stride / 32 for i4 | the value of one step of the group, of either sign |
 *
 * `nnz` counts the cells that are not 0 after rounding.
 */
export interface DenseEncoded extends EncodedMatrix {
  readonly valueType: DenseValueType;
  /** elements from one row to the next, see `denseStride` */
  readonly stride: number;
  /** by `valueType`: Float32Array, Uint16Array of f16 bits, Int8Array, or Uint8Array with two cells per byte */
  readonly data: Float32Array | Uint16Array | Int8Array | Uint8Array;
  /** Uint16Array of f16 bits for i4, else Float32Array */
  readonly scales: Float32Array | Uint16Array;
}

/** `cols` rounded up to a multiple of 8, of 16 for i8 and 32 for i4, so that rows can be read 16 bytes at a time. */
export function denseStride(cols: number, valueType: DenseValueType): number {
  const unit = valueType === 'i4' ? Q4_GROUP : valueType === 'i8' ? 16 : 8;
  return Math.ceil(cols / unit) * unit;
}

/** Rows of `data` are padded to a multiple of this many bytes. */
export function rowUnitBytes(valueType: DenseValueType): number {
  return (denseStride(1, valueType) * VALUE_BITS[valueType]) / 8;
}

/** Elements of `data` for this many cells. */
export function dataLength(cells: number, valueType: DenseValueType): number {
  return valueType === 'i4' ? cells / 2 : cells;
}

/** Number of scales for `rows` rows. */
export function scaleCount(rows: number, stride: number, valueType: DenseValueType): number {
  if (valueType === 'i4') return (rows * stride) / Q4_GROUP;
  return valueType === 'i8' ? rows : 0;
}

/** The arrays of a matrix in i4, with the types that they have in i4. */
export interface DenseI4 {
  readonly stride: number;
  readonly data: Uint8Array;
  readonly scales: Uint16Array;
}

/** The arrays of an encoded matrix in i4; null for every other value type. */
export function asI4({ stride, data, scales }: DenseEncoded): DenseI4 | null {
  return data instanceof Uint8Array && scales instanceof Uint16Array ? { stride, data, scales } : null;
}

/** The 4 bits of cell (row, col), from 0 to 15. */
function q4OfCell({ data, stride }: DenseI4, row: number, col: number): number {
  return q4At(data, (row * stride + col - (col % Q4_GROUP)) / Q4_GROUP, col % Q4_GROUP);
}

/** The number in cell (row, col), in f32. */
export function cellValue(e: DenseEncoded, row: number, col: number): number {
  const i4 = asI4(e);
  if (i4) {
    const scale = f16Table()[i4.scales[Math.floor((row * e.stride + col) / Q4_GROUP)]];
    return (q4OfCell(i4, row, col) - Q4_ZERO) * scale;
  }
  const raw = e.data[row * e.stride + col];
  if (e.valueType === 'f16') return f16Table()[raw];
  return e.valueType === 'i8' ? Math.fround(raw * e.scales[row]) : raw;
}

/** Checks that nnz cells are not 0, and that all past the last column are. O(rows * stride). */
export function checkCells(e: DenseEncoded, v: Violations): void {
  const i4 = asI4(e);
  v.expect('data', null, 'cells that are not 0', i4 ? nonZerosOfI4(v, e, i4) : nonZeros(v, e), e.nnz, 'nnz');
}

/** Counts the cells that are not 0, and records those past the last column of a row. */
function nonZeros(v: Violations, { rows, cols, stride, data, valueType }: DenseEncoded): number {
  let nnz = 0;
  for (let r = 0; r < rows; r++) {
    const start = r * stride;
    for (let c = 0; c < cols; c++) {
      const raw = data[start + c];
      // Bit 15 of an f16 is its sign, and -0 is 0.
      nnz += (valueType === 'f16' ? raw & 0x7fff : raw) === 0 ? 0 : 1;
    }
    for (let i = start + cols; i < start + stride && !v.full; i++) {
      v.expect('data', i, `data[${i}], past the last column of row ${r}`, data[i], 0);
    }
  }
  return nnz;
}

/** Like `nonZeros`, for i4, where 8 means 0, and in a group whose scale is 0 every cell is 0. */
function nonZerosOfI4(v: Violations, { rows, cols, stride }: DenseEncoded, { data, scales }: DenseI4): number {
  const groups = stride / Q4_GROUP;
  let nnz = 0;
  for (let r = 0; r < rows; r++) {
    for (let g = 0; g < groups; g++) {
      const group = r * groups + g;
      const inside = Math.min(Q4_GROUP, cols - g * Q4_GROUP);
      const isZero = (scales[group] & 0x7fff) === 0;
      for (let i = 0; i < inside; i++) nnz += isZero || q4At(data, group, i) === Q4_ZERO ? 0 : 1;
      for (let i = inside; i < Q4_GROUP && !v.full; i++) {
        const at = group * Q4_GROUP_BYTES + (i % Q4_GROUP_BYTES);
        const half = i < Q4_GROUP_BYTES ? 'low' : 'high';
        const what = `${half} half of data[${at}], past the last column of row ${r}`;
        v.expect('data', at, what, q4At(data, group, i), Q4_ZERO);
      }
    }
  }
  return nnz;
}
