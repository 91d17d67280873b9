import { turningPoint } from './crossings.ts';
import { curveOf, GRID, type VariantCurve } from './size-curves.ts';
import type { SizeQuestion } from './variants.ts';

/** A range of densities with one winner. */
export interface Stretch<T> {
  readonly from: number;
  readonly to: number;
  readonly winner: T;
}

/** The smallest variant, from the least density of the grid to 1. Empty without curves. O(variants × grid). */
export function smallestAlong(
  curves: readonly VariantCurve[],
  question: SizeQuestion,
): readonly Stretch<VariantCurve>[] {
  const stretches: Stretch<VariantCurve>[] = [];
  let from = GRID[0];
  let before: { readonly winner: VariantCurve; readonly density: number } | null = null;
  for (const [i, density] of GRID.entries()) {
    let winner: VariantCurve | null = null;
    for (const curve of curves) {
      if (Number.isFinite(curve.sizes[i]) && !(winner && winner.sizes[i] <= curve.sizes[i])) winner = curve;
    }
    if (winner === null) continue;
    if (before !== null && before.winner !== winner) {
      const [a, b] = [curveOf(before.winner, question), curveOf(winner, question)];
      // Where the previous winner is no longer held, it counts as larger.
      const at = turningPoint((d) => !(a(d) <= b(d)), before.density, density);
      stretches.push({ from, to: at, winner: before.winner });
      from = at;
    }
    before = { winner, density };
  }
  if (before !== null) stretches.push({ from, to: 1, winner: before.winner });
  return stretches;
}

/** Merges neighbouring ranges with the same name. */
export function merged<T, U>(stretches: readonly Stretch<T>[], of: (winner: T) => U): readonly Stretch<U>[] {
  const all: Stretch<U>[] = [];
  for (const { from, to, winner } of stretches) {
    const last = all.at(-1);
    if (last && last.winner === of(winner)) all[all.length - 1] = { ...last, to };
    else all.push({ from, to, winner: of(winner) });
  }
  return all;
}
