import { declareCard } from '../../../src/core/declared/card.ts';
import type { Counts, DeclaredCard } from '../../../src/core/declared/declaration.ts';
import type { FloatType } from '../../../src/core/number/index.ts';
import { floatValues } from '../../../src/theory/shared-params.ts';

export interface Sell4Params {
  readonly valueType: FloatType;
}

type Names = 'starts' | 'indices' | 'values';

/** Number of slots of all slices; null until A is encoded. */
function slots({ encoded }: Counts): number | null {
  const starts = encoded?.starts;
  return starts instanceof Uint32Array ? starts[starts.length - 1] : null;
}

const padding = { says: 'slots of shorter rows' };

/** SELL-4 (sliced ELLPACK): slices of four rows, each padded to its longest row and stored column by column. */
export const card: DeclaredCard<Names, Sell4Params> = declareCard<Names, Sell4Params>({
  id: 'sell4',
  title: 'SELL-4',
  shortSummary: 'Slices of four rows, each padded to its longest row.',
  params: { valueType: floatValues },
  arrays: ({ valueType }) => ({
    starts: {
      type: 'u32',
      role: 'metadata',
      length: ({ rows }) => Math.ceil(rows / 4) + 1,
      lengthSays: 'slices + 1',
      offsetsInto: 'values',
      meaning: 'where slice i begins',
    },
    indices: { type: 'u16', role: 'indices', length: slots, padding, columns: {}, meaning: 'column; 0 in empty slots' },
    values: { type: valueType, role: 'values', length: slots, padding, meaning: 'non-zero; 0 in empty slots' },
  }),
});
