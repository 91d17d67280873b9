import { VALUE_BITS } from '../../core/number/index.ts';
import { bitsOf, ledger, type LedgerEntry, type StorageLedger } from '../../core/encoded/ledger.ts';
import { counted, listText } from '../../core/story/words.ts';
import type { HybridEncoded } from './layout.ts';
import { fact, type Stated, stated } from '../../core/story/stated.ts';

/**
 * Bytes per array and class. Padding: empty slots of short rows, the slots of rows stored in the tail, zeros of the
 * tail rows in use, and tail rows that are free. O(rows).
 */
export function storage(e: HybridEncoded): StorageLedger {
  const { rows, cols, slots, nnz, tailUsed, tailCapacity, tailRows, counts, valueType } = e;
  const valueBits = VALUE_BITS[valueType];
  let inTail = 0;
  for (let t = 0; t < tailUsed; t++) inTail += counts[tailRows[t]];
  const inSlots = nnz - inTail;
  const routed = tailUsed * slots;
  const empty = rows * slots - routed - inSlots;
  const zeros = tailUsed * cols - inTail;
  const freeRows = tailCapacity - tailUsed;
  const slotNote = noteOf([
    [empty, 'slot', 'of shorter rows'],
    [routed, 'slot', 'of rows in the tail'],
  ]);
  const tailNote = noteOf([
    [zeros, 'zero', 'of rows in the tail'],
    [freeRows * cols, 'cell', 'of free tail rows'],
  ]);
  const entry = (
    array: 'values' | 'indices' | 'counts' | 'tailMap' | 'tailRows' | 'tail',
    dtype: string,
    bits: LedgerEntry['bits'],
    note: { note?: string } = {},
  ): LedgerEntry => ({ array, dtype, length: e[array].length, bytes: e[array].byteLength, bits, ...note });
  const unused = empty + routed;
  return ledger(
    [
      entry('values', valueType, bitsOf('values', e.values.byteLength * 8, unused * valueBits), slotNote),
      entry('indices', 'u16', bitsOf('indices', e.indices.byteLength * 8, unused * 16), slotNote),
      entry('counts', 'u32', bitsOf('metadata', e.counts.byteLength * 8)),
      entry('tailMap', 'u32', bitsOf('metadata', e.tailMap.byteLength * 8)),
      entry('tailRows', 'u32', bitsOf('metadata', e.tailRows.byteLength * 8, freeRows * 32)),
      entry(
        'tail',
        valueType,
        bitsOf('values', e.tail.byteLength * 8, (zeros + freeRows * cols) * valueBits),
        tailNote,
      ),
    ],
    rows * cols * valueBits,
  );
}

/** The causes of padding that occur. */
function noteOf(causes: readonly (readonly [count: number, noun: string, of: string])[]): { note?: string } {
  const found = causes.filter(([count]) => count > 0).map(([count, noun, of]) => `${counted(count, noun)} ${of}`);
  return found.length > 0 ? { note: listText(found) } : {};
}

/** What decides the bytes: slots of every row, and a tail that is reserved whether or not long rows fill it. O(1). */
export function sizeReason({ rows, slots, tailUsed, tailCapacity }: HybridEncoded): Stated {
  if (rows === 0) return stated`there is no row`;
  const longest = fact('slots of a row', slots);
  const all = fact('rows', rows, 'count', ['row', 'rows']);
  if (tailCapacity === 0) return stated`every row has ${longest} slots, and none can be longer`;
  const room = fact('rows that the tail has room for', tailCapacity);
  if (tailUsed === 0) return stated`none of ${all} has more than ${longest} non-zeros; the tail has room for ${room}`;
  return stated`${fact('long rows', tailUsed)} of ${all} ${tailUsed === 1 ? 'has' : 'have'} more than ${longest} non-zeros; the tail has room for ${room}`;
}
