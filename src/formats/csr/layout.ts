import type { Layout } from '../../core/declared/declaration.ts';
import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import type { FloatArray, FloatType } from '../../core/number/index.ts';
import type { IndexBits } from '../../theory/shared-params.ts';
import type { CsrParams } from './params.ts';

/** Row i is elements indptr[i] to indptr[i + 1] - 1 of data and indices; non-zeros that were rounded to 0 are kept. */
export interface CsrEncoded extends EncodedMatrix {
  readonly valueType: FloatType;
  readonly indexBits: IndexBits;
  readonly data: FloatArray;
  readonly indices: Uint16Array | Uint32Array;
  readonly indptr: Uint32Array;
}

export type CsrArray = 'data' | 'indices' | 'indptr';

/** The declared arrays of CSR: type, role, length and meaning. */
export const arrays: Layout<CsrArray, CsrParams>['arrays'] = ({ valueType, indexBits: bits }) => ({
  data: {
    type: valueType,
    role: 'values',
    length: ({ nnz }) => nnz,
    lengthSays: 'nnz',
    meaning: 'non-zeros in row-major order',
  },
  indices: {
    type: `u${bits}`,
    role: 'indices',
    length: ({ nnz }) => nnz,
    lengthSays: 'nnz',
    columns: { by: 'indptr' },
    meaning: 'column of each, ascending inside a row',
  },
  indptr: { type: 'u32', role: 'metadata', offsetsInto: 'data', meaning: 'entries before row i' },
});
