import type { EffectiveDensityBounds } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { bitsOf, ledger, type StorageLedger } from '../../core/encoded/ledger.ts';
import type { CsrEncoded } from './layout.ts';
import type { CsrParams } from './params.ts';

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

/** d (b + i) / b with density d, value bits b and index bits i, whatever the pattern; indptr is left out. */
export function effectiveDensity(density: number, { valueType, indexBits }: CsrParams): EffectiveDensityBounds {
  const b = VALUE_BITS[valueType];
  const size = (density * (b + indexBits)) / b;
  return { best: size, expected: size, worst: size };
}
