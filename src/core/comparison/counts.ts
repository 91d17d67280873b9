/* Sums and searches in the counts of a matrix's statistics, for the comparisons of formats. */

import type { MatrixStatistics } from '../statistics/matrix-statistics.ts';

/** The sum of a histogram's counts from index `from` to the end. */
export function countFrom(counts: ArrayLike<number>, from: number): number {
  let sum = 0;
  for (let k = Math.max(0, from); k < counts.length; k++) sum += counts[k];
  return sum;
}

/** The last index whose count is not 0; 0 if there is none. */
export function lastCounted(counts: ArrayLike<number>): number {
  let last = counts.length - 1;
  while (last > 0 && counts[last] === 0) last--;
  return Math.max(0, last);
}

/** By k: how many groups of `width` columns of a row have k non-zeros. Throws RangeError if they were not counted. */
export function groupCounts({ groups }: MatrixStatistics, width: number): Float64Array {
  const counted = groups.find((group) => group.width === width);
  if (counted) return counted.counts;
  throw new RangeError(`groups of ${width} columns: found none counted`);
}

/** Number of non-empty blocks of a size. Throws RangeError if they were not counted. */
export function storedBlocks({ blocks }: Pick<MatrixStatistics, 'blocks'>, size: number): number {
  const counted = blocks.find((block) => block.size === size);
  if (counted) return counted.stored;
  throw new RangeError(`blocks of ${size} × ${size}: found none counted`);
}
