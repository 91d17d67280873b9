import type { EncodedMatrix, Violation } from '../../core/format.ts';
import { f16Table, type ValueType } from '../../core/number/index.ts';
import { Violations } from '../../core/encoded/violations.ts';

/**
 * A dense matrix with rows that start on a 16-byte boundary: cell (i, j) is data[i * stride + j].
 *
 * | array | dtype | length | meaning |
 * |---|---|---|---|
 * | data | f32, f16 bits in u16, or i8 | rows * stride | cells in row-major order; 0 past the last column of a row |
 * | scales | f32 | rows for i8, else 0 | the value of one step of the row: cell = data * scale |
 *
 * `nnz` counts the cells that are not 0 after rounding.
 */
export interface DenseEncoded extends EncodedMatrix {
  readonly valueType: ValueType;
  /** elements from one row to the next, see `denseStride` */
  readonly stride: number;
  /** Float32Array, Uint16Array of f16 bits, or Int8Array, as `valueType` says */
  readonly data: Float32Array | Uint16Array | Int8Array;
  readonly scales: Float32Array;
}

/** `cols` rounded up to a multiple of 8 elements, of 16 for i8, so that rows can be read 16 bytes at a time. */
export function denseStride(cols: number, valueType: ValueType): number {
  const unit = valueType === 'i8' ? 16 : 8;
  return Math.ceil(cols / unit) * unit;
}

/** The number in cell (row, col), in f32. */
export function cellValue(e: DenseEncoded, row: number, col: number): number {
  const raw = e.data[row * e.stride + col];
  if (e.valueType === 'f16') return f16Table()[raw];
  return e.valueType === 'i8' ? Math.fround(raw * e.scales[row]) : raw;
}

/** What `validate` checks of each array beside length and checksum. */
export const rules = {
  data: 'exactly nnz cells that are not 0; 0 past the last column',
  scales: 'finite, above 0',
} as const;

/**
 * 'cheap' O(1): the lengths. 'full' O(rows * stride): scales, the cells past the last column, the count of non-zeros, and that every array is the
 * one that was encoded.
 */
export function validate(e: DenseEncoded, level: 'cheap' | 'full'): readonly Violation[] {
  const v = new Violations();
  const { rows, cols, data, scales, valueType } = e;
  v.expect('data', null, 'stride', e.stride, denseStride(cols, valueType), 'cols rounded up');
  v.expect('data', null, 'length of data', data.length, rows * e.stride, 'rows * stride');
  v.expect('scales', null, 'length of scales', scales.length, valueType === 'i8' ? rows : 0);
  if (level === 'cheap' || v.found.length > 0) return v.found;

  v.scales(scales);
  let nnz = 0;
  for (let r = 0; r < rows; r++) {
    const start = r * e.stride;
    for (let c = 0; c < cols; c++) {
      const raw = data[start + c];
      // Bit 15 of an f16 is its sign, and -0 is 0.
      nnz += (valueType === 'f16' ? raw & 0x7fff : raw) === 0 ? 0 : 1;
    }
    for (let i = start + cols; i < start + e.stride && !v.full; i++) {
      v.expect('data', i, `data[${i}], past the last column of row ${r}`, data[i], 0);
    }
  }
  v.expect('data', null, 'cells that are not 0', nnz, e.nnz, 'nnz');
  v.unchanged(e);
  return v.found;
}
