import { csrMatrix, type CsrMatrix } from '../../core/matrix/index.ts';
import { bf16Table } from '../../core/number/index.ts';
import { columnAt, countAt, entryAt, type TwellEncoded, valueBitsAt } from './layout.ts';

/** The stored matrix without values that rounded to 0. Throws MatrixError if arrays are inconsistent. O(elements). */
export function decode(e: TwellEncoded): CsrMatrix {
  const { rows, cols, nnz, tiles } = e;
  const table = bf16Table();
  const indptr = new Uint32Array(rows + 1);
  const indices = new Uint32Array(nnz);
  const data = new Float32Array(nnz);
  let at = 0;
  for (let r = 0; r < rows; r++) {
    for (let tileRow = r * tiles; tileRow < (r + 1) * tiles; tileRow++) {
      const end = entryAt(e, tileRow, countAt(e, tileRow));
      for (let from = entryAt(e, tileRow, 0); from < end; from++) {
        indices[at] = columnAt(e, from);
        data[at++] = table[valueBitsAt(e, from)];
      }
    }
    indptr[r + 1] = at;
  }
  return csrMatrix({ rows, cols, indptr, indices, data });
}
