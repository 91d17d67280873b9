import type { Pruning } from '../../../engine/matrix/pruning-way.ts';
import { type ShareLeft, shareOf, useShareLeft } from '../../../kit/forms/share-left.ts';

export { type ShareLeft, shareOf };

/** N:M prunings that are offered; beyond 1:4, patterns (2N - 2):2N that slide onto 2:4 hardware. */
const EVEN_PATTERNS: readonly (readonly [kept: number, group: number])[] = [
  [1, 16],
  [1, 8],
  [1, 4],
  [2, 4],
  [4, 6],
  [6, 8],
  [8, 10],
  [10, 12],
  [12, 14],
  [14, 16],
];

/** The pattern with the smallest share not below this density; the fullest if all are below. */
function evenPattern(density: number): readonly [kept: number, group: number] {
  const found = EVEN_PATTERNS.find(([kept, group]) => kept / group >= density - 1e-9);
  return found ?? EVEN_PATTERNS[EVEN_PATTERNS.length - 1];
}

/** The same pruning with another share; for a pattern, the one with the smallest share that is not below it. */
export function prunedTo(pruning: Pruning | null, share: number): Pruning {
  if (pruning === null) return { way: 'magnitude', density: share };
  if (pruning.way !== 'n-of-m') return { ...pruning, density: share };
  const [kept, group] = evenPattern(share);
  return { way: 'n-of-m', kept, group };
}

export function useLeft(): ShareLeft {
  return useShareLeft(prunedTo);
}
