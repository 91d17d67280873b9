import type { FormatComparison } from '../../core/comparison/comparison.ts';
import { countFrom } from '../../core/comparison/counts.ts';
import { shareText } from '../../core/story/rounded.ts';
import type { MatrixStatistics } from '../../core/statistics/matrix-statistics.ts';
import { scaleBytes, VALUE_BITS } from '../../core/number/index.ts';
import { type MackoEncoded, placesFor } from './layout.ts';
import { DELTA_BITS, type DeltaBits, type MackoParams, reachOf } from './params.ts';

/** Padding entries: a gap of g needs ceil(g / 2^k) - 1 of them. O(widest gap). */
function paddingOf({ gaps }: MatrixStatistics, deltaBits: DeltaBits): number {
  let padding = 0;
  for (let gap = reachOf(deltaBits) + 1; gap < gaps.length; gap++) {
    padding += gaps[gap] * Math.floor((gap - 1) / reachOf(deltaBits));
  }
  return padding;
}

/** Bytes of all arrays. O(widest gap). */
function sizeOf(s: MatrixStatistics, { deltaBits, valueType }: MackoParams): number {
  const entries = s.nnz + paddingOf(s, deltaBits);
  const values = (placesFor(entries) * VALUE_BITS[valueType]) / 8;
  const deltas = Math.ceil((entries * deltaBits) / 32) * 4;
  return values + deltas + (s.rows + 1) * 4 + scaleBytes(entries, s.rows, valueType);
}

/** Share of the gaps that one delta reaches. */
function reachedShare({ gaps, nnz }: MatrixStatistics, deltaBits: DeltaBits): number {
  return nnz === 0 ? 1 : 1 - countFrom(gaps, reachOf(deltaBits) + 1) / nnz;
}

export const comparison: FormatComparison<MackoEncoded, MackoParams> = {
  size: sizeOf,
  why(s, { deltaBits }) {
    if (s.nnz === 0) return 'No non-zeros: only row starts.';
    const bits = deltaBits === 1 ? '1 bit reaches' : `${deltaBits} bits reach`;
    const padding = paddingOf(s, deltaBits);
    if (padding === 0) return `${bits} every gap, so nothing is padding.`;
    const share = padding / (s.nnz + padding);
    return `${bits} ${shareText(reachedShare(s, deltaBits))} of the gaps; ${shareText(share)} of what is stored is padding.`;
  },
  marks(s, p) {
    const dense = (s.rows * s.cols * VALUE_BITS[p.valueType]) / 8;
    if (dense === 0) return [];
    return DELTA_BITS.map((deltaBits) => {
      const reached = reachedShare(s, deltaBits);
      return {
        chart: { of: 'gaps' as const },
        at: reachOf(deltaBits),
        title: `${deltaBits} bit`,
        lines: [reached === 1 ? 'all' : shareText(reached), (sizeOf(s, { ...p, deltaBits }) / dense).toFixed(3)],
        params: { deltaBits },
      };
    });
  },
};
