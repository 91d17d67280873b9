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
