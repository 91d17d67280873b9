import type { PublishedFigures } from '../../core/format.ts';

const SOURCE =
  'J. Lin and others, 2025, arxiv.org/abs/2507.12205, section 8.2, from reductions against CSR with 32-bit indices';

/**
 * Bytes of pruned weights in f16 relative to dense: the reductions of the paper are against CSR with 32-bit indices, which
 * takes 3 d.
 */
export const published: readonly PublishedFigures[] = [
  {
    quantity: 'size',
    device: null,
    title: 'EC-SpMV with 8-bit deltas',
    source: SOURCE,
    valueType: 'f16',
    points: [
      { density: 0.1, value: 3 * 0.1 * (1 - 0.458) },
      { density: 0.2, value: 3 * 0.2 * (1 - 0.499) },
      { density: 0.3, value: 3 * 0.3 * (1 - 0.52) },
    ],
  },
  {
    quantity: 'size',
    device: null,
    title: 'EC-SpMV with 4-bit deltas',
    source: SOURCE,
    valueType: 'f16',
    points: [
      { density: 0.1, value: 3 * 0.1 * (1 - 0.413) },
      { density: 0.2, value: 3 * 0.2 * (1 - 0.535) },
      { density: 0.3, value: 3 * 0.3 * (1 - 0.554) },
    ],
  },
];
