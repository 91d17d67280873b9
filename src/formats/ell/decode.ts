import { csrMatrix, type CsrMatrix } from '../../core/matrix/index.ts';
import { floatAt } from '../../core/number/index.ts';
import type { EllEncoded } from './layout.ts';

/**
 * The matrix in the value type's precision, without the values that rounded to 0. Throws MatrixError when the arrays
 * contradict each other. O(rows + nnz).
 */
export function decode({ rows, cols, nnz, counts, indices, values }: EllEncoded): CsrMatrix {
  const indptr = new Uint32Array(rows + 1);
  const columns = new Uint32Array(nnz);
  const data = new Float32Array(nnz);
  let at = 0;
  for (let r = 0; r < rows; r++) {
    for (let s = 0; s < counts[r]; s++) {
      columns[at] = indices[s * rows + r];
      data[at++] = floatAt(values, s * rows + r);
    }
    indptr[r + 1] = at;
  }
  return csrMatrix({ rows, cols, indptr, indices: columns, data });
}
