import type { PublishedFigures } from '../../core/format.ts';

/**
 * Bytes of pruned weights in f16 relative to dense: the reductions of the paper are against CSR with 32-bit indices, which
 * takes 3 d.
 */
export const published: readonly PublishedFigures[] = [
  {
    of: 'size',
    on: null,
    title: 'EC-CSR 8 bit, published',
    source: 'J. Lin et al., 2025, arxiv.org/abs/2507.12205, storage against CSR at sparsity 70, 80 and 90 %',
    valueType: 'f16',
    points: [
      { density: 0.1, value: 3 * 0.1 * (1 - 0.458) },
      { density: 0.2, value: 3 * 0.2 * (1 - 0.499) },
      { density: 0.3, value: 3 * 0.3 * (1 - 0.52) },
    ],
  },
  {
    of: 'size',
    on: null,
    title: 'EC-CSR 4 bit, published',
    source: 'J. Lin et al., 2025, arxiv.org/abs/2507.12205, storage against CSR at sparsity 70, 80 and 90 %',
    valueType: 'f16',
    points: [
      { density: 0.1, value: 3 * 0.1 * (1 - 0.413) },
      { density: 0.2, value: 3 * 0.2 * (1 - 0.535) },
      { density: 0.3, value: 3 * 0.3 * (1 - 0.554) },
    ],
  },
];
