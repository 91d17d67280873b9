/** The largest difference in density between two measurements across which anything is interpolated. */
export const MAX_STEP = 0.4;

/** The densities at which A and B are equally fast on a shape. */
export interface Crossover {
  readonly at: readonly number[];
  /** two neighbouring measurements around a change, too far apart to interpolate */
  readonly between: readonly [low: number, high: number] | null;
  /** A is faster at the smallest measured density */
  readonly startsAhead: boolean;
  /** the smallest and the largest measured density */
  readonly measuredFrom: number;
  readonly measuredTo: number;
}

/**
 * The densities at which the faster of A and B changes, interpolated in the logarithm of their ratio; null without measurements.
 * `points` ascend; ratio: the speed of A divided by that of B.
 */
export function crossoverOf(points: readonly { readonly density: number; readonly ratio: number }[]): Crossover | null {
  const first = points.at(0);
  const last = points.at(-1);
  if (!first || !last) return null;
  const at: number[] = [];
  let between: readonly [number, number] | null = null;
  for (const [i, { density: high, ratio }] of points.slice(1).entries()) {
    const { density: low, ratio: before } = points[i];
    if (before > 1 === ratio > 1) continue;
    const share = Math.log(before) / (Math.log(before) - Math.log(ratio));
    if (high - low > MAX_STEP + 1e-9) between ??= [low, high];
    else at.push(low + share * (high - low));
  }
  return { at, between, startsAhead: first.ratio > 1, measuredFrom: first.density, measuredTo: last.density };
}
