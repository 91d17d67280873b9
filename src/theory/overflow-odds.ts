/** e^-50 of a sum of at most 2^16 terms is below the precision of f64. */
const NEGLIGIBLE = 50;

/**
 * The upper tail of the binomial distribution: P(more than `capacity` of `width` columns are non-zero), each with
 * probability `p` independently, as for the overflow of a tile row (a row's part in one TwELL tile). To a
 * relative error of 1e-11; below 2^-1022, where f64 has fewer digits, to 2^-1074. O(width).
 */
export function binomialTail(width: number, p: number, capacity: number): number {
  if (capacity >= width || p <= 0) return 0;
  if (p >= 1) return 1;
  // Logarithms of the terms by the ratio of neighbours. Only the tail is added up: 1 minus the rest cannot be 1e-34.
  let logTerm = width * Math.log1p(-p);
  const logOdds = Math.log(p) - Math.log1p(-p); // of p / (1 - p)
  const ratioOf = (k: number): number => Math.log((width - k) / (k + 1)) + logOdds;
  for (let k = 0; k <= capacity; k++) logTerm += ratioOf(k);
  // In units of its largest term, so that terms that would underflow separately still add up.
  let largest = logTerm;
  let sum = 0;
  for (let k = capacity + 1; k <= width; k++) {
    if (logTerm > largest) {
      sum *= Math.exp(largest - logTerm);
      largest = logTerm;
    }
    sum += Math.exp(logTerm - largest);
    // Past the mode terms fall faster and faster: the rest is below the last digit.
    if (k > width * p && logTerm < largest - NEGLIGIBLE) break;
    logTerm += ratioOf(k);
  }
  return Math.min(1, Math.exp(largest + Math.log(sum)));
}

/** The tiles of a row in TwELL: `width` columns each, the last possibly fewer, with `capacity` slots for non-zeros. */
export interface Tiling {
  readonly cols: number;
  readonly width: number;
  readonly capacity: number;
}

/** Expected share of the tile rows that overflow, in a row with `perRow` non-zeros; 0 without columns. O(width). */
export function tileRowOverflowShare({ cols, width, capacity }: Tiling, perRow: number): number {
  if (cols === 0) return 0;
  const full = Math.floor(cols / width);
  const rest = cols % width;
  const overflowing = full * binomialTail(width, perRow / cols, capacity);
  if (rest === 0) return overflowing / full;
  return (overflowing + binomialTail(rest, perRow / cols, capacity)) / (full + 1);
}

/** P(at least one tile row of a row with `perRow` non-zeros overflows); 0 without columns. O(width). */
export function rowOverflowProbability({ cols, width, capacity }: Tiling, perRow: number): number {
  if (cols === 0) return 0;
  const full = Math.floor(cols / width);
  // Without a tile of full width: 0 times log1p(-1) would be NaN.
  const noneOfFull = full === 0 ? 0 : full * Math.log1p(-binomialTail(width, perRow / cols, capacity));
  return Math.abs(Math.expm1(noneOfFull + Math.log1p(-binomialTail(cols % width, perRow / cols, capacity))));
}
