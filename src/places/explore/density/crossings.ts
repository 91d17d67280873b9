/** A function of density. */
export type Curve = (density: number) => number;

/** Relative to the density itself; a cursor of three digits tells no more apart. */
const TOLERANCE = 1e-7;

/**
 * Where `isAfter` turns from false to true between `low`, where it is false, and `high`, where it is true: by halving the
 * interval, as long as its ends differ by more than 1e-7 of themselves. O(log((high - low) / tolerance)) calls.
 */
export function turningPoint(isAfter: (density: number) => boolean, low: number, high: number): number {
  let from = low;
  let to = high;
  while (to - from > TOLERANCE * to) {
    const middle = (from + to) / 2;
    if (isAfter(middle)) to = middle;
    else from = middle;
  }
  return (from + to) / 2;
}

/**
 * Every density at which `a` and `b` change places, ascending: a change of sign between two neighbours of `grid`, then
 * halved. Two changes between neighbours of the grid are missed, and densities at which either is not finite are skipped.
 */
export function crossings(a: Curve, b: Curve, grid: readonly number[]): readonly number[] {
  const found: number[] = [];
  let before: { readonly density: number; readonly sign: number } | null = null;
  for (const density of grid) {
    const sign = Math.sign(a(density) - b(density));
    if (!Number.isFinite(sign) || sign === 0) continue;
    if (before !== null && before.sign !== sign) {
      found.push(turningPoint((d) => Math.sign(a(d) - b(d)) === sign, before.density, density));
    }
    before = { density, sign };
  }
  return found;
}
