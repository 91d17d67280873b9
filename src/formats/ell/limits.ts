import type { KernelLimit } from '../../core/kernel/limit.ts';
import { type LeftOutRules, ascendingColumn } from '../../core/kernel/left-out.ts';

/** Causes of time other than bytes and arithmetic, on an NVIDIA H200 (docs/limits.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'ell/spmv_scalar': {
    says: 'A lane for each row: 4096 rows make few lanes. Made-up values and columns make it slower, so instructions limit it, not reads.',
    known: 'parts left out',
    experiment: {
      on: '4096 × 4096, 10 % left',
      us: 94,
      without: { 'reading x': 68.4, 'reading indices': 199.3, 'reading values': 271.3, 'reading anything': 129.4 },
    },
  },
  'ell/gate_converted': {
    says: 'The product: its two passes for packing take 8 % of the time.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 1453,
      without: {
        'three quarters of its multiply-adds': 954.6,
        'pass 2': 1342,
        'reading a_words': 1677,
        'reading b_words': 1758,
        'reading anything': 1566,
      },
    },
  },
};

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = {
  keepsBarriers: true,
  kept: ['counts', 'running', 'hidden'],
  standIns: { indices: (e) => ascendingColumn(e).replace('place', `(place / ${e.rows}u)`) },
};
