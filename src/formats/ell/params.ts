import { indexBits, type IndexBitsChoice, indexBitsFor } from '../../theory/index-bits.ts';
import type { EffectiveDensityBounds, ParamSpec, Shape } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { countText } from '../../core/story/words.ts';

export interface EllParams {
  readonly valueType: 'f16' | 'f32';
  readonly indexBits: IndexBitsChoice;
}

export const params: ParamSpec<EllParams> = {
  valueType: {
    kind: 'choice',
    label: 'values',
    meaning: 'How a non-zero is stored: half or single precision.',
    default: 'f16',
    options: [
      { value: 'f16', label: 'f16' },
      { value: 'f32', label: 'f32' },
    ],
  },
  indexBits,
};

/**
 * w / cols * (b + i) / b with w slots per row, value bits b and index bits i; counts are left out.
 * best: every row holds the mean, w = d * cols. worst: one row is full, w = cols. expected: the mean of the longest of
 * `rows` rows whose non-zeros fall independently, by the binomial distribution. O(cols).
 */
export function effectiveDensity(
  density: number,
  { valueType, indexBits: choice }: EllParams,
  { rows, cols }: Shape,
): EffectiveDensityBounds {
  const b = VALUE_BITS[valueType];
  const perSlot = (b + indexBitsFor(choice, { cols })) / b;
  const expected = cols === 0 ? 0 : expectedLongest(rows, cols, density) / cols;
  return { best: density * perSlot, expected: expected * perSlot, worst: density === 0 ? 0 : perSlot };
}

/** Mean of the largest of `rows` binomial(cols, p) numbers: the sum over k of P(largest > k) = 1 - F(k)^rows. O(cols). */
export function expectedLongest(rows: number, cols: number, p: number): number {
  if (rows === 0 || p <= 0) return 0;
  if (p >= 1) return cols;
  // log of P(count = k), by the ratio of neighbours, so that nothing underflows before it is added up.
  let logTerm = cols * Math.log1p(-p);
  const logOdds = Math.log(p) - Math.log1p(-p);
  let below = 0;
  let mean = 0;
  for (let k = 0; k < cols; k++) {
    const term = Math.exp(logTerm);
    below += term;
    // From here on every row is shorter, to the last digit of f64.
    if (k > cols * p && term < 1e-22) break;
    // 1 - F^rows without losing the digits of a tail that is close to 0
    mean += below >= 1 ? 0 : -Math.expm1(rows * Math.log(below));
    logTerm += Math.log((cols - k) / (k + 1)) + logOdds;
  }
  return mean;
}

/** counts. */
export function overheadBits(_p: EllParams, { rows }: Shape): number {
  return 32 * rows;
}

/** What it spends bytes on. O(cols). */
export function sizeReason(density: number, _p: EllParams, { rows, cols }: Shape): string {
  const longest = countText(Math.round(expectedLongest(rows, cols, density)));
  return `rows padded to the longest: ${longest} of ${countText(cols)}, where the mean is ${countText(Math.round(density * cols))}`;
}
