import { csrMatrix, type CsrMatrix } from '../../core/matrix/index.ts';
import { bf16Table } from '../../core/number/index.ts';
import { type HybridEncoded, NONE } from './layout.ts';

/** The matrix, without values that rounded to 0. Throws MatrixError when arrays contradict each other. O(elements). */
export function decode({ rows, cols, nnz, slots, values, indices, counts, tailMap, tail }: HybridEncoded): CsrMatrix {
  const table = bf16Table();
  const indptr = new Uint32Array(rows + 1);
  const columns = new Uint32Array(nnz);
  const data = new Float32Array(nnz);
  let at = 0;
  for (let r = 0; r < rows; r++) {
    const start = tailMap[r] * cols;
    if (tailMap[r] === NONE) {
      for (let s = r * slots; s < r * slots + counts[r]; s++) {
        columns[at] = indices[s];
        data[at++] = table[values[s]];
      }
    } else {
      for (let c = 0; c < cols; c++) {
        const value = table[tail[start + c]];
        if (value === 0) continue;
        columns[at] = c;
        data[at++] = value;
      }
    }
    indptr[r + 1] = at;
  }
  // Fewer than nnz, if values of the tail rounded to 0.
  return csrMatrix({ rows, cols, indptr, indices: columns.subarray(0, at), data: data.subarray(0, at) });
}
