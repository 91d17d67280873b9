import type { KernelLimit } from '../../core/kernel/limit.ts';
import { type LeftOutRules, ascendingColumn } from '../../core/kernel/left-out.ts';

/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'ell/spmv_scalar': {
    says: 'A lane for each row: 4096 rows reach 4 % of the read speed. That more lanes to a row would be faster is likely, and was not tried.',
    known: 'not shown',
  },
};

/** How long its loops run is not left out; columns that are not read are some column. */
export const leftOut: LeftOutRules = {
  keepsBarriers: true,
  kept: ['counts', 'running', 'hidden'],
  standIns: { indices: (e) => ascendingColumn(e).replace('place', `(place / ${e.rows}u)`) },
};
