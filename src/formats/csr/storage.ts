import { VALUE_BITS } from '../../core/number/index.ts';
import { bitsOf, ledger, type StorageLedger } from '../../core/encoded/ledger.ts';
import type { CsrEncoded } from './layout.ts';
import type { Stated } from '../../core/story/stated.ts';
import { columnsBeside } from './params.ts';

/** Bytes per array: data are values, indices indices, indptr metadata; there is no padding. O(1). */
export function storage({ rows, cols, valueType, indexBits, data, indices, indptr }: CsrEncoded): StorageLedger {
  return ledger(
    [
      {
        array: 'data',
        dtype: valueType,
        length: data.length,
        bytes: data.byteLength,
        bits: bitsOf('values', data.byteLength * 8),
      },
      {
        array: 'indices',
        dtype: `u${indexBits}`,
        length: indices.length,
        bytes: indices.byteLength,
        bits: bitsOf('indices', indices.byteLength * 8),
      },
      {
        array: 'indptr',
        dtype: 'u32',
        length: indptr.length,
        bytes: indptr.byteLength,
        bits: bitsOf('metadata', indptr.byteLength * 8),
      },
    ],
    rows * cols * VALUE_BITS[valueType],
  );
}

/** What decides the bytes: a column for every value. O(1). */
export function sizeReason({ indices, data }: CsrEncoded): Stated {
  return columnsBeside(indices.BYTES_PER_ELEMENT, data.BYTES_PER_ELEMENT);
}
