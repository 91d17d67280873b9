import { declareCard } from '../../../src/core/declared/card.ts';
import type { DeclaredCard } from '../../../src/core/declared/declaration.ts';
import type { FloatType } from '../../../src/core/number/index.ts';
import { floatValues } from '../../../src/theory/shared-params.ts';

export interface JdsParams {
  readonly valueType: FloatType;
}

type Names = 'permutation' | 'starts' | 'indices' | 'values';

/**
 * JDS (jagged diagonals): rows sorted by length; diagonal j has the j-th non-zero of every row that is long enough.
 * `starts` ends with its last element twice, so that a loop over diagonals ends without their number.
 */
export const card: DeclaredCard<Names, JdsParams> = declareCard<Names, JdsParams>({
  id: 'jds',
  title: 'JDS',
  shortSummary: 'Rows sorted by length, stored diagonal by diagonal.',
  params: { valueType: floatValues },
  arrays: ({ valueType }) => ({
    permutation: {
      type: 'u16',
      role: 'metadata',
      length: ({ rows }) => rows,
      lengthSays: 'rows',
      meaning: 'the row at position i',
    },
    starts: {
      type: 'u32',
      role: 'metadata',
      length: ({ longest }) => (longest === undefined ? null : longest + 2),
      lengthSays: 'longest row + 2',
      offsetsInto: 'values',
      meaning: 'where diagonal j begins',
    },
    indices: { type: 'u16', role: 'indices', length: ({ nnz }) => nnz, columns: {}, meaning: 'column' },
    values: { type: valueType, role: 'values', length: ({ nnz }) => nnz, meaning: 'non-zero' },
  }),
});
