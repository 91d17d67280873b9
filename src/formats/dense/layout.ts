import type { EncodedMatrix } from '../../core/format.ts';

/**
 * A dense matrix with rows that start on a 16-byte boundary: cell (i, j) is data[i * stride + j].
 *
 * | array | dtype | length | meaning |
 * |---|---|---|---|
 * | data | f32, f16 bits in u16, or i8 | rows * stride | cells in row-major order; 0 behind the last column of a row |
 * | scales | f32 | rows; i8 only | the value of one step of the row: cell = data * scale |
 */
export type DenseEncoded = DenseShape &
  (
    | { readonly valueType: 'f32'; readonly data: Float32Array }
    | { readonly valueType: 'f16'; readonly data: Uint16Array }
    | { readonly valueType: 'i8'; readonly data: Int8Array; readonly scales: Float32Array }
  );

interface DenseShape extends EncodedMatrix {
  /** elements from one row to the next, see `denseStride` */
  readonly stride: number;
}

/** `cols` rounded up to a multiple of 8 elements, of 16 for i8, so that rows can be read 16 bytes at a time. */
export function denseStride(cols: number, valueType: DenseEncoded['valueType']): number {
  const unit = valueType === 'i8' ? 16 : 8;
  return Math.ceil(cols / unit) * unit;
}
