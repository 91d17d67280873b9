import type { FormatComparison } from '../../core/comparison/comparison.ts';
import { countFrom, groupCounts, lastCounted } from '../../core/comparison/counts.ts';
import { meanText, shareText } from '../../core/story/rounded.ts';
import type { MatrixStatistics } from '../../core/statistics/matrix-statistics.ts';
import { countText, counted } from '../../core/story/words.ts';
import type { TwellEncoded } from './layout.ts';
import { capacityOf, PACKED_COLUMNS, slotsOf, TILE_WIDTHS, tilesOf, type TwellParams } from './params.ts';

/** Tile rows that hold more non-zeros than slots. */
function overflowing(s: MatrixStatistics, p: TwellParams): number {
  return countFrom(groupCounts(s, p.tileWidth), capacityOf(p) + 1);
}

export const comparison: FormatComparison<TwellEncoded, TwellParams> = {
  groups: TILE_WIDTHS,
  size(s, p) {
    if ((p.layout === 'packed' && s.cols > PACKED_COLUMNS) || overflowing(s, p) > 0) return 'refused';
    const places = s.rows * tilesOf(s.cols, p) * slotsOf(p);
    return p.layout === 'packed' ? places * 4 : places * 6 + s.rows * tilesOf(s.cols, p) * 4;
  },
  why(s, p) {
    const tileRows = s.rows * tilesOf(s.cols, p);
    const capacity = capacityOf(p);
    if (tileRows === 0) return 'There is no tile row.';
    const held = s.nnz / tileRows;
    return `A tile row of ${p.tileWidth} columns has ${counted(capacity, 'place')} and holds ${meanText(held)} on average: ${shareText(1 - held / capacity)} are empty.`;
  },
  whyRefused(s, p) {
    const over = overflowing(s, p);
    if (over === 0) return null;
    const counts = groupCounts(s, p.tileWidth);
    return `${countText(over)} of ${counted(countFrom(counts, 0), 'tile row')} ${over === 1 ? 'holds' : 'hold'} more than the ${capacityOf(p)} that fit, up to ${lastCounted(counts)}.`;
  },
  marks(s, p) {
    const over = overflowing(s, p);
    return [
      {
        chart: { of: 'groups', width: p.tileWidth },
        at: capacityOf(p),
        title: `TwELL ${p.compression} : 1 holds`,
        lines: [countText(capacityOf(p)), over === 0 ? 'none over' : `${countText(over)} over`],
        isLimit: true,
      },
    ];
  },
};
