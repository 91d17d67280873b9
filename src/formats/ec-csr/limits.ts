import type { KernelLimit } from '../../core/kernel/limit.ts';
import { type LeftOutRules, anyColumn } from '../../core/kernel/left-out.ts';

/** Causes of time other than bytes and arithmetic, on an NVIDIA H200 (docs/limits.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'ec-csr/spmv_staged': {
    says: 'Starting, copying x, and the work block by block: with nothing read, three fifths of the time remain. Values are a fifth; gathers and barriers cost nothing.',
    known: 'parts left out',
    experiment: {
      on: '4096 × 4096, planted blocks, 30 % left',
      us: 8.1,
      without: { 'reading values': 6.6, 'reading deltaIndices': 7.7, 'reading anything': 5 },
    },
  },
  'ec-csr/spmv_subgroup': {
    says: 'Waiting, per block and for the second pass, not memory: of 20.0 µs for planted blocks of 8192 × 8192 with noise, 12.9 remained without values, gathers and deltas, 16.8 without the second pass, and 14.5 with blocks of one row alone, which have a tenth of the bytes.',
    known: 'parts left out',
    experiment: {
      on: '4096 × 4096, planted blocks, 30 % left',
      us: 10.9,
      without: { 'pass 2': 8, 'reading values': 10.4, 'reading anything': 7.2 },
    },
  },
  'ec-csr/spmv_compare_and_swap': {
    says: 'The work per block and per delta, not memory: with nothing read, three quarters of the time remain.',
    known: 'parts left out',
    experiment: {
      on: '4096 × 4096, planted blocks, 30 % left',
      us: 10.8,
      without: { 'pass 1': 8.8, 'reading values': 10.1, 'reading anything': 8.1 },
    },
  },
  'ec-csr/spmv_owned_rows': {
    says: 'The work block by block: with nothing read, two thirds of the time remain, and the same work takes 17.2 µs with 64 lanes to a workgroup and 11.6 with 128, which wait side by side. Values are a sixth, gathers a tenth. At 8192 × 8192 the longest workgroup has 1.25 times the mean, and the kernel is slower than the one with two passes.',
    known: 'parts left out',
    experiment: {
      on: '4096 × 4096, planted blocks, 30 % left',
      us: 9.3,
      without: {
        'reading values': 7.8,
        'reading x': 8.5,
        'reading deltaIndices': 8.5,
        barriers: 8.8,
        'reading anything': 6.1,
      },
    },
  },
  'ec-csr/spmv_workgroup': {
    says: 'The work per block and per delta, not memory, and the pass that adds up rows, a fifth: with nothing read, two thirds of the time remain.',
    known: 'parts left out',
    experiment: {
      on: '4096 × 4096, planted blocks, 30 % left',
      us: 13.7,
      without: { 'pass 2': 10.9, 'reading values': 12.7, 'reading x': 13.2, 'reading anything': 9.5 },
    },
  },
};

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = {
  kept: ['blockPtr', 'rowIndices', 'places', 'partialPtr', 'lists', 'slots'],
  standIns: { baseIndices: anyColumn, deltaIndices: () => 'h & 0x11111111u' },
};
