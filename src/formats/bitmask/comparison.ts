import type { FormatComparison } from '../../core/comparison/comparison.ts';
import { meanText } from '../../core/story/rounded.ts';
import { scaleBytes, VALUE_BITS } from '../../core/number/index.ts';
import { type BitmaskEncoded, WORD_BITS } from './layout.ts';
import type { BitmaskParams } from './params.ts';

/** The cost of other ways to name a column, in bits. */
const SHORT_GAP = 4;
const COLUMN_NUMBER = 16;

export const comparison: FormatComparison<BitmaskEncoded, BitmaskParams> = {
  size: ({ rows, cols, nnz }, { valueType }) =>
    Math.ceil((nnz * VALUE_BITS[valueType]) / 8) +
    rows * Math.ceil(cols / WORD_BITS) * 4 +
    (rows + 1) * 4 +
    scaleBytes(nnz, rows, valueType),
  why({ rows, cols, nnz }) {
    if (nnz === 0) return 'There are no non-zeros, and every column still takes a bit.';
    const each = (rows * cols) / nnz;
    const beside = each < SHORT_GAP ? 'less than' : each === SHORT_GAP ? 'as much as' : 'more than';
    const other = each <= COLUMN_NUMBER ? `a gap of ${SHORT_GAP}` : `a column number of ${COLUMN_NUMBER}`;
    return `One bit per column is ${meanText(each)} per non-zero: ${beside} ${other} bits.`;
  },
};
