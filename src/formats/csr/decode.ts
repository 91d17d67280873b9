import { csrMatrix, type CsrMatrix } from '../../core/matrix/index.ts';
import { floatsOf } from '../../core/number/index.ts';
import type { CsrEncoded } from './layout.ts';

/**
 * The decoded matrix, without values that rounded to 0. Shares f32 data, 32-bit indices and
 * indptr with the encoded matrix. Throws MatrixError when the arrays contradict each other. O(rows + nnz).
 */
export function decode({ rows, cols, indptr, indices, data }: CsrEncoded): CsrMatrix {
  const columns = indices instanceof Uint32Array ? indices : Uint32Array.from(indices);
  return csrMatrix({ rows, cols, indptr, indices: columns, data: floatsOf(data) });
}
