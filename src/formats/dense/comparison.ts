import type { FormatComparison } from '../../core/comparison/comparison.ts';
import { shareText } from '../../core/story/rounded.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { counted } from '../../core/story/words.ts';
import { type DenseEncoded, denseStride, scaleCount } from './layout.ts';
import type { DenseParams } from './params.ts';

/** How the page compares dense with other formats: the bytes of a matrix, and why it takes them. */
export const comparison: FormatComparison<DenseEncoded, DenseParams> = {
  size({ rows, cols }, { valueType }) {
    const stride = denseStride(cols, valueType);
    const scaleBits = valueType === 'i4' ? 16 : 32;
    return (rows * stride * VALUE_BITS[valueType] + scaleCount(rows, stride, valueType) * scaleBits) / 8;
  },
  why({ rows, cols, nnz }) {
    const zeros = rows * cols - nnz;
    if (zeros === 0) return 'No cell is 0, so nothing is wasted.';
    return `Stores ${counted(zeros, 'zero')}, ${shareText(zeros / (rows * cols))} of its cells.`;
  },
};
