import { type FormatComparison, metadataStrip, MINIATURE_COLUMNS } from '../../core/comparison/comparison.ts';
import { shareText } from '../../core/comparison/words.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { countText } from '../../core/story/words.ts';
import { cellValue, type DenseEncoded, denseStride, hasScales, scaleCount } from './layout.ts';
import { type DenseParams, GROUP_SCALE_BITS } from './params.ts';

export const comparison: FormatComparison<DenseEncoded, DenseParams> = {
  size({ rows, cols }, { valueType }) {
    const stride = denseStride(cols, valueType);
    const scaleBits = valueType === 'i4' ? GROUP_SCALE_BITS : 32;
    return (rows * stride * VALUE_BITS[valueType] + scaleCount(rows, stride, valueType) * scaleBits) / 8;
  },
  miniature(e) {
    const columns = e.rows === 0 ? 0 : Math.min(MINIATURE_COLUMNS, e.cols);
    const slots = Array.from({ length: columns }, (_, c) =>
      cellValue(e, 0, c) === 0 ? ('zero' as const) : ('value' as const),
    );
    const data = { array: 'data', bits: VALUE_BITS[e.valueType], slots };
    return hasScales(e) ? [data, metadataStrip('scales')] : [data];
  },
  why({ rows, cols, nnz }) {
    const zeros = rows * cols - nnz;
    if (zeros === 0) return 'No cell is 0, so nothing is wasted.';
    return `Stores ${countText(zeros)} zeros, ${shareText(zeros / (rows * cols))} of its cells.`;
  },
};
