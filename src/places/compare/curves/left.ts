import type { Pruning } from '../../../engine/matrix/pruning-way.ts';
import { type Left, shareOf, useLeftWord } from '../../../kit/forms/left.ts';
import { evenPattern } from './run-requests.ts';

export { type Left, shareOf };

/** The pruning of the same way to another share: of a pattern, the one with the smallest share not below it. */
export function prunedTo(pruning: Pruning | null, share: number): Pruning {
  if (pruning === null) return { way: 'magnitude', density: share };
  if (pruning.way !== 'n-of-m') return { ...pruning, density: share };
  const [kept, group] = evenPattern(share);
  return { way: 'n-of-m', kept, group };
}

export function useLeft(): Left {
  return useLeftWord(prunedTo);
}
