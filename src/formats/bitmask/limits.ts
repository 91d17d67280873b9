import type { KernelLimit } from '../../core/kernel/limit.ts';
import type { LeftOutRules } from '../../core/kernel/left-out.ts';

/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'bitmask/spmv_subgroup': {
    says: 'Reading values one by one: of 157.5 µs at 12288 × 12288 and density 0.5, 84.9 remain without it, 139.6 without counting bits, 151.7 without x. What takes the rest, at every density alike, is not known.',
    known: 'parts left out',
  },
  'bitmask/spmv_workgroup': {
    says: 'It takes 171 µs where its twin with subgroups takes 158; nothing was left out of this one. Its scans and sums go through workgroup memory.',
    known: 'comparison',
  },
};

/** How long its loops run is not left out; columns that are not read are some column. */
export const leftOut: LeftOutRules = {
  kept: ['row_ptr'],
  standIns: { running: () => 'h >> 24u', words_before: () => 'h >> 8u' },
};
