import type { FormatComparison } from '../../core/comparison/comparison.ts';
import { countFrom } from '../../core/comparison/counts.ts';
import { meanText } from '../../core/story/rounded.ts';
import { counted, countText } from '../../core/story/words.ts';
import type { HybridEncoded } from './layout.ts';
import { type HybridParams, MAX_COLUMNS, slotsOf, tailCapacityOf } from './params.ts';

export const comparison: FormatComparison<HybridEncoded, HybridParams> = {
  size({ rows, cols, rowCounts }, p) {
    const tail = tailCapacityOf(rows, cols, p);
    if (cols > MAX_COLUMNS || countFrom(rowCounts, p.rowSlots + 1) > tail) return 'refused';
    return rows * slotsOf(cols, p) * 4 + rows * 8 + tail * 4 + tail * cols * 2;
  },
  why({ rows, cols, nnz, rowCounts }, p) {
    const slots = slotsOf(cols, p);
    const tailCapacity = tailCapacityOf(rows, cols, p);
    const tailUsed = countFrom(rowCounts, p.rowSlots + 1);
    if (rows === 0) return 'There is no row.';
    const filled = `Rows have ${countText(slots)} slots and hold ${meanText(nnz / rows)} on average`;
    if (tailCapacity === 0) return `${filled}; none can be longer.`;
    const longer = `${counted(tailUsed, 'longer one')} ${tailUsed === 1 ? 'lies' : 'lie'}`;
    return `${filled}; ${longer} in a dense tail with room for ${countText(tailCapacity)}.`;
  },
  whyRefused({ rows, cols, rowCounts }, p) {
    const long = countFrom(rowCounts, p.rowSlots + 1);
    const room = tailCapacityOf(rows, cols, p);
    if (long <= room) return null;
    return `${countText(long)} of ${counted(rows, 'row')} ${long === 1 ? 'is' : 'are'} longer than ${p.rowSlots} slots; the dense tail has room for ${countText(room)}.`;
  },
  marks({ rows, cols, rowCounts }, p) {
    if (cols <= p.rowSlots) return [];
    const long = countFrom(rowCounts, p.rowSlots + 1);
    return [
      {
        chart: { of: 'rows' },
        at: p.rowSlots,
        title: 'hybrid, slots',
        lines: [countText(p.rowSlots), `${countText(long)} of ${countText(rows)} over`],
      },
    ];
  },
};
