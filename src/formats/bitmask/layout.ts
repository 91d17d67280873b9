import type { EncodedMatrix } from '../../core/format.ts';

/**
 * One bit per cell and the non-zeros behind each other. Cell (i, j) has bit j % 32 of
 * mask[i * wordsPerRow + floor(j / 32)]; the value of a set bit is values[rowPtr[i] + set bits before it in the row].
 *
 * | array | dtype | length | meaning |
 * |---|---|---|---|
 * | values | f16 bits in u16, or f32 | nnz | non-zeros in row-major order |
 * | mask | u32 | rows * wordsPerRow | 1 where a value is stored; 0 behind the last column of a row |
 * | rowPtr | u32 | rows + 1 | values before row i |
 */
export interface BitmaskEncoded extends EncodedMatrix {
  readonly valueType: 'f16' | 'f32';
  /** ceil(cols / 32): a row is a whole number of words */
  readonly wordsPerRow: number;
  /** Uint16Array of f16 bits, or Float32Array, as `valueType` says */
  readonly values: Uint16Array | Float32Array;
  readonly mask: Uint32Array;
  readonly rowPtr: Uint32Array;
}
