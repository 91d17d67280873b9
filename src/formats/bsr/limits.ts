import type { KernelLimit } from '../../core/kernel/limit.ts';
import { type LeftOutRules, anyColumn } from '../../core/kernel/left-out.ts';

/** Causes of time other than bytes and arithmetic, on an NVIDIA H200 (docs/limits.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'bsr/spmv_subgroup': {
    says: 'No single part: with nothing read, three fifths of the time remain. A lane needs a block’s index before it can read x.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, one block of 16 × 16 in five',
      us: 14.9,
      without: { 'reading data': 11.8, 'reading x': 12.8, 'reading indices': 14, 'reading anything': 9 },
    },
  },
  'bsr/spmv_workgroup': {
    says: 'Like its twin with subgroups; barriers cost next to nothing.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, one block of 16 × 16 in five',
      us: 14.8,
      without: { 'reading data': 11.8, 'reading x': 12.7, 'reading indices': 14.1, 'reading anything': 9.1 },
    },
  },
  'bsr/gemm_subgroup': {
    says: 'Computing and reading x for each token: with nothing read, seven tenths of the time remain.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, one block of 16 × 16 in five, 4 tokens',
      us: 30,
      without: { 'reading x': 24.9, 'reading data': 26.6, 'reading anything': 21.9 },
    },
  },
  'bsr/gemm_workgroup': {
    says: 'Like its twin with subgroups.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, one block of 16 × 16 in five, 4 tokens',
      us: 29.3,
      without: { 'reading x': 24.6, 'reading data': 25.8, 'reading anything': 21.5 },
    },
  },
};

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = { kept: ['indptr'], standIns: { indices: (e) => `(${anyColumn(e)}) / 16u` } };
