import type { KernelLimit } from '../../core/kernel/limit.ts';
import { type LeftOutRules, anyColumn } from '../../core/kernel/left-out.ts';

/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'bsr/spmv_subgroup': {
    says: 'With lanes for two turns per block row instead of 64, blocks of 16 went from 47 to 24 µs at 12288 × 12288. What the rest waits for no experiment has shown; a lane needs a block’s index before it can read x.',
    known: 'not shown',
  },
  'bsr/spmv_workgroup': {
    says: 'Blocks of 16 × 16 reach 56 % of the read speed. What the rest waits for no experiment has shown.',
    known: 'not shown',
  },
};

/** How long its loops run is not left out; columns that are not read are some column. */
export const leftOut: LeftOutRules = { kept: ['indptr'], standIns: { indices: (e) => `(${anyColumn(e)}) / 16u` } };
