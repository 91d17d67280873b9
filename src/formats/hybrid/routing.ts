// Whether the tail has room: a row with more non-zeros than slots goes there, as a dense row.

import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { counted } from '../../core/story/words.ts';
import { type HybridParams, ROW_SLOTS, tailShareText, TAIL_SHARES, tailCapacityOf } from './params.ts';

/** Non-zeros of every row. O(rows * cols) at worst. */
export function rowCounts(m: Matrix): Uint32Array {
  const buffer = rowBuffer(m.cols);
  const counts = new Uint32Array(m.rows);
  for (let r = 0; r < m.rows; r++) counts[r] = m.readRow(r, buffer);
  return counts;
}

/** How many rows hold more than `slots` non-zeros. O(rows). */
function longRows(counts: Uint32Array, slots: number): number {
  return counts.reduce((rows, count) => rows + (count > slots ? 1 : 0), 0);
}

/** ', rounded up' if the tail has more rows than its share of the rows: follows the share in a sentence. */
function roundedUp(rows: number, tailShare: HybridParams['tailShare']): string {
  return rows % tailShare === 0 ? '' : ', rounded up';
}

/** Why a matrix is refused: its tail has no room for all long rows. Null if it has. O(rows). */
export function tailRefusal(
  counts: Uint32Array,
  cols: number,
  p: HybridParams,
): { readonly reason: string; readonly remedy: string } | null {
  const long = longRows(counts, p.rowSlots);
  const capacity = tailCapacityOf(counts.length, cols, p);
  if (long <= capacity) return null;
  const first = counts.findIndex((count) => count > p.rowSlots);
  const room = `${counted(capacity, 'row')}, 1/${p.tailShare} of ${counts.length}${roundedUp(counts.length, p.tailShare)}`;
  return {
    reason: `${counted(long, 'row')} ${long === 1 ? 'has' : 'have'} more than ${counted(p.rowSlots, 'non-zero')}, the first is row ${first} with ${counts[first]}, and the tail has room for ${room}`,
    remedy: remedyFor(counts, cols, p),
  };
}

/** The smallest tail above that of `p` with room for the long rows; undefined if `p` has room for all rows. O(rows). */
export function largerTail(counts: Uint32Array, cols: number, p: HybridParams): HybridParams['tailShare'] | undefined {
  const long = longRows(counts, p.rowSlots);
  return TAIL_SHARES.find(
    (tailShare) => tailShare < p.tailShare && long <= tailCapacityOf(counts.length, cols, { ...p, tailShare }),
  );
}

/** The nearest parameters that admit the matrix, as advice: more slots, or a larger tail. */
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
