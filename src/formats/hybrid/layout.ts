import type { EncodedMatrix, Violation } from '../../core/format.ts';
import { bf16Value } from '../../core/number/index.ts';
import { Violations } from '../../core/encoded/violations.ts';
import { type HybridParams, slotsOf, tailCapacityOf } from './params.ts';

/** In the maps: the row is in the compact part, or the tail row is free. */
export const NONE = 0xffffffff;

/**
 * The hybrid of a compact ELL and a dense tail. A row with at most W non-zeros is stored in its slots, row by row; a longer
 * one is stored with all its cells in a row of the tail, and its slots stay empty.
 *
 * | array | dtype | length | meaning |
 * |---|---|---|---|
 * | values | bf16 bits | rows * slots | non-zeros of row r from element r * slots on |
 * | indices | u16 | rows * slots | column of each |
 * | counts | u32 | rows | non-zeros of every row, also of the long ones |
 * | tailMap | u32 | rows | tail row of each long row, 0xffffffff for a row in its slots |
 * | tailRows | u32 | tail capacity | row of each tail row in use, 0xffffffff for a free one |
 * | tail | bf16 bits | tail capacity * cols | cells of the long rows, in the order of the rows |
 *
 * slots = min(W, cols); the tail has room for a fixed share of the rows, and none where no row can be long. Columns
 * ascend inside a row; empty slots and free tail rows hold 0. A value that rounds to 0 keeps its slot.
 * Source: TwELL paper, section 3.4 and listings 4 to 7. Differs: columns of 16 bits without a sign, ascending order,
 * counts that are true for long rows, and a full tail is refused.
 */
export interface HybridEncoded extends EncodedMatrix, HybridParams {
  /** slots of a row */
  readonly slots: number;
  /** capacity of the tail, in rows */
  readonly tailCapacity: number;
  /** rows in the tail */
  readonly tailUsed: number;
  readonly values: Uint16Array;
  readonly indices: Uint16Array;
  readonly counts: Uint32Array;
  readonly tailMap: Uint32Array;
  readonly tailRows: Uint32Array;
  readonly tail: Uint16Array;
}

/** The numbering of a hybrid's entries: the slots of all rows, followed by the cells of the tail. */
export function entriesOf({ rows, cols, slots, tailCapacity }: HybridEncoded): number {
  return rows * slots + tailCapacity * cols;
}

/** The checks of `validate` per array besides length and checksum. */
export const rules = {
  values: '0 in empty slots',
  indices: 'ascend in a row, below cols; 0 in empty slots',
  counts: 'at most cols, add up to nnz',
  tailMap: 'only long rows, each with its tail row',
  tailRows: 'the row whose tailMap names it; none if free',
  tail: 'no more non-zeros than the row has; 0 in free rows',
} as const;

/**
 * 'cheap' O(1): the lengths. 'full' O(rows * slots + tail): counts add up to nnz, short rows are in their slots with
 * ascending columns, long ones in separate tail rows, everything else is empty, and checksums match.
 */
export function validate(e: HybridEncoded, level: 'cheap' | 'full'): readonly Violation[] {
  const v = new Violations();
  const { rows, cols, slots, tailCapacity } = e;
  v.expect('values', null, 'slots', slots, slotsOf(cols, e), 'rowSlots, at most cols');
  v.expect('tail', null, 'tailCapacity', tailCapacity, tailCapacityOf(rows, cols, e), 'rows / tailShare, rounded up');
  v.expect('values', null, 'length of values', e.values.length, rows * slots, 'rows * slots');
  v.expect('indices', null, 'length of indices', e.indices.length, rows * slots, 'rows * slots');
  v.expect('counts', null, 'length of counts', e.counts.length, rows, 'rows');
  v.expect('tailMap', null, 'length of tailMap', e.tailMap.length, rows, 'rows');
  v.expect('tailRows', null, 'length of tailRows', e.tailRows.length, tailCapacity, 'tailCapacity');
  v.expect('tail', null, 'length of tail', e.tail.length, tailCapacity * cols, 'tailCapacity * cols');
  if (level === 'cheap' || v.found.length > 0) return v.found;

  const sum = e.counts.reduce((total, count) => total + count, 0);
  v.expect('counts', null, 'sum of counts', sum, e.nnz, 'nnz');
  for (let r = 0; r < rows && !v.full; r++) checkRow(e, r, v);
  for (let t = 0; t < tailCapacity && !v.full; t++) checkTailRow(e, t, v);
  v.unchanged(e);
  return v.found;
}

/** A short row is in its slots, a long one in the tail; unused elements are 0. */
function checkRow(e: HybridEncoded, r: number, v: Violations): void {
  const { cols, slots, values, indices, counts, tailMap, tailRows, tailUsed } = e;
  const count = counts[r];
  const place = tailMap[r];
  const isLong = count > slots;
  if (count > cols) v.add('counts', r, `counts[${r}]: found ${count}, expected at most cols = ${cols}`);
  if (!isLong) {
    if (place !== NONE) v.add('tailMap', r, `tailMap[${r}]: found ${place}, expected none for ${count} non-zeros`);
    v.columns('indices', indices, { row: r, start: r * slots, count, step: 1 }, cols);
  } else if (place >= tailUsed || tailRows[place] !== r) {
    v.add('tailMap', r, `tailMap[${r}]: found ${place}, expected the tail row of row ${r}`);
  }
  for (let at = r * slots + (isLong ? 0 : count); at < (r + 1) * slots && !v.full; at++) {
    if (indices[at] !== 0) v.expect('indices', at, `indices[${at}], an empty slot of row ${r}`, indices[at], 0);
    if (values[at] !== 0) v.expect('values', at, `values[${at}], an empty slot of row ${r}`, values[at], 0);
  }
}

/** A used tail row belongs to a row and holds no more non-zeros than it; a free one holds 0. */
function checkTailRow(
  { rows, cols, counts, tailMap, tailRows, tail, tailUsed }: HybridEncoded,
  t: number,
  v: Violations,
): void {
  const r = tailRows[t];
  if (t >= tailUsed) {
    if (r !== NONE) v.add('tailRows', t, `tailRows[${t}]: found ${r}, expected none for a free tail row`);
  } else if (r >= rows || tailMap[r] !== t) {
    v.add('tailRows', t, `tailRows[${t}]: found ${r}, expected the row whose tailMap is ${t}`);
    return;
  }
  let found = 0;
  for (let at = t * cols; at < (t + 1) * cols; at++) if (bf16Value(tail[at]) !== 0) found++;
  const max = t < tailUsed ? counts[r] : 0;
  if (found > max) v.add('tail', t * cols, `tail row ${t}: found ${found} non-zeros, expected at most ${max}`);
}
