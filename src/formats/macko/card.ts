import type { EffectiveDensityBounds, FormatCard } from '../../core/format.ts';
import { Q4_SCALED_BITS, VALUE_BITS } from '../../core/number/index.ts';
import { type Stated, stated } from '../../core/text/stated.ts';
import { counted } from '../../core/text/words.ts';
import type { FormatStory } from '../../story/format-story.ts';
import {
  skipLimit,
  emptyReason,
  FEW_ZEROS,
  type MackoParams,
  meanSkip,
  params,
  zerosPerWeight,
  reachOf,
} from './params.ts';

/**
 * Effective density of values and deltas (without row starts) at density d, value bits b and delta bits k.
 * best: no padding, d (b + k) / b. expected: non-zeros placed independently, so that a gap needs padding with
 * probability z = (1 - d)^(2^k): d (1 + z / (1 - z)) (b + k) / b in a long row. worst: all zeros of a row are adjacent,
 * (d + (1 - d) / 2^k) (b + k) / b. Where entries share a scale, b in the numerator includes
 * an entry's part of it. There is no padding after the last non-zero of a row: see `paddingShare`.
 * Source: MACKO paper, section 3 and appendix A (where the fraction is printed inverted).
 */
function effectiveDensity(
  d: number,
  { deltaBits, valueType }: MackoParams,
  { cols }: { readonly cols: number },
): EffectiveDensityBounds {
  const b = VALUE_BITS[valueType];
  const perEntry = ((valueType === 'i4' ? Q4_SCALED_BITS : b) + deltaBits) / b;
  const reach = reachOf(deltaBits);
  const expected = d + paddingShare(d, reach, cols);
  return { best: d * perEntry, expected: expected * perEntry, worst: (d + (1 - d) / reach) * perEntry };
}

/** Expected bits of padding per cell, with its deltas. */
function expectedZeroBits(d: number, { deltaBits, valueType }: MackoParams, { cols }: { readonly cols: number }) {
  return paddingShare(d, reachOf(deltaBits), cols) * (VALUE_BITS[valueType] + deltaBits);
}

/**
 * Expected stored zeros per cell in a row of n columns: d times the sum over k >= 1, k r < n of z^k (1 - k r / n),
 * with z = (1 - d)^r and r, the widest gap without padding. Padding occurs k r columns after a non-zero, or after the
 * start of the row, if k r zeros follow it and another non-zero comes later; the two terms for the cases without a
 * later non-zero cancel out. d z / (1 - z) for infinitely long rows. O(min(n / r, 1 / (d r))).
 */
function paddingShare(d: number, reach: number, cols: number): number {
  if (d <= 0) return 0;
  const z = (1 - d) ** reach;
  if (cols === Infinity) return (d * z) / (1 - z);
  let sum = 0;
  for (let k = 1, power = z; k * reach < cols && power > 1e-12; k++, power *= z)
    sum += power * (1 - (k * reach) / cols);
  return d * sum;
}

/** Bits of indptr, and of the scales of i8. */
function overheadBits({ valueType }: MackoParams, { rows }: { readonly rows: number }): number {
  return 32 * (rows + 1) + (valueType === 'i8' ? 32 * rows : 0);
}

/** Expected mean gap: columns up to the last non-zero of a row, divided by the number of non-zeros. At least 1. */
export function expectedGap(d: number, cols: number): number {
  if (cols === Infinity) return 1 / d;
  const columnsAfterLast = (-Math.expm1(cols * Math.log1p(-d)) * (1 - d)) / d;
  return Math.max(1, (cols - (d === 1 ? 0 : columnsAfterLast)) / (d * cols));
}

/** Why a matrix with non-zeros at random positions has its expected size, in words. */
function expectedReason(d: number, p: MackoParams, { cols }: { readonly cols: number }): Stated {
  if (d === 0) return emptyReason(p);
  const zeros = paddingShare(d, reachOf(p.deltaBits), cols) / d;
  const skip = meanSkip(expectedGap(d, cols), ['empty column is', 'empty columns are']);
  const skipped = stated`on average ${skip} expected between weights; ${skipLimit(p)}`;
  return zeros < FEW_ZEROS ? skipped : stated`${skipped}, with ${zerosPerWeight(zeros)} stored zeros per weight`;
}

/** MACKO's entry in the list of formats: values with short skips between columns, for sparsity of 30 to 90 %. */
export const card: FormatCard<MackoParams, FormatStory<MackoParams>> = {
  id: 'macko',
  title: 'MACKO',
  summary: 'Values with short skips; a zero is stored where a skip is too long.',
  shortSummary: 'Each weight with the columns skipped before it.',
  group: 'pruned weights',
  searchWords: 'gaps, deltas, delta4, padding, unstructured',
  source: {
    title: 'MACKO: Sparse Matrix-Vector Multiplication for Low Sparsity',
    authors: 'Vladimír Macko, Vladimír Boža',
    year: 2025,
    url: 'https://arxiv.org/abs/2511.13061',
  },
  bestExample: { id: 'digits-fc2-70', what: 'weights, three in ten left' },
  headline: {
    name: 'MACKO',
    does: 'counts skips',
    invites: 'count the gaps',
    storedPerWeight: {
      says: ({ deltaBits }) => `how many columns are skipped before it, ${counted(deltaBits, 'bit')}`,
      // The deltas of the padding before the weight, then the delta of the weight.
      of: (skipped, { deltaBits }) => {
        const reach = reachOf(deltaBits);
        return [...Array<number>(Math.floor(skipped / reach)).fill(reach - 1), skipped % reach];
      },
    },
  },
  colors: { light: '#287E68', dark: '#4ACAA8' },
  params,
  effort: 1.5, // encoding time, CSR is 1
  examples: [
    {
      id: 'macko-fig-3',
      title: 'Figure 3 of the paper, 2-bit deltas',
      params: { deltaBits: 2, valueType: 'f16' },
    },
    {
      id: 'macko-authors-test',
      title: 'The authors’ own test, 4-bit deltas',
      params: { deltaBits: 4, valueType: 'f16' },
    },
  ],
  expectedEffectiveDensity: effectiveDensity,
  expectedZeroBits,
  overheadBits,
  expectedReason,
  published: () => import('./published.ts').then((m) => m.published),
  story: () => import('./story/index.ts').then((m) => m.story),
};
