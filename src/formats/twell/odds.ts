/** How likely tiles overflow if non-zeros fell independently, each column with the same probability. */

/** P(a tile row of `width` columns holds more than `capacity` non-zeros), binomial with probability p. O(width). */
export function tileOverflowOdds(width: number, p: number, capacity: number): number {
  if (capacity >= width || p <= 0) return 0;
  if (p >= 1) return 1;
  // Logarithms of the terms by the ratio of neighbours, and only the tail is added up: 1 minus the rest would lose 1e-34.
  let logTerm = width * Math.log1p(-p);
  const logOdds = Math.log(p) - Math.log1p(-p);
  let odds = 0;
  for (let k = 0; k <= width; k++) {
    if (k > capacity) odds += Math.exp(logTerm);
    logTerm += Math.log((width - k) / (k + 1)) + logOdds;
  }
  return Math.min(1, odds);
}

/**
 * P(at least one tile of a row overflows) at a mean of `perRow` non-zeros in `cols` columns, cut into tiles of
 * `tileWidth`. 0.03 at 400 and 0.5 at 500 of 5632 columns with tiles of 256 and 31 places. O(tileWidth).
 */
export function rowOverflowOdds(perRow: number, cols: number, tileWidth: number, capacity: number): number {
  if (cols === 0) return 0;
  const p = perRow / cols;
  const fullTiles = Math.floor(cols / tileWidth);
  const none =
    fullTiles * Math.log1p(-tileOverflowOdds(tileWidth, p, capacity)) +
    Math.log1p(-tileOverflowOdds(cols % tileWidth, p, capacity));
  return -Math.expm1(none);
}
