import type { KernelLimit } from '../../core/kernel/limit.ts';
import { type LeftOutRules, anyColumn } from '../../core/kernel/left-out.ts';

/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'ec-csr/spmv_subgroup': {
    says: 'The work per block and per delta, not memory: of 15.6 µs at 4096 × 4096, 12 remained when neither values nor x were read, and 13.2 when all gathers touched one line.',
    known: 'parts left out',
  },
  'ec-csr/spmv_workgroup': {
    says: 'As its twin with subgroups, presumably the work per block and per delta: nothing was left out of this one, whose sums pass through workgroup memory.',
    known: 'not shown',
  },
  'ec-csr/spmv_compare_and_swap': {
    says: 'As the kernel with subgroups, presumably the work per block and per delta: nothing was left out of this one, in which lanes add to shared rows one after the other.',
    known: 'not shown',
  },
};

/** How long its loops run is not left out; columns that are not read are some column. */
export const leftOut: LeftOutRules = {
  kept: ['blockPtr', 'rowIndices', 'places', 'partialPtr'],
  standIns: { baseIndices: anyColumn, deltaIndices: () => 'h & 0x11111111u' },
};
