/**
 * Densities min(1, c * weight) for rows with these weights, in their order, with c such that the mean is `mean`. Rows
 * that would exceed 1 stay at 1, and the others compensate. Weights are positive. O(n log n).
 */
export function densitiesByWeight(weights: Float64Array, mean: number): Float64Array {
  const n = weights.length;
  const falling = weights.toSorted().reverse();
  /** sums[i]: sum of the falling weights from i on */
  const sums = new Float64Array(n + 1);
  for (let i = n - 1; i >= 0; i--) sums[i] = sums[i + 1] + falling[i];
  let full = 0;
  while (full < n && (mean * n - full) * falling[full] >= sums[full]) full++;
  if (full === n) return new Float64Array(n).fill(1);
  const scale = (mean * n - full) / sums[full];
  return weights.map((w) => Math.min(1, w * scale));
}
