import { VALUE_BITS } from '../../core/number/index.ts';
import { bitsOf, ledger, type LedgerEntry, type StorageLedger } from '../../core/encoded/ledger.ts';
import { counted } from '../../core/story/words.ts';
import type { SlideSparseEncoded } from './layout.ts';

/** Bits of the slot number that a stored non-zero needs. */
const SLOT_BITS = 2;

/** Bytes per array and class. Padding: the kept slots that hold no non-zero, and the windows that pad a row. */
export function storage(e: SlideSparseEncoded): StorageLedger {
  const valueBits = VALUE_BITS[e.valueType];
  const empty = e.values.length - e.nnz;
  const note =
    empty > 0 ? { note: `${counted(empty, 'kept slot')} ${empty === 1 ? 'holds' : 'hold'} no non-zero` } : {};
  const entries: LedgerEntry[] = [
    {
      array: 'values',
      dtype: e.valueType,
      length: e.values.length,
      bytes: e.values.byteLength,
      bits: bitsOf('values', e.values.byteLength * 8, empty * valueBits),
      ...note,
    },
    {
      array: 'metadata',
      dtype: '4-bit in u32',
      length: e.metadata.length,
      bytes: e.metadata.byteLength,
      bits: bitsOf('indices', e.metadata.byteLength * 8, empty * SLOT_BITS),
      ...note,
    },
  ];
  if (e.valueType === 'i8') {
    const { length, byteLength: bytes } = e.scales;
    entries.push({ array: 'scales', dtype: 'f32', length, bytes, bits: bitsOf('metadata', bytes * 8) });
  }
  return ledger(entries, e.rows * e.cols * valueBits);
}
