import { namedArrays } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { bitsOf, ledger, type LedgerEntry, type StorageLedger } from '../../core/encoded/ledger.ts';
import { entryCount, type MackoEncoded, passedColumns } from './layout.ts';
import { sizeReason as reasonOf } from './params.ts';
import { counted, listText } from '../../core/story/words.ts';
import type { Stated } from '../../core/story/stated.ts';

/** Bytes per array and class. Padding: the entries that bridge wide gaps, and the tails that fill up groups and words. */
export function storage(e: MackoEncoded): StorageLedger {
  const valueBits = VALUE_BITS[e.valueType];
  const entries = entryCount(e);
  const padding = entries - e.nnz;
  const entry = (array: string, dtype: string, main: 'values' | 'indices' | 'metadata', used: number): LedgerEntry => {
    const data = namedArrays(e).get(array);
    const bytes = data?.byteLength ?? 0;
    const paddingBits = main === 'metadata' ? 0 : bytes * 8 - used;
    const hasTail = paddingBits > (main === 'values' ? padding * valueBits : padding * e.deltaBits);
    const bridges = padding > 0 ? [counted(padding, 'padding entry', 'padding entries')] : [];
    const note = paddingBits > 0 ? { note: listText([...bridges, ...(hasTail ? ['the tail'] : [])]) } : {};
    return { array, dtype, length: data?.length ?? 0, bytes, bits: bitsOf(main, bytes * 8, paddingBits), ...note };
  };
  const entriesOf = [
    entry('values', e.valueType === 'i4' ? '4-bit in u8' : e.valueType, 'values', e.nnz * valueBits),
    entry('deltas', `${e.deltaBits}-bit in u32`, 'indices', e.nnz * e.deltaBits),
    entry('indptr', 'u32', 'metadata', 0),
  ];
  if (e.valueType === 'i8' || e.valueType === 'i4')
    entriesOf.push(entry('scales', e.valueType === 'i8' ? 'f32' : 'f16', 'metadata', 0));
  return ledger(entriesOf, e.rows * e.cols * valueBits);
}

/** What decides the bytes: the gaps of this matrix, and the padding that they need. O(entries). */
export function sizeReason(e: MackoEncoded): Stated {
  const entries = entryCount(e);
  return reasonOf({ nnz: e.nnz, padding: entries - e.nnz, gaps: passedColumns(e, 0, entries) }, e);
}
