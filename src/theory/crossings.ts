/** A quantity by the density of a matrix, such as the bytes of a format. */
export type Curve = (density: number) => number;

/** Allowed error of a crossing, relative to its density: far less than the three digits that the page shows. */
const TOLERANCE = 1e-7;

/**
 * The density at which `isAfter` changes from false, at `low`, to true, at `high`: found by bisection, to within
 * TOLERANCE.
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
 * Every density at which `a` and `b` cross, ascending: sign changes between neighbours of `grid`, then bisected. Misses
 * two crossings between the same neighbours, and skips densities at which either is not finite.
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
