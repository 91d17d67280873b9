import { defineFormat } from '../../core/format.ts';
import { ascendingColumn } from '../../core/kernel/left-out.ts';
import { card } from './card.ts';
import { encoding } from './encoding.ts';
import { kernels } from './kernels.ts';
import type { EllEncoded } from './layout.ts';
import type { EllParams } from './params.ts';
import limits from './limits.json';
import { multiply } from './multiply.ts';

/** ELLPACK-R: every row as long as the longest, slot by slot in memory, so that neighbouring lanes read neighbours. */
export const ell = defineFormat<EllEncoded, EllParams>({
  ...card,
  ...encoding,
  multiply,
  kernels,
  limits,
  // Reads that decide how long loops run are kept; a column that is not read is replaced.
  leftOut: {
    keepsBarriers: true,
    kept: ['counts', 'running', 'hidden'],
    standIns: { indices: (e) => ascendingColumn(e).replace('place', `(place / ${e.rows}u)`) },
  },
});
