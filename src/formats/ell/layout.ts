import type { EncodedMatrix } from '../../core/format.ts';

/**
 * ELLPACK-R: every row has `width` slots, the length of the longest row. Slot s of row r is element s * rows + r, so
 * that neighbouring rows stand side by side in memory. Row r uses its first counts[r] slots; the rest is padding.
 *
 * | array | dtype | length | meaning |
 * |---|---|---|---|
 * | values | f16 bits in u16, or f32 | width * rows | non-zeros of a row from slot 0 on; 0 in empty slots |
 * | indices | u32, or u16 | width * rows | column of each, ascending inside a row; 0 in empty slots |
 * | counts | u32 | rows | non-zeros of the row |
 */
export interface EllEncoded extends EncodedMatrix {
  readonly valueType: 'f16' | 'f32';
  readonly indexBits: 16 | 32;
  /** slots per row: the longest row; 0 for a matrix without non-zeros */
  readonly width: number;
  /** Uint16Array of f16 bits, or Float32Array, as `valueType` says */
  readonly values: Uint16Array | Float32Array;
  /** Uint16Array or Uint32Array, as `indexBits` says */
  readonly indices: Uint16Array | Uint32Array;
  readonly counts: Uint32Array;
}
