/** One bar of a histogram: `count` items have a value from `from` to `to`, both included. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

interface BinOptions {
  readonly first: number;
  readonly last: number;
  /** maximum number of bins; with an edge there may be one more */
  readonly max: number;
  /** a bin begins here, so that none contains values on both sides; the first bin may be narrower for it */
  readonly edge?: number;
}

/** The counts from `first` to `last` in bins of equal width: `counts[k]` items have the value k. O(last − first). */
export function binned(counts: ArrayLike<number>, { first, last, max, edge = first }: BinOptions): readonly Bin[] {
  if (last < first) return [];
  const width = Math.ceil((last - first + 1) / max);
  const bins: Bin[] = [];
  let to = first + ((edge - first) % width || width) - 1;
  for (let from = first; from <= last; from = to + 1, to += width) {
    const end = Math.min(to, last);
    let count = 0;
    for (let k = from; k <= end; k++) count += counts[k] ?? 0;
    bins.push({ from, to: end, count });
  }
  return bins;
}

/** The first index whose count is not 0; -1 without any. */
export function firstUsed(counts: ArrayLike<number>): number {
  for (let k = 0; k < counts.length; k++) if (counts[k] > 0) return k;
  return -1;
}

/** The last index whose count is not 0; -1 without any. */
export function lastUsed(counts: ArrayLike<number>): number {
  let last = counts.length - 1;
  while (last >= 0 && !(counts[last] > 0)) last--;
  return last;
}

/** For each index, the sum of the counts up to it, itself included. */
export function cumulated(counts: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(counts.length);
  let sum = 0;
  for (let k = 0; k < counts.length; k++) sums[k] = sum += counts[k];
  return sums;
}

/** The bin that contains `value`, or the nearest; null without bins. O(bins). */
export function binAt(bins: readonly Bin[], value: number): Bin | null {
  return bins.find(({ to }) => value <= to) ?? bins.at(-1) ?? null;
}

/** The values of a bin: '18', or '18 to 19'. */
export function binText({ from, to }: Bin, text: (value: number) => string): string {
  return from === to ? text(from) : `${text(from)} to ${text(to)}`;
}
