import type { EncodedMatrix } from '../../core/format.ts';

/**
 * Compressed sparse rows: row i occupies indices[indptr[i] .. indptr[i + 1]) and the same range of data.
 *
 * | array | dtype | length | meaning |
 * |---|---|---|---|
 * | data | f16 bits in u16, or f32 | nnz | non-zeros in row-major order |
 * | indices | u32, or u16 | nnz | column of each, ascending inside a row |
 * | indptr | u32 | rows + 1 | entries before row i |
 */
export interface CsrEncoded extends EncodedMatrix {
  readonly valueType: 'f16' | 'f32';
  readonly indexBits: 16 | 32;
  /** Uint16Array of f16 bits, or Float32Array, as `valueType` says */
  readonly data: Uint16Array | Float32Array;
  /** Uint16Array or Uint32Array, as `indexBits` says */
  readonly indices: Uint16Array | Uint32Array;
  readonly indptr: Uint32Array;
}
