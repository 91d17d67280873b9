import type { KernelLimit } from '../../core/kernel/limit.ts';

/** Causes of time other than bytes and arithmetic, on an NVIDIA H200 (docs/limits.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'dense/spmv_subgroup': {
    says: 'Memory: 94 % of the read speed at 12288 × 12288. At 4096 × 4096 it is 67 %, and the dispatch alone a ninth of the time.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 34.1,
      without: { 'reading values': 13.9, 'reading x': 32.5, barriers: 33, 'reading anything': 13.2 },
    },
  },
  'dense/spmv_workgroup': {
    says: 'Memory; sums that are exchanged through workgroup memory make it 0.84 to 0.98 as fast as its twin with subgroups, the less the smaller the matrix.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 36.7,
      without: { 'reading values': 18.1, 'reading x': 34.9, barriers: 35.4, 'reading anything': 17.7 },
    },
  },
  'dense/spmv_digits_subgroup': {
    says: 'Reading cells and computing, which overlap only in part; the pass over x is a tenth.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 22,
      without: {
        'reading cells': 13.4,
        'reading digits': 16.7,
        'pass 1': 19.5,
        'reading units': 19.8,
        'reading scales': 21,
        'reading anything': 12.3,
      },
    },
  },
  'dense/spmv_digits_workgroup': {
    says: 'Like its twin with subgroups: reading cells and computing, which overlap only in part.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 22.6,
      without: {
        'reading cells': 13.7,
        'reading digits': 16.8,
        'pass 1': 20.3,
        'reading units': 20.4,
        'reading scales': 21.6,
        'reading anything': 12.9,
      },
    },
  },
  'dense/gemm': {
    says: 'Not arithmetic alone: without three quarters of the multiply-adds two thirds of the time remain, so that staging, barriers and reading tiles back overlap with them only in part. It reaches 58 % of the peak at 2048 tokens.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 2048, 2:4, 2048 tokens',
      us: 472.9,
      without: {
        'three quarters of its multiply-adds': 313,
        barriers: 421,
        'reading x': 459.5,
        'reading weights': 460,
        'reading b_words': 546,
        'reading a_words': 609.8,
        'reading anything': 504,
      },
    },
  },
  'dense/gemm_few': {
    says: 'Reading weights, and work for each token: with nothing read, seven tenths of the time remain.',
    known: 'parts left out',
    experiment: {
      on: '4096 × 4096, 50 % left, 8 tokens',
      us: 18.4,
      without: { 'reading values': 13.2, 'reading x': 16.3, 'reading anything': 12.8 },
    },
  },
  'dense/gemm_few_wide': {
    says: 'Computing: with nothing read, four fifths of the time remain at eight tokens.',
    known: 'parts left out',
    experiment: {
      on: '4096 × 4096, 50 % left, 8 tokens',
      us: 15.3,
      without: { 'reading weights': 11.9, 'reading anything': 12.2 },
    },
  },
  'dense/gemm_few_ahead': {
    says: 'Multiply-adds, which take 1.6 times as long as counted, since the 64 sums of a lane read their factors from registers, whose rate is separate. With all that is read in the first cache and no final sums, more than four fifths of the time remain; without any load a step takes hardly less.',
    known: 'parts left out',
    experiment: {
      on: '4096 × 4096, 50 % left, 8 tokens',
      us: 13.5,
      without: { 'weights from memory': 13, 'final sums': 12.5, 'weights and x from memory, and sums': 11.6 },
    },
  },
  'dense/gemm_split': {
    says: 'As dense/gemm, from 64 tokens on; a second pass that adds the parts takes 7 % of the time.',
    known: 'parts left out',
    experiment: {
      on: '4096 × 4096, 50 % left, 64 tokens',
      us: 70.3,
      without: {
        'three quarters of its multiply-adds': 51.4,
        'pass 2': 65.3,
        'reading weights': 65.4,
        'reading b_words': 85.9,
        'reading a_words': 91,
        'reading anything': 71.7,
      },
    },
  },
  'dense/gemm_i8': {
    says: 'Dot products: without three quarters of them half of the time remains. It reaches 74 % of those that the device makes when it does nothing else.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 2048, 2:4, 2048 tokens',
      us: 194.5,
      without: {
        'three quarters of its multiply-adds': 91.6,
        barriers: 184.6,
        'pass 1': 185.1,
        'reading anything': 183,
      },
    },
  },
  'dense/gemm_i8_subgroup_matrix': {
    says: 'Reading matrices from workgroup memory and multiplying them, which overlap little: with nothing read, nine tenths of the product’s time remain, and the units alone would take 13.8 µs.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 2048, 2048 tokens, the product alone',
      us: 37.8,
      without: { multiplying: 24.2, 'storing sums': 34.3, 'reading anything': 35.6 },
    },
  },
  'dense/quantise': {
    says: 'Computing and writing: with nothing read, four fifths of the time remain. It reaches 57 % of the read speed.',
    known: 'parts left out',
    experiment: {
      on: '4096 × 4096, 2:4, 8192 tokens',
      us: 46.3,
      without: { 'reading x': 36.6, barriers: 44.2, 'reading anything': 36.2 },
    },
  },
  'dense/gate': {
    says: 'The tile of dense/gemm: 60 % of the peak with 2048 tokens, where a trial takes half of its rows, and 56 % without a trial, as where parts were left out.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 1349.9,
      without: {
        'three quarters of its multiply-adds': 843.3,
        barriers: 1233.8,
        'reading b_words': 1476.3,
        'reading a_words': 1647.4,
        'reading anything': 1387.6,
      },
    },
  },
  'dense/up_down': {
    says: 'Two products in the tile of dense/gemm.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 2664.6,
      without: {
        'pass 1': 1281.1,
        'pass 2': 1380.7,
        'three quarters of its multiply-adds': 1672.5,
        barriers: 2416.1,
        'reading b_words': 2991.4,
        'reading a_words': 3337.7,
        'reading anything': 2807.2,
      },
    },
  },
  'dense/down': {
    says: 'One product in the tile of dense/gemm.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 1273.7,
      without: {
        'three quarters of its multiply-adds': 821.6,
        barriers: 1139.7,
        'reading b_words': 1454.2,
        'reading a_words': 1635.2,
        'reading anything': 1399.8,
      },
    },
  },
  'dense/forward': {
    says: 'Three products in the tile of dense/gemm, a third of the time each.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 4024.8,
      without: {
        'three quarters of its multiply-adds': 2515.3,
        'pass 2': 2632.3,
        'pass 1': 2661.5,
        'pass 3': 2731.9,
        barriers: 3658.3,
        'reading anything': 4195.6,
      },
    },
  },
  'dense/backward': {
    says: 'Seven products in the tile of dense/gemm, by count; nothing was left out of this kernel.',
    known: 'count',
  },
  'dense/sampled_product': {
    says: 'One product in the tile of dense/gemm, computed in full, whatever the mask keeps; nothing was left out of this kernel.',
    known: 'count',
  },
};
