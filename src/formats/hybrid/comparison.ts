import {
  type FormatComparison,
  metadataStrip,
  MINIATURE_COLUMNS,
  slotsOfKind,
} from '../../core/comparison/comparison.ts';
import { countFrom } from '../../core/comparison/counts.ts';
import { firstRowEntries } from '../../core/comparison/first-row.ts';
import { meanText } from '../../core/comparison/words.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { countText } from '../../core/story/words.ts';
import { type HybridEncoded, NONE } from './layout.ts';
import { type HybridParams, MOST_COLUMNS, slotsOf, tailCapacityOf } from './params.ts';

export const comparison: FormatComparison<HybridEncoded, HybridParams> = {
  size({ rows, cols, rowCounts }, p) {
    const tail = tailCapacityOf(rows, cols, p);
    if (cols > MOST_COLUMNS || countFrom(rowCounts, p.rowSlots + 1) > tail) return 'refused';
    return rows * slotsOf(cols, p) * 4 + rows * 8 + tail * 4 + tail * cols * 2;
  },
  miniature(e) {
    const bits = VALUE_BITS[e.valueType];
    const maps = [metadataStrip('counts'), metadataStrip('tailMap')];
    if (e.rows === 0) return maps;
    if (e.tailMap[0] !== NONE) {
      const at = e.tailMap[0] * e.cols;
      const cells = Array.from({ length: Math.min(MINIATURE_COLUMNS, e.cols) }, (_, c) =>
        // Bit 15 is the sign, and -0 is 0.
        (e.tail[at + c] & 0x7fff) === 0 ? ('zero' as const) : ('value' as const),
      );
      return [{ array: 'tail', bits, slots: cells }, ...maps];
    }
    const shown = firstRowEntries(e.counts[0], (i) => e.indices[i]);
    const empty = slotsOfKind('padding', Math.min(MINIATURE_COLUMNS - shown, e.slots - e.counts[0]));
    return [
      { array: 'values', bits, slots: [...slotsOfKind('value', shown), ...empty] },
      { array: 'indices', bits: 16, slots: [...slotsOfKind('index', shown), ...empty] },
      ...maps,
    ];
  },
  why({ rows, cols, nnz, rowCounts }, p) {
    const slots = slotsOf(cols, p);
    const tailCapacity = tailCapacityOf(rows, cols, p);
    const tailUsed = countFrom(rowCounts, p.rowSlots + 1);
    if (rows === 0) return 'There is no row.';
    const filled = `Rows have ${countText(slots)} slots and hold ${meanText(nnz / rows)} on average`;
    if (tailCapacity === 0) return `${filled}; none can be longer.`;
    return `${filled}; ${countText(tailUsed)} longer ones lie in a dense tail with room for ${countText(tailCapacity)}.`;
  },
  whyRefused({ rows, cols, rowCounts }, p) {
    const long = countFrom(rowCounts, p.rowSlots + 1);
    const room = tailCapacityOf(rows, cols, p);
    if (long <= room) return null;
    return `${countText(long)} of ${countText(rows)} rows are longer than ${p.rowSlots} slots; the dense tail has room for ${countText(room)}.`;
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
