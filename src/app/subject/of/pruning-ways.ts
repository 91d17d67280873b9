import type { Pruning } from '../../../engine/matrix/pruning-way.ts';
import { PRUNE_SEED } from '../../../kit/forms/pruning.ts';
import { percent } from '../../../kit/words/quantity.ts';

export type Way = Pruning['way'] | 'none';

export const WAYS: readonly { readonly way: Way; readonly label: string; readonly about: string }[] = [
  { way: 'none', label: 'as it is', about: 'every weight that it came with' },
  { way: 'magnitude', label: 'by magnitude', about: 'the largest of the whole matrix' },
  { way: 'rows', label: 'by magnitude in every row', about: 'the largest of each row' },
  { way: 'wanda', label: 'by Wanda, in every row', about: 'the largest times the activations they meet' },
  { way: 'random', label: 'at random', about: 'any, with seed 1' },
  { way: 'n-of-m', label: 'N of M neighbours', about: 'the largest of every few, as 2:4' },
];

/** The pruning that a way begins with: with the share that is left now, or half of what the matrix came with. */
export function pruningOf(way: Way, before: Pruning | null, density: number): Pruning | null {
  if (way === 'none') return null;
  if (way === 'n-of-m') return { way, kept: 2, group: 4 };
  const left = before && 'density' in before ? before.density : before ? before.kept / before.group : halved(density);
  return way === 'random' ? { way, density: left, seed: PRUNE_SEED } : { way, density: left };
}

/** Half of a density, in the steps of the slider, and at least one of them. */
function halved(density: number): number {
  return Math.max(0.005, Math.round((density / 2) * 200) / 200);
}

/** A share that is left: 50 %, 12.5 %. */
export function keptPercent(left: number): string {
  return percent(left, Math.abs(left * 100 - Math.round(left * 100)) < 1e-6 ? 0 : 1);
}
