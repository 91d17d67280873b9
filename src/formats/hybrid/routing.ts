// Checks whether all rows with more non-zeros than slots fit into the tail, the array of dense rows that stores them.

import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { counted } from '../../core/text/words.ts';
import { type HybridParams, ROW_SLOTS, tailShareText, TAIL_SHARES, tailCapacityOf } from './params.ts';

/** Non-zeros of every row. O(rows * cols) at worst. */
export function rowCounts(m: Matrix): Uint32Array {
  const buffer = rowBuffer(m.cols);
  const counts = new Uint32Array(m.rows);
  for (let r = 0; r < m.rows; r++) counts[r] = m.readRow(r, buffer);
  return counts;
}

/** The number of rows with more than `slots` non-zeros. O(rows). */
function longRows(counts: Uint32Array, slots: number): number {
  return counts.reduce((rows, count) => rows + (count > slots ? 1 : 0), 0);
}

/** ', rounded up' if `rows / tailShare`, the capacity of the tail, is not a whole number, else ''. */
function roundedUp(rows: number, tailShare: HybridParams['tailShare']): string {
  return rows % tailShare === 0 ? '' : ', rounded up';
}

/** Why a matrix is rejected: its long rows do not fit in the tail; null if they do. O(rows). */
export function tailRejection(
  counts: Uint32Array,
  cols: number,
  p: HybridParams,
): { readonly reason: string; readonly remedy: string } | null {
  const long = longRows(counts, p.rowSlots);
  const capacity = tailCapacityOf(counts.length, cols, p);
  if (long <= capacity) return null;
  const first = counts.findIndex((count) => count > p.rowSlots);
  const space = `${counted(capacity, 'row')}, 1/${p.tailShare} of ${counts.length}${roundedUp(counts.length, p.tailShare)}`;
  return {
    reason: `${counted(long, 'row')} ${long === 1 ? 'has' : 'have'} more than ${counted(p.rowSlots, 'non-zero')}, the first is row ${first} with ${counts[first]}, and the tail has ${space}`,
    remedy: remedyFor(counts, cols, p),
  };
}

/** The smallest tail larger than the tail of `p` into which the long rows fit; undefined if there is none. O(rows). */
export function largerTail(counts: Uint32Array, cols: number, p: HybridParams): HybridParams['tailShare'] | undefined {
  const long = longRows(counts, p.rowSlots);
  return TAIL_SHARES.find(
    (tailShare) => tailShare < p.tailShare && long <= tailCapacityOf(counts.length, cols, { ...p, tailShare }),
  );
}

/** Advice on parameters that support the matrix: the fewest slots, and the smallest tail, that suffice. */
function remedyFor(counts: Uint32Array, cols: number, p: HybridParams): string {
  const rowSlots = ROW_SLOTS.find(
    (slots) =>
      slots > p.rowSlots && longRows(counts, slots) <= tailCapacityOf(counts.length, cols, { ...p, rowSlots: slots }),
  );
  const tailShare = largerTail(counts, cols, p);
  const choices: string[] = [];
  if (rowSlots !== undefined) choices.push(`${rowSlots} row slots`);
  if (tailShare !== undefined) choices.push(`a tail of ${tailShareText(tailShare)}`);
  return `Choose ${choices.join(', or ')}.`;
}
