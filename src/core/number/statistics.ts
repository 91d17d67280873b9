/* Minimum, maximum, quantiles, and the quantile function of the normal distribution. */

/** The minimum of the values and `atMost`, for any number of values, unlike a spread into Math.min. O(n). */
export function smallest(values: Iterable<number>, atMost = Number.POSITIVE_INFINITY): number {
  let min = atMost;
  for (const value of values) min = Math.min(min, value);
  return min;
}

/** Index of the first smallest value; -1 if there is none. O(n). */
export function indexOfSmallest(values: ArrayLike<number>): number {
  let best = values.length === 0 ? -1 : 0;
  for (let i = 1; i < values.length; i++) if (values[i] < values[best]) best = i;
  return best;
}

/** The maximum of the values and `atLeast`. O(n). */
export function largest(values: Iterable<number>, atLeast = Number.NEGATIVE_INFINITY): number {
  let max = atLeast;
  for (const value of values) max = Math.max(max, value);
  return max;
}

/**
 * The quantile of `values` at `share` in [0, 1], linear between neighbours (type 7 of Hyndman and Fan 1996).
 * Throws RangeError without values. O(n log n).
 */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('quantile: found no values, expected at least one');
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * The quantile of the standard normal distribution at `share`: -Infinity at 0, Infinity at 1; relative error < 1.2e-9.
 * Source: Acklam's rational approximations, 2003.
 */
export function normalQuantile(share: number): number {
  if (!(share > 0)) return Number.NEGATIVE_INFINITY;
  if (!(share < 1)) return Number.POSITIVE_INFINITY;
  if (share > 0.5) return -normalQuantile(1 - share);
  // The tail has an approximation of its own.
  if (share < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(share));
    return (
      (((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q - 2.549732539343734) * q +
        4.374664141464968) *
        q +
        2.938163982698783) /
      ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1)
    );
  }
  const q = share - 0.5;
  const r = q * q;
  return (
    ((((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r + 1.38357751867269e2) * r -
      3.066479806614716e1) *
      r +
      2.506628277459239) *
      q) /
    (((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r + 6.680131188771972e1) * r -
      1.328068155288572e1) *
      r +
      1)
  );
}
