import type { FormatComparison } from '../../core/comparison/comparison.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { bitsOf, ledger, type LedgerEntry, type StorageLedger } from '../../core/encoded/ledger.ts';
import { type DenseEncoded, denseStride, rowUnitBytes, scaleCount } from './layout.ts';
import { shareText } from '../../core/text/rounded.ts';
import { type Stated, stated } from '../../core/text/stated.ts';
import { counted } from '../../core/text/words.ts';
import { density } from '../../core/matrix/index.ts';
import { type DenseParams, expectedReason } from './params.ts';

/** The bytes of a dense matrix by array and purpose; the elements past the last column of a row are padding. O(1). */
export function storage(e: DenseEncoded): StorageLedger {
  const valueBits = VALUE_BITS[e.valueType];
  const paddingElements = e.rows * (e.stride - e.cols);
  const entries: LedgerEntry[] = [
    {
      array: 'data',
      dtype: e.valueType === 'i4' ? '4-bit in u8' : e.valueType,
      length: e.data.length,
      bytes: e.data.byteLength,
      bits: bitsOf('values', e.data.byteLength * 8, paddingElements * valueBits),
      ...(paddingElements > 0 ? { note: `pads rows to a multiple of ${rowUnitBytes(e.valueType)} bytes` } : {}),
      // Groups of i4 have scales, and are stored as a whole.
      ...(e.valueType !== 'i4' && { alignmentBits: paddingElements * valueBits }),
    },
  ];
  if (e.valueType === 'i8' || e.valueType === 'i4') {
    const bytes = e.scales.byteLength;
    entries.push({
      array: 'scales',
      dtype: e.valueType === 'i4' ? 'f16' : 'f32',
      length: e.scales.length,
      bytes,
      bits: bitsOf('metadata', bytes * 8),
    });
  }
  return ledger(entries, e.rows * e.cols * valueBits);
}

/** Why an encoded matrix has its size, in words: the share of zeros. O(1). */
export function sizeReason(e: DenseEncoded): Stated {
  return e.rows * e.cols === 0 ? stated`there is no cell` : expectedReason(density(e));
}

/** How the page compares dense with other formats: the bytes of a matrix, and the reason for them. */
export const comparison: FormatComparison<DenseEncoded, DenseParams> = {
  size({ rows, cols }, { valueType }) {
    const stride = valueType === 'i4' ? denseStride(cols, valueType) : cols;
    const scaleBits = valueType === 'i4' ? 16 : 32;
    return (rows * stride * VALUE_BITS[valueType] + scaleCount(rows, stride, valueType) * scaleBits) / 8;
  },
  why({ rows, cols, nnz }, { valueType }) {
    const zeros = rows * cols - nnz;
    const wasted =
      zeros === 0
        ? 'No cell is 0, so nothing is wasted.'
        : `Stores ${counted(zeros, 'zero')}, ${shareText(zeros / (rows * cols))} of its cells.`;
    const padding = (rows * (denseStride(cols, valueType) - cols) * VALUE_BITS[valueType]) / 8;
    if (valueType === 'i4' || padding === 0) return wasted;
    return `${wasted} Kernels read ${counted(padding, 'byte')} more, since each row begins at a multiple of ${rowUnitBytes(valueType)}.`;
  },
};
