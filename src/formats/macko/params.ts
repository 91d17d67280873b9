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
    meaning: 'Bits for the gap to the next entry. More bits reach further; fewer bits cost less per entry.',
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
 * Effective density of values and deltas (row starts left out) at density d, value bits b and delta bits k.
 * best: no padding, d (b + k) / b. expected: non-zeros placed independently, so that a gap needs padding with
 * probability z = (1 - d)^(2^k): d (1 + z / (1 - z)) (b + k) / b. worst: all zeros of a row in one place,
 * (d + (1 - d) / 2^k) (b + k) / b.
 * Source: MACKO paper, section 3 and appendix A (whose density is printed upside down).
 */
export function effectiveDensity(d: number, { deltaBits, valueType }: MackoParams): EffectiveDensityBounds {
  const b = VALUE_BITS[valueType];
  const perEntry = (b + deltaBits) / b;
  const reach = reachOf(deltaBits);
  const z = (1 - d) ** reach;
  // As d goes to 0, d / (1 - z) goes to 1 / 2^k.
  const expected = d === 0 ? 0 : d + (d * z) / (1 - z);
  return { best: d * perEntry, expected: expected * perEntry, worst: (d + (1 - d) / reach) * perEntry };
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
