import type { IndexBits } from '../../theory/index-bits.ts';
import type { EncodedMatrix, Violation } from '../../core/format.ts';
import type { FloatArray, FloatType } from '../../core/number/index.ts';
import { Violations } from '../../core/encoded/violations.ts';

/**
 * Compressed sparse rows: row i occupies indices[indptr[i] .. indptr[i + 1]) and the same range of data.
 *
 * | array | dtype | length | meaning |
 * |---|---|---|---|
 * | data | f16 bits in u16, or f32 | nnz | non-zeros in row-major order |
 * | indices | u32, or u16 | nnz | column of each, ascending inside a row |
 * | indptr | u32 | rows + 1 | entries before row i |
 *
 * A value that rounds to 0 keeps its entry.
 */
export interface CsrEncoded extends EncodedMatrix {
  readonly valueType: FloatType;
  readonly indexBits: IndexBits;
  /** Uint16Array of f16 bits, or Float32Array, according to `valueType` */
  readonly data: FloatArray;
  /** Uint16Array or Uint32Array, according to `indexBits` */
  readonly indices: Uint16Array | Uint32Array;
  readonly indptr: Uint32Array;
}

/** The checks of `validate` per array besides length and checksum. */
export const rules = {
  data: null,
  indices: 'ascend in a row, below cols',
  indptr: 'from 0 to nnz, never descending',
} as const;

/**
 * 'cheap' O(1): the lengths. 'full' O(rows + nnz): offsets ascend and end at nnz, columns ascend and are inside, and
 * checksums match.
 */
export function validate(e: CsrEncoded, level: 'cheap' | 'full'): readonly Violation[] {
  const v = new Violations();
  const { rows, cols, nnz, data, indices, indptr } = e;
  v.expect('data', null, 'length of data', data.length, nnz, 'nnz');
  v.expect('indices', null, 'length of indices', indices.length, nnz, 'nnz');
  v.expect('indptr', null, 'length of indptr', indptr.length, rows + 1, 'rows + 1');
  if (level === 'cheap' || v.found.length > 0) return v.found;

  v.offsets('indptr', indptr, nnz, 'nnz');
  if (v.found.length > 0) return v.found;
  for (let r = 0; r < rows && !v.full; r++) {
    v.columns('indices', indices, { row: r, start: indptr[r], count: indptr[r + 1] - indptr[r], step: 1 }, cols);
  }
  v.unchanged(e);
  return v.found;
}
