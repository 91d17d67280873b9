import type { KernelLimit } from '../../core/kernel/limit.ts';
import type { LeftOutRules } from '../../core/kernel/left-out.ts';

/** Causes of time other than bytes and arithmetic, on an NVIDIA H200 (docs/limits.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'slidesparse/spmv_subgroup': {
    says: 'Reading values, and then choosing x by metadata. i8 takes as long as f16 with little more than half of the bytes.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 2:4',
      us: 22.9,
      without: {
        'reading values': 14.6,
        'choosing x, with metadata': 19.3,
        'reading metadata': 20.8,
        'reading x': 21.7,
        'reading anything': 13.7,
      },
    },
  },
  'slidesparse/spmv_natural': {
    says: 'Like its twin, whose metadata are ordered by lane: no more time with 2:4, and 3 to 5 % more with longer patterns, where four lanes read the same word.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 2:4',
      us: 22.7,
      without: {
        'reading values': 16.5,
        'choosing x, with metadata': 19.2,
        'reading metadata': 20.9,
        'reading x': 21.1,
        'reading anything': 16.1,
      },
    },
  },
  'slidesparse/spmv_workgroup': {
    says: 'Like its twin with subgroups; sums that pass through workgroup memory cost 5 %.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 2:4',
      us: 24.1,
      without: {
        'reading values': 16.4,
        'choosing x, with metadata': 20.9,
        'reading metadata': 22.3,
        'reading x': 23.1,
        'reading anything': 15.4,
      },
    },
  },
  'slidesparse/gemm': {
    says: 'The same as dense/gemm, all of whose products it computes; putting weights back into their columns takes 15 %, reading them 9 %.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 2048, 2:4, 2048 tokens',
      us: 583.6,
      without: {
        'three quarters of its multiply-adds': 402.7,
        'putting weights back, with metadata': 496.1,
        'neighbouring windows': 506.9,
        barriers: 531.5,
        'reading weights': 532.6,
        'reading metadata': 537.9,
        'reading anything': 581.2,
      },
    },
  },
  'slidesparse/gemm_i8': {
    says: 'One multiply-add for each stored value, at the rate of dense: 0.96 of its speed with 2:4, and 0.65 with 6:8, whose windows store more values than there are non-zeros.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 2048, 2:4, 2048 tokens',
      us: 204.3,
      without: {
        'three quarters of its multiply-adds': 103.6,
        'pass 1': 194.2,
        barriers: 196,
        'reading anything': 195.4,
      },
    },
  },
  'slidesparse/gemm_i8_subgroup_matrix': {
    says: 'Like dense/gemm_i8_subgroup_matrix, and windows become words while they are staged: 0.79 of its speed with 2:4, and 0.56 with 6:8.',
    known: 'comparison',
  },
  'slidesparse/lift': {
    says: 'Computing and writing, as in dense/quantise; it takes 1.11 times as long for 4:6 and 1.20 times for 14:16, since it writes more activations than it reads.',
    known: 'parts left out',
    experiment: {
      on: '4096 × 4096, 2:4, 8192 tokens',
      us: 46.9,
      without: { 'reading x': 37, barriers: 44.6, 'reading anything': 36.6 },
    },
  },
  'slidesparse/lift_apart': {
    says: 'Two passes, of which the second writes what lifting adds.',
    known: 'parts left out',
    experiment: {
      on: '4096 × 4096, 2:4, 8192 tokens',
      us: 80.7,
      without: { 'pass 2': 46.7, 'reading x': 68.6, 'reading quantised': 72.2, 'reading anything': 60 },
    },
  },
};

/** Parts that are not reads: choosing x by metadata, and moving weights back to their columns. */
export const leftOut: LeftOutRules = {
  kept: [],
  texts: [
    {
      name: 'choosing x, with metadata',
      path: 'slidesparse/row_pair.wgsl',
      replaced: [
        [
          'let first = select(select(four.x, four.y, (nibble & 1u) != 0u), four.z, (nibble & 2u) != 0u);',
          'let first = four.x + four.y;',
        ],
        [
          'let second = select(four.y, select(four.z, four.w, (nibble & 4u) != 0u), (nibble & 8u) != 0u);',
          'let second = four.z + four.w;',
        ],
      ],
    },
    {
      name: 'putting weights back, with metadata',
      path: 'slidesparse/gemm.wgsl',
      replaced: [
        [
          `return select(vec4(0.0), vec4(kept.x), slots == vec4(nibble & 3u))
    + select(vec4(0.0), vec4(kept.y), slots == vec4((nibble >> 2u) & 3u));`,
          'return vec4(kept, kept);',
        ],
      ],
    },
    {
      name: 'neighbouring windows',
      path: 'slidesparse/gemm.wgsl',
      replaced: [
        ['let before = window_slots(max(window, 1u) - 1u);', 'let before = vec4<f32>();'],
        ['let after = window_slots(window + 1u);', 'let after = vec4<f32>();'],
      ],
    },
  ],
};
