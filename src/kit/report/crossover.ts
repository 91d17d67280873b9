/** Two neighbouring measurements further apart say nothing about what lies between them. */
const MAX_STEP = 0.4;

/** Where A passes B on a shape. */
export interface Crossover {
  /** shares left at which it turns from faster to slower or back, ascending */
  readonly at: readonly number[];
  /** two neighbouring measurements, too far apart to say where, between which it turns */
  readonly between: readonly [low: number, high: number] | null;
  /** A is faster at the least share that was measured */
  readonly startsAhead: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * The shares at which the ranking of A and B turns over, by the logarithm of their ratio between two measurements; null
 * where nothing was measured. `points` ascend.
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
  return { at, between, startsAhead: first.ratio > 1, from: first.density, to: last.density };
}
