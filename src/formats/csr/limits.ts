import type { KernelLimit } from '../../core/kernel/limit.ts';
import { type LeftOutRules, ascendingColumn } from '../../core/kernel/left-out.ts';

/** Causes of time other than bytes and arithmetic, on an NVIDIA H200 (docs/limits.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'csr/spmv_staged': {
    says: 'Memory: 92 % of the read speed at 12288 × 12288 with 50 % left. Made-up columns cost as much as columns that are read.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 52.3,
      without: { 'reading values': 38, 'reading staged': 50.4, 'reading anything': 21.1 },
    },
  },
  'csr/spmv_subgroup': {
    says: 'Memory, and reading x from caches.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 52.7,
      without: { 'reading values': 38.9, 'reading x': 49.1, 'reading anything': 20.5 },
    },
  },
  'csr/spmv_workgroup': {
    says: 'Memory, and reading x from caches.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 54.1,
      without: { 'reading values': 40.6, 'reading x': 49.9, 'reading anything': 24 },
    },
  },
  'csr/spmv_scalar': {
    says: 'A lane for each row: with nothing read, half of the time remains. There are too few lanes, and each reads far from its neighbours.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 2012,
      without: { 'reading x': 1877, 'reading values': 2428, 'reading anything': 1022 },
    },
  },
  'csr/gemm_pairs': {
    says: 'No part was left out. It differs from macko/gemm_pairs in that it has no scan and reads indices, of four bytes where it was measured.',
    known: 'not shown',
  },
  'csr/gemm_fours': {
    says: 'No part was left out. It differs from macko/gemm_fours in that it has no scan and reads indices, of four bytes where it was measured.',
    known: 'not shown',
  },
  'csr/gemm_subgroup': {
    says: 'The gather: the places of four tokens have 16 bytes.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left, 4 tokens',
      us: 92.5,
      without: { 'reading quads': 57.7, 'reading values': 82, 'reading indices': 102.8, 'reading anything': 33.6 },
    },
  },
  'csr/gemm_subgroup_x16': {
    says: 'Reading, of which the gather is a sixth: as f16 it costs a third of what it does in f32.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left, 4 tokens',
      us: 71.1,
      without: { 'reading quads': 58.6, 'reading values': 60.6, 'reading indices': 88.2, 'reading anything': 38.3 },
    },
  },
  'csr/gemm_workgroup': {
    says: 'The gather, as in the kernels with subgroups.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left, 2 tokens',
      us: 84.9,
      without: { 'reading quads': 54.7, 'reading values': 79.1, 'reading anything': 37.4 },
    },
  },
};

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = { kept: ['indptr'], standIns: { indices: ascendingColumn } };
