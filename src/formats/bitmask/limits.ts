import type { KernelLimit } from '../../core/kernel/limit.ts';
import { anyColumn, type LeftOutRules } from '../../core/kernel/left-out.ts';
import { NARROW_COLUMNS } from './group-columns.ts';

/** Causes of time other than bytes and arithmetic, on an NVIDIA H200 (docs/limits.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'bitmask/spmv_staged': {
    says: 'Instructions on whole numbers, which this GPU does at half the rate of others: a form that reads ahead takes 54 µs with all that it reads made up. None left out alone makes up for it. At 0.3 also walking groups again: 56 of 97 µs; looked for in 64 columns first, 67.8 in all (a prototype).',
    known: 'parts left out',
    experiment: {
      on: '12288 × 12288, 50 % left',
      us: 73.7,
      without: { x: 63.2, counting: 65.4, values: 55.5, 'the columns of groups': 68.1, 'the mask': 66.1 },
    },
  },
  'bitmask/spmv_subgroup': {
    says: 'The same as bitmask/spmv_staged, from which it differs in reading x from caches: 72.5 instead of 63.6 µs at 12288 × 12288 with 50 % left, before groups were looked for in 64 columns.',
    known: 'comparison',
  },
  'bitmask/spmv_workgroup': {
    says: 'The same as bitmask/spmv_subgroup, from which it differs in adding up a row through workgroup memory: 72.7 instead of 72.5 µs at 12288 × 12288 with 50 % left, before groups were looked for in 64 columns.',
    known: 'comparison',
  },
  'bitmask/gemm_subgroup_x16': {
    says: 'Not timed yet. By count, instructions: 18 for each value with four tokens, of which 8 find its column and multiply once.',
    known: 'count',
  },
  'bitmask/gemm_workgroup': {
    says: 'Not timed yet. By count, the gather: the places of four tokens have 16 bytes.',
    known: 'count',
  },
};

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = {
  kept: ['indptr'],
  standIns: { group_columns: (e) => (e.cols > NARROW_COLUMNS ? anyColumn(e) : `(${anyColumn(e)}) * 0x10001u`) },
};
