/** Neighbouring counts together: indices from `from` to `to`, both included. */
export interface HistogramBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** The counts from `first` to `last`, in at most `most` bins of the same width. O(counts). */
export function binned(counts: ArrayLike<number>, first: number, last: number, most: number): readonly HistogramBin[] {
  if (last < first) return [];
  const width = Math.ceil((last - first + 1) / most);
  const bins: HistogramBin[] = [];
  for (let from = first; from <= last; from += width) {
    const to = Math.min(last, from + width - 1);
    let count = 0;
    for (let k = from; k <= to; k++) count += counts[k] ?? 0;
    bins.push({ from, to, count });
  }
  return bins;
}

/** The first index whose count is not 0; -1 without any. */
export function firstUsed(counts: ArrayLike<number>): number {
  for (let k = 0; k < counts.length; k++) if (counts[k] > 0) return k;
  return -1;
}

/** Sum of all counts up to each index: length of `counts`. */
export function cumulated(counts: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(counts.length);
  let sum = 0;
  for (let k = 0; k < counts.length; k++) sums[k] = sum += counts[k];
  return sums;
}

/** Where a little of the counts lies beyond: the least index up to which at least `share` of them are. */
export function quantileIndex(counts: ArrayLike<number>, share: number): number {
  const sums = cumulated(counts);
  const wanted = share * (sums.at(-1) ?? 0);
  const found = sums.findIndex((sum) => sum >= wanted);
  return Math.max(0, found);
}
