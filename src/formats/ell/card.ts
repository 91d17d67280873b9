import type { FormatCard, Shape } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { fact, stated } from '../../core/text/stated.ts';
import { expectedLongestRow } from '../../core/statistics/longest-row.ts';
import { indexBitsFor } from '../../theory/shared-params.ts';
import type { FormatStory } from '../../story/format-story.ts';
import { type EllParams, params } from './params.ts';

/** Expected slots (entries, padding included) per cell of the matrix. */
function slotsPerCell(density: number, { rows, cols }: Shape): number {
  return cols === 0 ? 0 : expectedLongestRow(rows, cols, density) / cols;
}

/** Bits of a slot: value and column number. */
const bitsOfSlot = ({ valueType, indexBits }: EllParams, { cols }: Shape): number =>
  VALUE_BITS[valueType] + indexBitsFor(indexBits, { cols });

/** ELLPACK-R: rows padded to the longest, stored slot by slot, so that neighbouring lanes read neighbouring words. */
export const card: FormatCard<EllParams, FormatStory<EllParams>> = {
  id: 'ell',
  title: 'ELL',
  summary: 'Rows pushed to the left and padded to the longest, stored slot by slot.',
  shortSummary: 'Every row padded to the longest.',
  group: 'classic',
  searchWords: 'ellpack, itpack, padded rows',
  source: {
    title: 'A new approach for sparse matrix vector product on NVIDIA GPUs',
    authors: 'F. Vázquez, J. J. Fernández, E. M. Garzón',
    year: 2011,
    url: 'https://doi.org/10.1002/cpe.1658',
  },
  bestExample: { id: 'laplacian-32x32', what: 'rows of equal length' },
  params,
  colors: { light: '#079CCD', dark: '#9FD5EF' },
  effort: 4, // encoding time relative to CSR
  // best: all rows equally long. worst: one row is full. expected: the longest row of independent non-zeros, by the
  // binomial distribution, in O(sqrt(cols)).
  expectedEffectiveDensity(density, p, shape) {
    const perSlot = bitsOfSlot(p, shape) / VALUE_BITS[p.valueType];
    const expected = slotsPerCell(density, shape) * perSlot;
    return { best: density * perSlot, expected, worst: density === 0 ? 0 : perSlot };
  },
  expectedZeroBits: (density, p, shape) => (slotsPerCell(density, shape) - density) * bitsOfSlot(p, shape),
  // a u32 for each row: its number of entries
  overheadBits: (_, { rows }) => 32 * rows,
  expectedReason(density, _, { rows, cols }) {
    const longest = fact('slots of a row', expectedLongestRow(rows, cols, density));
    return stated`rows padded to the longest: ${longest} of ${fact('columns', cols)} expected, where the mean is ${fact('mean row', density * cols, 'mean')}`;
  },
  story: () => import('./story/index.ts').then((m) => m.story),
};
