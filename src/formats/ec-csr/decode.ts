import { CsrMatrix } from '../../core/matrix/index.ts';
import { type EcCsrEncoded, forEachColumn, valueAt } from './layout.ts';

/** Bits for the position of an entry, below its column in one sortable number: rows have fewer than 2^21 entries. */
const POSITIONS = 2 ** 21;

/** The matrix that the blocks describe, in the value type's precision, without padding. O(columns G + nnz log). */
export function decode(e: EcCsrEncoded): CsrMatrix {
  const indptr = new Uint32Array(e.rows + 1);
  forEachColumn(e, (_column, valuesAt, rowIndicesAt, granularity) => {
    for (let g = 0; g < granularity; g++) {
      if (valueAt(e, valuesAt + g) !== 0) indptr[e.rowIndices[rowIndicesAt + g] + 1]++;
    }
  });
  for (let r = 0; r < e.rows; r++) indptr[r + 1] += indptr[r];
  const indices = new Uint32Array(indptr[e.rows]);
  const data = new Float32Array(indptr[e.rows]);
  const next = indptr.slice(0, e.rows);
  forEachColumn(e, (column, valuesAt, rowIndicesAt, granularity) => {
    for (let g = 0; g < granularity; g++) {
      const value = valueAt(e, valuesAt + g);
      if (value === 0) continue;
      const at = next[e.rowIndices[rowIndicesAt + g]]++;
      indices[at] = column;
      data[at] = value;
    }
  });
  for (let r = 0; r < e.rows; r++)
    sortRow(indices.subarray(indptr[r], indptr[r + 1]), data.subarray(indptr[r], indptr[r + 1]));
  return new CsrMatrix({ rows: e.rows, cols: e.cols, indptr, indices, data });
}

/** Blocks are ordered by granularity, so a row's columns are not ascending yet. */
function sortRow(columns: Uint32Array, values: Float32Array): void {
  const keys = Float64Array.from(columns, (column, i) => column * POSITIONS + i).sort();
  const sorted = values.slice();
  keys.forEach((key, i) => {
    columns[i] = Math.floor(key / POSITIONS);
    values[i] = sorted[key % POSITIONS];
  });
}
