/** Probability, relative to the likeliest row length's, below which a length does not change the result in f64. */
const UNLIKELY = 1e-24;

/**
 * Expected length of the longest row of a random matrix of density p: the mean of the largest of `rows` binomial(cols,
 * p) numbers, which is the sum over k of P(largest > k) = 1 - F(k)^rows. The probability of a length follows from its
 * neighbour's, outwards from the likeliest length. O(sqrt(cols)).
 */
export function expectedLongestRow(rows: number, cols: number, p: number): number {
  if (rows === 0 || p <= 0) return 0;
  if (p >= 1) return cols;
  const odds = p / (1 - p);
  const likeliest = Math.min(cols, Math.floor((cols + 1) * p));
  let first = likeliest;
  let lowest = 1;
  let total = 0;
  for (let term = 1; first > 0; first--) {
    term *= first / ((cols - first + 1) * odds);
    if (term < UNLIKELY) break;
    lowest = term;
    total += term;
  }
  for (let k = likeliest, term = 1; k <= cols && term >= UNLIKELY; k++) {
    total += term;
    term *= ((cols - k) / (k + 1)) * odds;
  }
  // Up to this F(k), F(k)^rows is at most exp(-40), which does not change 1 in f64.
  const surely = Math.exp(-40 / rows);
  // Every row has at least `first` non-zeros. `below` is F(k).
  let mean = first;
  let below = 0;
  for (let k = first, term = lowest; k < cols; k++) {
    below += term / total;
    // 1 - F^rows without loss of precision for a tail close to 0
    if (below < 1) mean += below <= surely ? 1 : -Math.expm1(rows * Math.log(below));
    term *= ((cols - k) / (k + 1)) * odds;
    if (k > likeliest && term < UNLIKELY) break;
  }
  return mean;
}
