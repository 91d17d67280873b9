import { type FormatComparison, metadataStrip, slotsOfKind } from '../../core/comparison/comparison.ts';
import { lastCounted } from '../../core/comparison/counts.ts';
import { firstRowEntries } from '../../core/comparison/first-row.ts';
import { meanText, shareText } from '../../core/comparison/words.ts';
import { indexBitsFor } from '../../theory/index-bits.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { countText } from '../../core/story/words.ts';
import type { EllEncoded } from './layout.ts';
import type { EllParams } from './params.ts';

/** Empty slots at the end of the row that a miniature shows. */
const SHOWN_EMPTY = 2;

export const comparison: FormatComparison<EllEncoded, EllParams> = {
  size({ rows, cols, rowCounts }, { valueType, indexBits: choice }) {
    const indexBits = indexBitsFor(choice, { cols });
    if (cols > 2 ** indexBits) return 'refused';
    return (rows * lastCounted(rowCounts) * (VALUE_BITS[valueType] + indexBits)) / 8 + rows * 4;
  },
  miniature({ rows, width, counts, indices, valueType, indexBits }) {
    const count = rows === 0 ? 0 : counts[0];
    const shown = firstRowEntries(count, (i) => indices[i * rows]);
    const empty = slotsOfKind('padding', rows === 0 ? 0 : Math.min(SHOWN_EMPTY, width - count));
    return [
      { array: 'values', bits: VALUE_BITS[valueType], slots: [...slotsOfKind('value', shown), ...empty] },
      { array: 'indices', bits: indexBits, slots: [...slotsOfKind('index', shown), ...empty] },
      metadataStrip('counts'),
    ];
  },
  why({ rows, nnz, rowCounts }) {
    const width = lastCounted(rowCounts);
    const slots = rows * width;
    if (slots === nnz) return `All rows hold ${countText(width)}: no slot is empty.`;
    return `Every row is as long as the longest, ${countText(width)}, where the mean is ${meanText(nnz / rows)}: ${shareText(1 - nnz / slots)} of the slots are empty.`;
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
