import { CsrMatrix } from '../../core/matrix/index.ts';
import { keptColumn, keptValue, type SlideSparseEncoded } from './layout.ts';
import { KEPT } from './params.ts';

/** The stored matrix, without values rounded to 0. A row's windows overlap, so its columns are sorted. O(windows). */
export function decode(e: SlideSparseEncoded): CsrMatrix {
  const indptr = new Uint32Array(e.rows + 1);
  const indices = new Uint32Array(e.nnz);
  const data = new Float32Array(e.nnz);
  let at = 0;
  for (let r = 0; r < e.rows; r++) {
    const start = at;
    for (let w = 0; w < e.windowsPerRow; w++) {
      for (let k = 0; k < KEPT; k++) {
        const value = keptValue(e, r, w, k);
        if (value === 0) continue;
        const column = keptColumn(e, r, w, k);
        let i = at++;
        // Windows overlap by two columns, so this column may precede the last one stored, and is inserted before it.
        for (; i > start && indices[i - 1] > column; i--) {
          indices[i] = indices[i - 1];
          data[i] = data[i - 1];
        }
        indices[i] = column;
        data[i] = value;
      }
    }
    indptr[r + 1] = at;
  }
  return new CsrMatrix({ rows: e.rows, cols: e.cols, indptr, indices: indices.slice(0, at), data: data.slice(0, at) });
}
