import { indexBits, type IndexBitsChoice, indexBitsFor } from '../../theory/index-bits.ts';
import type { EffectiveDensityBounds, ParamSpec, Shape } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { fact, type Stated, stated } from '../../core/story/stated.ts';

export interface EllParams {
  readonly valueType: 'f16' | 'f32';
  readonly indexBits: IndexBitsChoice;
}

export const params: ParamSpec<EllParams> = {
  valueType: {
    kind: 'choice',
    label: 'values',
    meaning: 'Half or single precision.',
    default: 'f16',
    options: [
      { value: 'f16', label: 'f16' },
      { value: 'f32', label: 'f32' },
    ],
  },
  indexBits,
};

/**
 * w / cols * (b + i) / b with w slots per row, value bits b and index bits i; without counts.
 * best: every row holds the mean, w = d * cols. worst: one row is full, w = cols. expected: the mean of the longest of
 * `rows` rows with independent non-zeros, by the binomial distribution. O(sqrt(cols)).
 */
export function effectiveDensity(
  density: number,
  { valueType, indexBits: choice }: EllParams,
  { rows, cols }: Shape,
): EffectiveDensityBounds {
  const b = VALUE_BITS[valueType];
  const perSlot = (b + indexBitsFor(choice, { cols })) / b;
  const expected = slotsPerCell(density, { rows, cols });
  return { best: density * perSlot, expected: expected * perSlot, worst: density === 0 ? 0 : perSlot };
}

/** The slots that are left empty, with their indices. O(sqrt(cols)). */
export function expectedZeroBits(density: number, { valueType, indexBits }: EllParams, shape: Shape): number {
  return (slotsPerCell(density, shape) - density) * (VALUE_BITS[valueType] + indexBitsFor(indexBits, shape));
}

function slotsPerCell(density: number, { rows, cols }: Shape): number {
  return cols === 0 ? 0 : expectedLongest(rows, cols, density) / cols;
}

/** Counts whose probability relative to the likeliest is smaller than this do not change the f64 result. */
const UNLIKELY = 1e-24;

/**
 * Mean of the largest of `rows` binomial(cols, p) numbers: the sum over k of P(largest > k) = 1 - F(k)^rows.
 * Probabilities of neighbours follow from each other, outwards from the likeliest count. O(sqrt(cols)).
 */
export function expectedLongest(rows: number, cols: number, p: number): number {
  if (rows === 0 || p <= 0) return 0;
  if (p >= 1) return cols;
  const odds = p / (1 - p);
  const likeliest = Math.min(cols, Math.floor((cols + 1) * p));
  let first = likeliest;
  let lowest = 1;
  let total = 0;
  for (let term = 1; first > 0; first--) {
    term *= first / ((cols - first + 1) * odds);
    if (term < UNLIKELY) break;
    lowest = term;
    total += term;
  }
  for (let k = likeliest, term = 1; k <= cols && term >= UNLIKELY; k++) {
    total += term;
    term *= ((cols - k) / (k + 1)) * odds;
  }
  // With a share of shorter rows below this, some row is longer: F^rows is at most exp(-40), which f64 does not see beside 1.
  const surely = Math.exp(-40 / rows);
  // Every row is longer than the counts before the first.
  let mean = first;
  let below = 0;
  for (let k = first, term = lowest; k < cols; k++) {
    below += term / total;
    // 1 - F^rows without loss of precision for a tail close to 0
    if (below < 1) mean += below <= surely ? 1 : -Math.expm1(rows * Math.log(below));
    term *= ((cols - k) / (k + 1)) * odds;
    if (k > likeliest && term < UNLIKELY) break;
  }
  return mean;
}

/** counts. */
export function overheadBits(_p: EllParams, { rows }: Shape): number {
  return 32 * rows;
}

/** What it spends bytes on, for random positions. O(sqrt(cols)). */
export function expectedReason(density: number, _p: EllParams, { rows, cols }: Shape): Stated {
  const longest = fact('slots of a row', expectedLongest(rows, cols, density));
  return stated`rows padded to the longest: ${longest} of ${fact('columns', cols)} expected, where the mean is ${fact('mean row', density * cols, 'mean')}`;
}
