import { FormatError } from '../../core/errors.ts';
import { CsrMatrix } from '../../core/matrix/index.ts';
import { entryValue, f16Table } from '../../core/number/index.ts';
import { entryCount, type MackoEncoded } from './layout.ts';

/** Decodes without padding and values rounded to 0. Throws FormatError for a column outside the matrix. O(entries). */
export function decode(e: MackoEncoded): CsrMatrix {
  const { values, valueType, deltas, deltaBits, rows, cols } = e;
  const table = f16Table();
  const mask = 2 ** deltaBits - 1;
  const indptr = new Uint32Array(rows + 1);
  const indices = new Uint32Array(Math.min(entryCount(e), e.nnz));
  const data = new Float32Array(indices.length);
  let count = 0;
  let word = 0;
  let bit = 0;
  for (let r = 0; r < rows; r++) {
    const end = e.indptr[r + 1];
    let column = -1;
    for (let i = e.indptr[r]; i < end; i++) {
      column += ((deltas[word] >>> bit) & mask) + 1;
      bit += deltaBits;
      if (bit === 32) {
        bit = 0;
        word++;
      }
      const value = valueType === 'f16' ? table[values[i]] : entryValue(e, r, i);
      if (value === 0) continue;
      indices[count] = column;
      data[count++] = value;
    }
    indptr[r + 1] = count;
    // Columns ascend within a row, so checking the last one suffices.
    if (column >= cols) throw new FormatError(`row ${r}: found an entry at column ${column}, expected below ${cols}`);
  }
  return new CsrMatrix({ rows, cols, indptr, indices: indices.subarray(0, count), data: data.subarray(0, count) });
}
