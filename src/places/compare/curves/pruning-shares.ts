import type { Pruning } from '../../../engine/matrix/pruning-way.ts';
import { type ShareLeft, shareOf, useShareLeft } from '../../../kit/forms/use-share-left.ts';

export { type ShareLeft, shareOf };

/** N:M prunings that are offered; beyond 1:4, patterns (2N - 2):2N that slide onto 2:4 hardware. */
const OFFERED_PATTERNS: readonly (readonly [kept: number, group: number])[] = [
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

/** The pattern with the smallest share that is not below this one; the fullest if all are below. */
function patternFor(share: number): readonly [kept: number, group: number] {
  const found = OFFERED_PATTERNS.find(([kept, group]) => kept / group >= share - 1e-9);
  return found ?? OFFERED_PATTERNS[OFFERED_PATTERNS.length - 1];
}

/** The same pruning with another share; for a pattern, the one with the smallest share that is not below it. */
export function prunedTo(pruning: Pruning | null, share: number): Pruning {
  if (pruning === null) return { way: 'magnitude', density: share };
  if (pruning.way !== 'n-of-m') return { ...pruning, density: share };
  const [kept, group] = patternFor(share);
  return { way: 'n-of-m', kept, group };
}

/** The share left of the sentence's matrix, and how to change it. */
export function useLeft(): ShareLeft {
  return useShareLeft(prunedTo);
}
