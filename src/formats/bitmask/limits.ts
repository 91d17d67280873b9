import type { KernelLimit } from '../../core/kernel/limit.ts';
import type { LeftOutRules } from '../../core/kernel/left-out.ts';

/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/limits.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'bitmask/spmv_subgroup': {
    says: 'Instructions: values that are made up cost more than those that are read, and no other part saves a tenth.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, density 0.5',
      us: 76.4,
      without: { 'the scan': 70.8, 'reading mask': 73.9, 'reading values': 121.9, 'reading anything': 119.9 },
    },
  },
  'bitmask/spmv_workgroup': {
    says: 'Instructions, as in its twin with subgroups; barriers cost next to nothing.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, density 0.5',
      us: 81.9,
      without: {
        'reading running': 78.3,
        'reading words_before': 78.7,
        'reading values': 124.9,
        'reading anything': 125.3,
      },
    },
  },
};

/** How long its loops run is not left out; columns that are not read are some column. */
export const leftOut: LeftOutRules = {
  kept: ['row_ptr'],
  standIns: { running: () => 'h >> 24u', words_before: () => 'h >> 8u' },
};
