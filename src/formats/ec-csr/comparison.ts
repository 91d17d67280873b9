import type { FormatComparison } from '../../core/comparison/comparison.ts';
import { countFrom } from '../../core/comparison/counts.ts';
import { meanText, shareText } from '../../core/text/rounded.ts';
import type { MatrixStatistics } from '../../core/statistics/matrix-statistics.ts';
import { countText } from '../../core/text/words.ts';
import { baseBits, type EcCsrEncoded, gathersOf, infosOfSets } from './layout.ts';
import { clipOfValues } from './pack.ts';
import { blockColumns, columnStep, DELTA_BITS, type EcCsrParams, LANES, valueBits, VECTOR_SIZES } from './params.ts';

/** EC-SpMV in a comparison of formats: parameters to try, the reasons for a matrix's bytes, and published values. */
export const comparison: FormatComparison<EcCsrEncoded, EcCsrParams> = {
  // Only encoding finds the blocks of rows, and so the bytes.
  size: () => 'open',
  candidates(s, p) {
    // Never 'short-block': for each remainder it stores one more base (a lane's first column) per lane.
    const variants = LANES.flatMap((lanes) =>
      VECTOR_SIZES.flatMap((vectorSize) =>
        DELTA_BITS.map((deltaBits) => ({ ...p, lanes, vectorSize, deltaBits, remainder: 'same-block' as const })),
      ),
    );
    const byBytes = variants
      .map((params) => ({ params, bytes: bytesOfSingleRows(s, params) }))
      .toSorted((a, b) => a.bytes - b.bytes)
      .map(({ params }) => params);
    const [best] = byBytes;
    const single = byBytes.slice(0, MAX_SINGLE).map((params) => ({ ...params, maxGranularity: 1 as const }));
    // Only a search finds what blocks save. Small blocks are found more often, large blocks need fewer bases.
    const small = { ...best, lanes: LANES[0], vectorSize: VECTOR_SIZES[0] };
    const isSmall = small.lanes === best.lanes && small.vectorSize === best.vectorSize;
    const eightRows = (isSmall ? [best] : [best, small]).map((params) => ({ ...params, maxGranularity: 8 as const }));
    return [...single, { ...best, maxGranularity: 2 }, ...eightRows];
  },
  digest(e) {
    const inBlocks = infosOfSets(e).reduce((sum, set) => sum + (set.granularity > 1 ? set.nnz : 0), 0);
    return { ...e.padding, stored: e.values.length, inBlocks, gathers: gathersOf(e) };
  },
  why(s, p, { gapValues = 0, tailValues = 0, stored = 0, inBlocks = 0, gathers = 0 }) {
    if (s.nnz === 0) return 'There are no non-zeros.';
    const min = blockColumns(p);
    const isOff = p.maxGranularity === 1;
    const shared = isOff
      ? 'blocks are turned off'
      : `pairs of rows share ${meanText(s.shared.mean)} columns, a block needs ${min}`;
    if (stored === 0) return `Deltas of ${p.deltaBits} bits; ${shared}.`;
    const parts: string[] = [];
    if (gapValues > 0) parts.push(`${shareText(gapValues / stored)} bridges wide gaps`);
    if (tailValues > 0) parts.push(`${shareText(tailValues / stored)} fills the last lanes`);
    const padding = parts.length === 0 ? 'nothing is padding' : parts.join(' and ');
    const blocks =
      inBlocks > 0
        ? `blocks of rows contain ${shareText(inBlocks / s.nnz)} of the non-zeros`
        : `${isOff ? '' : 'no rows form a block: '}${shared}`;
    return `Deltas of ${p.deltaBits} bits: ${padding}; ${blocks}; x is read ${(gathers / s.nnz).toFixed(2)} times per non-zero.`;
  },
  notes(s) {
    if (s.nnz === 0) return [];
    const below = (gap: number): string => shareText(1 - countFrom(s.gaps, gap) / s.nnz);
    return [
      {
        chart: { of: 'gaps' },
        text: `Most gaps in pruned Llama 2 are below 32, 64 and 128 at 30, 20 and 10\u202f% left; here ${below(32)}, ${below(64)} and ${below(128)}.`,
        source: 'EC-SpMV, figure 5',
      },
      {
        chart: { of: 'gaps' },
        text: `Padding per non-zero at 30, 20 and 10\u202f% left: with 4 bits 6.35, 7.39 and 30.43\u202f%, here ${shareText(gapOverhead(s, 4))}; with 8 bits 0.75, 0.71 and 1.87\u202f%, here ${shareText(gapOverhead(s, 8))}.`,
        source: 'EC-SpMV, table 2',
      },
    ];
  },
  marks(s, p) {
    if (s.shared.counts.length === 0) return [];
    const min = blockColumns(p);
    const pairs = countFrom(s.shared.counts, 0);
    const enough = countFrom(s.shared.counts, min) / pairs;
    return [
      {
        chart: { of: 'shared' },
        at: min,
        title: 'EC-SpMV, a block needs',
        lines: [countText(min), `${shareText(enough)} of the pairs`],
      },
    ];
  },
};

/** Number of candidates without blocks of rows: several, since `bytesOfSingleRows` is a few per cent off. */
const MAX_SINGLE = 3;

/**
 * Approximate bytes of all arrays if no rows form blocks: of the stored columns, also those that only bridge wide gaps
 * or fill lanes, and of the bases and pointers of each piece of a row. Ignores that a lane's base bridges a gap too.
 * O(longest row + widest gap).
 */
function bytesOfSingleRows(s: MatrixStatistics, p: EcCsrParams): number {
  const storedPerNonZero = 1 + gapOverhead(s, p.deltaBits);
  const step = columnStep(p);
  const clip = clipOfValues(s.nnz, p)(1);
  let columns = 0;
  let pieces = 0;
  for (let k = 1; k < s.rowCounts.length; k++) {
    // The first column of a row is a base and bridges nothing.
    const stored = Math.ceil((1 + (k - 1) * storedPerNonZero) / step) * step;
    columns += s.rowCounts[k] * stored;
    pieces += s.rowCounts[k] * Math.ceil(stored / clip);
  }
  return (columns * (valueBits(p) + p.deltaBits) + pieces * (64 + p.lanes * baseBits(s))) / 8;
}

/** Stored columns that only bridge gaps, per non-zero, without blocks of rows: the overhead in table 2 of the paper. */
function gapOverhead({ gaps, nnz }: MatrixStatistics, deltaBits: number): number {
  const reach = 2 ** deltaBits - 1;
  let padding = 0;
  for (let gap = reach + 1; gap < gaps.length; gap++) padding += gaps[gap] * (Math.ceil(gap / reach) - 1);
  return padding / Math.max(1, nnz);
}
