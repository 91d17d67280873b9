import type { LeftOutRules } from '../../core/kernel/left-out.ts';

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
