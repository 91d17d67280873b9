import { VALUE_BITS } from '../../core/number/index.ts';
import { bitsOf, ledger, type StorageLedger } from '../../core/encoded/ledger.ts';
import type { EllEncoded } from './layout.ts';
import { fact, type Stated, stated } from '../../core/story/stated.ts';

/** Bytes per array and class. Padding: value and index of every empty slot. O(1). */
export function storage(e: EllEncoded): StorageLedger {
  const { rows, cols, nnz, valueType, indexBits, values, indices, counts } = e;
  const emptySlots = values.length - nnz;
  const valueBits = VALUE_BITS[valueType];
  const padding = emptySlots > 0 ? { note: 'slots of rows shorter than the longest' } : {};
  return ledger(
    [
      {
        array: 'values',
        dtype: valueType,
        length: values.length,
        bytes: values.byteLength,
        bits: bitsOf('values', values.byteLength * 8, emptySlots * valueBits),
        ...padding,
      },
      {
        array: 'indices',
        dtype: `u${indexBits}`,
        length: indices.length,
        bytes: indices.byteLength,
        bits: bitsOf('indices', indices.byteLength * 8, emptySlots * indexBits),
        ...padding,
      },
      {
        array: 'counts',
        dtype: 'u32',
        length: counts.length,
        bytes: counts.byteLength,
        bits: bitsOf('metadata', counts.byteLength * 8),
      },
    ],
    rows * cols * valueBits,
  );
}

/** What decides the bytes: the longest row. O(1). */
export function sizeReason({ rows, nnz, width }: EllEncoded): Stated {
  const slots = fact('slots of a row', width, 'count', ['slot', 'slots']);
  return stated`rows padded to the longest: ${slots}, where the mean is ${fact('mean row', nnz / Math.max(1, rows), 'mean')}`;
}
