import type { FormatComparison } from '../../core/comparison/comparison.ts';
import { countFrom, groupCounts } from '../../core/comparison/counts.ts';
import { shareText } from '../../core/story/rounded.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { counted, countText } from '../../core/story/words.ts';
import { type SlideSparseEncoded, windowsPerRowOf, WINDOWS_PER_WORD } from './layout.ts';
import { HALF_GROUPS, KEPT, patternName, type SlideSparseParams } from './params.ts';

export const comparison: FormatComparison<SlideSparseEncoded, SlideSparseParams> = {
  groups: HALF_GROUPS.map((halfGroup) => 2 * halfGroup),
  size(s, p) {
    const allowed = 2 * p.halfGroup - 2;
    if (countFrom(groupCounts(s, 2 * p.halfGroup), allowed + 1) > 0) return 'refused';
    return storedBytes(s, p);
  },
  why(s, p) {
    const slots = s.rows * windowsPerRowOf(s.cols, p) * KEPT;
    const empty = slots === 0 ? 0 : 1 - s.nnz / slots;
    return `Stores two of every four slots: ${shareText(empty)} of them are empty.`;
  },
  sizeOncePruned: storedBytes,
  whyRefused(s, { halfGroup }) {
    const group = 2 * halfGroup;
    const counts = groupCounts(s, group);
    const over = countFrom(counts, group - 1);
    if (over === 0) return null;
    const dropped = counts.reduce((sum, count, k) => sum + count * Math.max(0, k - (group - 2)), 0);
    return `${countText(over)} of ${counted(countFrom(counts, 0), 'group')} of ${group} ${over === 1 ? 'holds' : 'hold'} more than ${group - 2}; pruning to ${patternName(halfGroup)} drops ${countText(dropped)} of the non-zeros.`;
  },
  marks(s, { halfGroup }) {
    const group = 2 * halfGroup;
    const counts = groupCounts(s, group);
    const over = countFrom(counts, group - 1);
    const of = `of ${countText(countFrom(counts, 0))} groups`;
    return [
      {
        chart: { of: 'groups', width: group },
        at: group - 2,
        title: `SlideSparse ${patternName(halfGroup)} holds ${group - 2}`,
        lines: [over === 0 ? 'none over' : `${countText(over)} over`, of],
        isLimit: true,
      },
    ];
  },
};

/** Bytes of a matrix of this shape that the pattern allows. */
function storedBytes({ rows, cols }: { rows: number; cols: number }, p: SlideSparseParams): number {
  const windows = rows * windowsPerRowOf(cols, p);
  const values = (windows * KEPT * VALUE_BITS[p.valueType]) / 8;
  return values + (windows / WINDOWS_PER_WORD) * 4 + (p.valueType === 'i8' ? rows * 4 : 0);
}
