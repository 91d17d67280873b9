import { namedArrays } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { bitsOf, type ByteClass, ledger, type LedgerEntry, type StorageLedger } from '../../core/encoded/ledger.ts';
import { type BitmaskEncoded, WORD_BITS } from './layout.ts';

/** Bytes per array and class: the mask says where values are; its bits past the last column are padding. O(1). */
export function storage(e: BitmaskEncoded): StorageLedger {
  const { rows, cols, nnz, valueType, wordsPerRow } = e;
  const valueBits = VALUE_BITS[valueType];
  const arrays = namedArrays(e);
  const entry = (array: string, dtype: string, main: ByteClass, padding = 0, note = ''): LedgerEntry => {
    const { length = 0, byteLength: bytes = 0 } = arrays.get(array) ?? {};
    return { array, dtype, length, bytes, bits: bitsOf(main, bytes * 8, padding), ...(padding > 0 && { note }) };
  };
  const tail = 8 * e.values.byteLength - nnz * valueBits;
  const entries = [
    entry('values', valueType === 'i4' ? '4-bit in u8' : valueType, 'values', tail, 'the tail'),
    entry('mask', '1-bit in u32', 'indices', rows * (wordsPerRow * WORD_BITS - cols), 'pads rows to whole words'),
    entry('rowPtr', 'u32', 'metadata'),
  ];
  if (valueType === 'i8' || valueType === 'i4')
    entries.push(entry('scales', valueType === 'i8' ? 'f32' : 'f16', 'metadata'));
  return ledger(entries, rows * cols * valueBits);
}
