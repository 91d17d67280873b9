import type { FormatComparison } from '../../core/comparison/comparison.ts';
import { lastCounted } from '../../core/comparison/counts.ts';
import { meanText, shareText } from '../../core/story/rounded.ts';
import { indexBitsFor } from '../../theory/index-bits.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { countText } from '../../core/story/words.ts';
import type { EllEncoded } from './layout.ts';
import type { EllParams } from './params.ts';

export const comparison: FormatComparison<EllEncoded, EllParams> = {
  size({ rows, cols, rowCounts }, { valueType, indexBits: choice }) {
    const indexBits = indexBitsFor(choice, { cols });
    if (cols > 2 ** indexBits) return 'refused';
    return (rows * lastCounted(rowCounts) * (VALUE_BITS[valueType] + indexBits)) / 8 + rows * 4;
  },
  why({ rows, nnz, rowCounts }) {
    const width = lastCounted(rowCounts);
    const slots = rows * width;
    if (slots === nnz) return `All rows hold ${countText(width)}: no slot is empty.`;
    return `Every row is as long as the longest, ${countText(width)}, mean ${meanText(nnz / rows)}: ${shareText(1 - nnz / slots)} of the slots are empty.`;
  },
  marks(s) {
    const longest = lastCounted(s.rowCounts);
    if (longest === 0) return [];
    const empty = shareText(1 - s.nnz / (s.rows * longest));
    return [
      { chart: { of: 'rows' }, at: longest, title: 'ELL, longest', lines: [countText(longest), `${empty} empty`] },
    ];
  },
};
