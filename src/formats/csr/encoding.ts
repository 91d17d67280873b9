import { declareEncoding } from '../../core/declared/declare.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { meanText } from '../../core/text/rounded.ts';
import { indexBitsFor } from '../../theory/shared-params.ts';
import { arrays, type CsrArray, type CsrEncoded } from './layout.ts';
import { type CsrParams, params, sizeReason } from './params.ts';

/** How CSR is encoded, decoded, and the reasons for its size. Its story quotes the line after each `// step: NAME`. */
export const encoding = declareEncoding<CsrArray, CsrParams, CsrEncoded>({
  id: 'csr',
  params,
  arrays,
  *encode(A, { data, indices, indptr }) {
    // step: start
    indptr.push(0);
    for (const row of A) {
      // step: values
      data.pushAll(row.values, row.length);
      // step: indices
      indices.pushAll(row.columns, row.length);
      // step: row-end
      indptr.push(data.length);
      yield;
    }
  },
  decode({ data, indices, indptr }, { rows }, put) {
    for (let r = 0; r < rows; r++) for (let i = indptr[r]; i < indptr[r + 1]; i++) put(r, indices[i], data[i]);
  },
  sizeReason: ({ indices, data }) => sizeReason(indices.BYTES_PER_ELEMENT, data.BYTES_PER_ELEMENT),
  comparison: {
    why({ rows, cols, nnz }, { valueType, indexBits: choice }) {
      const bits = indexBitsFor(choice, { cols });
      if (nnz === 0) return 'No non-zeros: only row starts.';
      const apart = (rows * cols) / nnz;
      if (apart > bits) {
        return `Non-zeros lie ${meanText(apart)} columns apart: a column number of ${bits} bits is less than a bit for each of them.`;
      }
      const times = bits / VALUE_BITS[valueType];
      const cost = times === 1 ? 'as much as' : times < 1 ? 'half as much as' : 'twice as much as';
      return `A column number takes ${cost} the value; non-zeros lie only ${meanText(apart)} columns apart.`;
    },
  },
});
