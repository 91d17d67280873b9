import type { PublishedFigures } from '../../core/format.ts';

const SOURCE =
  'J. Lin and others, 2025, arxiv.org/abs/2507.12205, section 8.2, from reductions against CSR with 32-bit indices';

/** `saved`: by density, the share of the bytes of CSR with 32-bit indices that EC-CSR saves. */
const reduced = (title: string, saved: Readonly<Record<number, number>>): PublishedFigures => ({
  quantity: 'size',
  device: null,
  title,
  source: SOURCE,
  valueType: 'f16',
  // CSR with 32-bit indices needs 3 d times the bytes of dense.
  points: Object.entries(saved).map(([d, share]) => ({ density: Number(d), value: 3 * Number(d) * (1 - share) })),
});

/** Published sizes of pruned weights in f16, relative to dense, by density. */
export const published: readonly PublishedFigures[] = [
  reduced('EC-SpMV with 8-bit deltas', { 0.1: 0.458, 0.2: 0.499, 0.3: 0.52 }),
  reduced('EC-SpMV with 4-bit deltas', { 0.1: 0.413, 0.2: 0.535, 0.3: 0.554 }),
];
