import type { KernelLimit } from '../../core/kernel/limit.ts';
import type { LeftOutRules } from '../../core/kernel/left-out.ts';

/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'slidesparse/spmv_subgroup': {
    says: 'Not bytes: i8 takes as long as f16 with little more than half of them. Each window of a row takes four comparisons and four selections, whatever its type; nothing was left out to see what they cost.',
    known: 'not shown',
  },
  'slidesparse/spmv_workgroup': {
    says: 'It reaches 0.89 to 0.96 of the speed of its twin with subgroups, from which it differs in that sums pass through workgroup memory.',
    known: 'comparison',
  },
  'slidesparse/gemm': {
    says: 'It reaches 0.73 of the speed of dense, from which it differs in putting weights back into their columns while they are staged; 0.68 while there were branches around the reads.',
    known: 'comparison',
  },
  'slidesparse/gemm_i8': {
    says: 'It does one multiply-add for each stored value, at the rate of dense: 0.96 of its speed with 2:4, and 0.65 with 6:8, whose windows store more values than there are non-zeros.',
    known: 'comparison',
  },
  'slidesparse/spmv_natural': {
    says: 'Its metadata lie by windows and not by lanes: no more time than its twin with 2:4, and 3 to 5 % more with longer patterns, where four lanes read the same word.',
    known: 'comparison',
  },
  'slidesparse/lift': {
    says: 'It takes 1.11 times as long as dense/quantise for 4:6, 1.15 times for 6:8 and 1.20 times for 14:16, since it writes more activations than it reads. What the rest waits for was not measured.',
    known: 'comparison',
  },
};

/** What is no read: choosing x by metadata, and putting weights back where they were. */
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
      path: 'slidesparse/gemm_windows_f16.wgsl',
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
      path: 'slidesparse/gemm_windows_f16.wgsl',
      replaced: [
        ['let before = window_slots(max(window, 1u) - 1u);', 'let before = vec4<f32>();'],
        ['let after = window_slots(window + 1u);', 'let after = vec4<f32>();'],
      ],
    },
  ],
};
