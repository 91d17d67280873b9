import { FormatError } from '../../core/errors.ts';
import { CsrMatrix } from '../../core/matrix/index.ts';
import { entryCount, entryValue, type MackoEncoded, storedDelta } from './layout.ts';

/**
 * The matrix that the entries describe, in the value type's precision. Padding, and values that rounded to 0, are no
 * entries of a Matrix. Throws FormatError when a column lies outside. O(entries).
 */
export function decode(e: MackoEncoded): CsrMatrix {
  let kept = 0;
  const entries = entryCount(e);
  for (let r = 0; r < e.rows; r++) {
    for (let i = e.indptr[r]; i < e.indptr[r + 1]; i++) kept += entryValue(e, r, i) === 0 ? 0 : 1;
  }
  const indptr = new Uint32Array(e.rows + 1);
  const indices = new Uint32Array(kept);
  const data = new Float32Array(kept);
  let at = 0;
  for (let r = 0; r < e.rows; r++) {
    let column = -1;
    for (let i = e.indptr[r]; i < Math.min(e.indptr[r + 1], entries); i++) {
      column += storedDelta(e, i) + 1;
      if (column >= e.cols) {
        throw new FormatError(`row ${r}, entry ${i}: found column ${column}, expected below ${e.cols}`);
      }
      const value = entryValue(e, r, i);
      if (value === 0) continue;
      indices[at] = column;
      data[at++] = value;
    }
    indptr[r + 1] = at;
  }
  return new CsrMatrix({ rows: e.rows, cols: e.cols, indptr, indices, data });
}
