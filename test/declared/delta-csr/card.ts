import { countFrom } from '../../../src/core/comparison/counts.ts';
import { declareCard } from '../../../src/core/declared/card.ts';
import type { DeclaredCard } from '../../../src/core/declared/declaration.ts';
import type { FloatType } from '../../../src/core/number/index.ts';
import { floatValues } from '../../../src/theory/shared-params.ts';

export interface DeltaParams {
  readonly valueType: FloatType;
}

type Names = 'data' | 'skips' | 'escapes' | 'indptr' | 'escptr';

/** CSR with columns as skips of a byte; a skip that does not fit escapes to an array of 32 bits. */
export const card: DeclaredCard<Names, DeltaParams> = declareCard<Names, DeltaParams>({
  id: 'delta-csr',
  title: 'delta CSR',
  summary: 'CSR whose columns are skips of 8 bits; a longer skip escapes to an array of 32 bits.',
  shortSummary: 'Each weight with a skip of one byte; longer skips escape.',
  bestExample: { id: 'power-law-graph', what: 'a graph' },
  colors: { light: '#6B4A1E', dark: '#B98A45' },
  params: { valueType: floatValues },
  arrays: ({ valueType }) => ({
    data: { type: valueType, role: 'values', length: ({ nnz }) => nnz, meaning: 'non-zeros, row after row' },
    skips: {
      type: 'u8',
      role: 'indices',
      length: ({ nnz }) => nnz,
      meaning: 'empty columns before each; 255: an escape',
    },
    escapes: {
      type: 'u32',
      role: 'indices',
      length: ({ gaps }) => (gaps ? countFrom(gaps, 256) : null), // a gap is its skip + 1
      meaning: 'empty columns where a byte does not hold them',
    },
    indptr: { type: 'u32', role: 'metadata', offsetsInto: 'data', meaning: 'entries before row i' },
    escptr: { type: 'u32', role: 'metadata', offsetsInto: 'escapes', meaning: 'escapes before row i' },
  }),
});
