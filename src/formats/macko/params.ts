import type { EffectiveDensityBounds, ParamSpec } from '../../core/format.ts';
import { VALUE_BITS, type ValueType } from '../../core/number/index.ts';

export type DeltaBits = 1 | 2 | 4 | 8;

export interface MackoParams {
  /** k: bits per stored delta; a delta reaches 2^k columns */
  readonly deltaBits: DeltaBits;
  readonly valueType: ValueType;
}

export const DELTA_BITS: readonly DeltaBits[] = [1, 2, 4, 8];

export const params: ParamSpec<MackoParams> = {
  deltaBits: {
    kind: 'choice',
    label: 'delta bits',
    meaning: 'Bits for the gap to the next entry. More bits reach further; fewer cost less per entry.',
    unit: 'bits',
    default: 4,
    options: DELTA_BITS.map((value) => ({ value, label: String(value) })),
  },
  valueType: {
    kind: 'choice',
    label: 'values',
    meaning: 'How each value is stored. i8 is a signed byte times one scale per row.',
    default: 'f16',
    options: [
      { value: 'f16', label: 'f16' },
      { value: 'f32', label: 'f32' },
      { value: 'i8', label: 'i8, scale per row' },
    ],
  },
};

/** Number of columns that one stored delta reaches: 2^k. */
export function reachOf(deltaBits: DeltaBits): number {
  return 1 << deltaBits;
}

/**
 * Effective density of values and deltas (without row starts) at density d, value bits b and delta bits k.
 * best: no padding, d (b + k) / b. expected: non-zeros placed independently, so that a gap needs padding with
 * probability z = (1 - d)^(2^k): d (1 + z / (1 - z)) (b + k) / b in a long row. worst: all zeros of a row are adjacent,
 * (d + (1 - d) / 2^k) (b + k) / b. There is no padding after the last non-zero of a row: see `paddingShare`.
 * Source: MACKO paper, section 3 and appendix A (whose density is printed upside down).
 */
export function effectiveDensity(
  d: number,
  { deltaBits, valueType }: MackoParams,
  { cols }: { readonly cols: number } = { cols: Infinity },
): EffectiveDensityBounds {
  const b = VALUE_BITS[valueType];
  const perEntry = (b + deltaBits) / b;
  const reach = reachOf(deltaBits);
  const expected = d + paddingShare(d, reach, cols);
  return { best: d * perEntry, expected: expected * perEntry, worst: (d + (1 - d) / reach) * perEntry };
}

/** Padding, with its deltas. */
export function expectedZeroBits(
  d: number,
  { deltaBits, valueType }: MackoParams,
  { cols }: { readonly cols: number },
): number {
  return paddingShare(d, reachOf(deltaBits), cols) * (VALUE_BITS[valueType] + deltaBits);
}

/**
 * Expected padding of a row over its n columns: d times the sum over k >= 1, k r < n of z^k (1 - k r / n), with reach r
 * and z = (1 - d)^r. Padding occurs k reaches after a non-zero, or after the start of the row, if k r zeros follow it
 * and another non-zero comes later; the two terms for the cases without a later one cancel out. d z / (1 - z) for
 * infinitely long rows. O(min(n / r, 1 / (d r))).
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

/** The delta width with the least expected effective density at this density. */
export function bestDeltaBits(d: number, valueType: ValueType): DeltaBits {
  let best = DELTA_BITS[0];
  for (const deltaBits of DELTA_BITS) {
    const size = effectiveDensity(d, { deltaBits, valueType }).expected;
    if (size < effectiveDensity(d, { deltaBits: best, valueType }).expected) best = deltaBits;
  }
  return best;
}

/** indptr, and the scales of i8. */
export function overheadBits({ valueType }: MackoParams, { rows }: { readonly rows: number }): number {
  return 32 * (rows + 1) + (valueType === 'i8' ? 32 * rows : 0);
}

/** The purposes of its bytes, in words. */
export function sizeReason(d: number, { deltaBits }: MackoParams, { cols }: { readonly cols: number }): string {
  if (d === 0) return `${deltaBits} bits say how far the next entry is`;
  const reach = reachOf(deltaBits);
  const padding = paddingShare(d, reach, cols) / d;
  const bits = `${deltaBits} ${deltaBits === 1 ? 'bit' : 'bits'}, which reach ${reach}`;
  const gap = (1 / d).toFixed(1);
  return padding < 0.05
    ? `the mean gap of ${gap} fits ${bits}`
    : `${padding.toFixed(padding < 1 ? 2 : 1)} padding entries per non-zero: the mean gap is ${gap}, with ${bits}`;
}
