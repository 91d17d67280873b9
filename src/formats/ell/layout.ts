import type { IndexBits } from '../../theory/index-bits.ts';
import type { EncodedMatrix, Violation } from '../../core/format.ts';
import type { FloatArray, FloatType } from '../../core/number/index.ts';
import { Violations } from '../../core/encoded/violations.ts';

/**
 * ELLPACK-R: every row has `width` slots, the length of the longest row. Slot s of row r is element s * rows + r, so
 * that neighbouring rows are adjacent in memory. Row r uses its first counts[r] slots; the rest is padding.
 *
 * | array | dtype | length | meaning |
 * |---|---|---|---|
 * | values | f16 bits in u16, or f32 | width * rows | non-zeros of a row from slot 0 on; 0 in empty slots |
 * | indices | u32, or u16 | width * rows | column of each, ascending inside a row; 0 in empty slots |
 * | counts | u32 | rows | non-zeros of the row |
 *
 * A value that rounds to 0 keeps its slot.
 * Source: Vázquez, Fernández and Garzón, A new approach for sparse matrix vector product on NVIDIA GPUs, 2011.
 */
export interface EllEncoded extends EncodedMatrix {
  readonly valueType: FloatType;
  readonly indexBits: IndexBits;
  /** slots per row: the longest row; 0 for a matrix without non-zeros */
  readonly width: number;
  /** Uint16Array of f16 bits, or Float32Array, according to `valueType` */
  readonly values: FloatArray;
  /** Uint16Array or Uint32Array, according to `indexBits` */
  readonly indices: Uint16Array | Uint32Array;
  readonly counts: Uint32Array;
}

/** The checks of `validate` per array besides length and checksum. */
export const rules = {
  values: '0 in empty slots',
  indices: 'ascend in a row, below cols; 0 in empty slots',
  counts: 'add up to nnz, the largest is width',
} as const;

/**
 * 'cheap' O(1): the lengths. 'full' O(rows * width): counts add up to nnz and reach width, columns ascend and are
 * inside, empty slots hold 0, and checksums match.
 */
export function validate(e: EllEncoded, level: 'cheap' | 'full'): readonly Violation[] {
  const v = new Violations();
  const { rows, cols, nnz, width, values, indices, counts } = e;
  v.expect('values', null, 'length of values', values.length, rows * width, 'rows * width');
  v.expect('indices', null, 'length of indices', indices.length, rows * width, 'rows * width');
  v.expect('counts', null, 'length of counts', counts.length, rows, 'rows');
  if (level === 'cheap' || v.found.length > 0) return v.found;

  let sum = 0;
  let longest = 0;
  for (const count of counts) {
    sum += count;
    longest = Math.max(longest, count);
  }
  v.expect('counts', null, 'sum of counts', sum, nnz, 'nnz');
  v.expect('counts', null, 'largest count', longest, width, 'width');
  if (v.found.length > 0) return v.found;
  for (let r = 0; r < rows && !v.full; r++) {
    v.columns('indices', indices, { row: r, start: r, count: counts[r], step: rows }, cols);
    for (let at = counts[r] * rows + r; at < indices.length && !v.full; at += rows) {
      // The message is built only on failure: there may be millions of empty slots.
      if (indices[at] !== 0) v.expect('indices', at, `indices[${at}], an empty slot of row ${r}`, indices[at], 0);
      if (values[at] !== 0) v.expect('values', at, `values[${at}], an empty slot of row ${r}`, values[at], 0);
    }
  }
  v.unchanged(e);
  return v.found;
}
