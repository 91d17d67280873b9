import type { Layout } from '../../core/declared/declaration.ts';
import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import type { FloatArray, FloatType } from '../../core/number/index.ts';
import { fact, type Stated, stated } from '../../core/story/stated.ts';
import { floatValues, type IndexBits, indexBits, type IndexBitsChoice } from '../../theory/index-bits.ts';

export interface CsrParams {
  readonly valueType: FloatType;
  readonly indexBits: IndexBitsChoice;
}

/**
 * Compressed sparse rows: row i occupies indices[indptr[i] .. indptr[i + 1]) and the same range of data. A value that rounds
 * to 0 keeps its entry.
 */
export interface CsrEncoded extends EncodedMatrix {
  readonly valueType: FloatType;
  readonly indexBits: IndexBits;
  readonly data: FloatArray;
  readonly indices: Uint16Array | Uint32Array;
  readonly indptr: Uint32Array;
}

export const layout: Layout<'data' | 'indices' | 'indptr', CsrParams> = {
  params: { valueType: floatValues, indexBits },
  arrays: ({ valueType, indexBits: bits }) => ({
    data: { type: valueType, role: 'values', length: ({ nnz }) => nnz, meaning: 'non-zeros in row-major order' },
    indices: {
      type: `u${bits}`,
      role: 'indices',
      length: ({ nnz }) => nnz,
      columns: { by: 'indptr' },
      meaning: 'column of each, ascending inside a row',
    },
    indptr: { type: 'u32', role: 'metadata', offsetsInto: 'data', meaning: 'entries before row i' },
  }),
};

/** The bytes of a column beside those of its value. */
export function columnsBeside(columnBytes: number, valueBytes: number): Stated {
  return stated`${fact('bytes of a column', columnBytes)} B of column for every ${fact('bytes of a value', valueBytes)} B of value`;
}
