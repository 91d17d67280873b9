import { VALUE_BITS } from '../../core/number/index.ts';
import { bitsOf, ledger, type StorageLedger } from '../../core/encoded/ledger.ts';
import { type BitmaskEncoded, WORD_BITS } from './layout.ts';

/** Bytes per array and class: the mask says where values are; its bits past the last column are padding. O(1). */
export function storage(e: BitmaskEncoded): StorageLedger {
  const { rows, cols, valueType, wordsPerRow, values, mask, rowPtr } = e;
  const paddingBits = rows * (wordsPerRow * WORD_BITS - cols);
  return ledger(
    [
      {
        array: 'values',
        dtype: valueType,
        length: values.length,
        bytes: values.byteLength,
        bits: bitsOf('values', values.byteLength * 8),
      },
      {
        array: 'mask',
        dtype: '1-bit in u32',
        length: mask.length,
        bytes: mask.byteLength,
        bits: bitsOf('indices', mask.byteLength * 8, paddingBits),
        ...(paddingBits > 0 ? { note: 'pads rows to whole words' } : {}),
      },
      {
        array: 'rowPtr',
        dtype: 'u32',
        length: rowPtr.length,
        bytes: rowPtr.byteLength,
        bits: bitsOf('metadata', rowPtr.byteLength * 8),
      },
    ],
    rows * cols * VALUE_BITS[valueType],
  );
}
