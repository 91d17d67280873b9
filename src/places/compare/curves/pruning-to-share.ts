import type { Pruning } from '../../../engine/matrix/source-types.ts';

/** The N:M prunings at which the thumb stops; beyond 2:4, patterns (2N - 2):2N that slide onto 2:4 hardware. */
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

/** The pattern with the smallest share that is at least this one; the fullest if there is none. */
function patternFor(share: number): readonly [kept: number, group: number] {
  const found = OFFERED_PATTERNS.find(([kept, group]) => kept / group >= share - 1e-9);
  return found ?? OFFERED_PATTERNS[OFFERED_PATTERNS.length - 1];
}

/** The same pruning with another share left; for N:M, the pattern with the smallest share that is at least this one. */
export function prunedTo(pruning: Pruning | null, share: number): Pruning {
  if (pruning === null) return { way: 'magnitude', density: share };
  if (pruning.way !== 'n-of-m') return { ...pruning, density: share };
  const [kept, group] = patternFor(share);
  return { way: 'n-of-m', kept, group };
}
