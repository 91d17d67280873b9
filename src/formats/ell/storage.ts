import type { EffectiveDensityBounds } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { bitsOf, ledger, type StorageLedger } from '../../core/encoded/ledger.ts';
import type { EllEncoded } from './layout.ts';
import type { EllParams } from './params.ts';

/** Bytes per array and class. Padding: value and index of every empty slot. O(1). */
export function storage(e: EllEncoded): StorageLedger {
  const { rows, cols, nnz, valueType, indexBits, values, indices, counts } = e;
  const emptySlots = values.length - nnz;
  const valueBits = VALUE_BITS[valueType];
  const padding = emptySlots > 0 ? { note: 'slots of rows that are shorter than the longest' } : {};
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

/**
 * w / cols * (b + i) / b with w slots per row, value bits b and index bits i; counts are left out.
 * best: every row holds the mean, w = d * cols. worst: one row is full, w = cols. expected: the mean of the longest of
 * `rows` rows whose non-zeros fall independently, by the binomial distribution. O(cols).
 */
export function effectiveDensity(
  density: number,
  { valueType, indexBits }: EllParams,
  { rows, cols }: { readonly rows: number; readonly cols: number },
): EffectiveDensityBounds {
  const b = VALUE_BITS[valueType];
  const perSlot = (b + indexBits) / b;
  const expected = cols === 0 ? 0 : expectedLongest(rows, cols, density) / cols;
  return { best: density * perSlot, expected: expected * perSlot, worst: density === 0 ? 0 : perSlot };
}

/** Mean of the largest of `rows` binomial(cols, p) numbers: the sum over k of P(largest > k) = 1 - F(k)^rows. O(cols). */
export function expectedLongest(rows: number, cols: number, p: number): number {
  if (rows === 0 || p <= 0) return 0;
  if (p >= 1) return cols;
  // log of P(count = k), by the ratio of neighbours, so that nothing underflows before it is added up.
  let logTerm = cols * Math.log1p(-p);
  const logOdds = Math.log(p) - Math.log1p(-p);
  let below = 0;
  let mean = 0;
  for (let k = 0; k < cols; k++) {
    below += Math.exp(logTerm);
    // 1 - F^rows without losing the digits of a tail that is close to 0
    mean += below >= 1 ? 0 : -Math.expm1(rows * Math.log(below));
    logTerm += Math.log((cols - k) / (k + 1)) + logOdds;
  }
  return mean;
}
