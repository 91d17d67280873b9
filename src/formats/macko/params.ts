import type { EffectiveDensityBounds, ParamSpec } from '../../core/format.ts';
import { type EntryType, Q4_SCALED_BITS, VALUE_BITS } from '../../core/number/index.ts';
import { fact, type NamedFact, type Stated, stated } from '../../core/story/stated.ts';

export type DeltaBits = 1 | 2 | 4 | 8;

export interface MackoParams {
  /** k: bits per stored delta; a delta reaches 2^k columns */
  readonly deltaBits: DeltaBits;
  readonly valueType: EntryType;
}

export const DELTA_BITS: readonly DeltaBits[] = [1, 2, 4, 8];

export const params: ParamSpec<MackoParams> = {
  deltaBits: {
    kind: 'choice',
    label: 'delta bits',
    meaning: 'Bits of a gap. More reach further; fewer cost less.',
    unit: 'bits',
    bitsOf: 'skips',
    default: 4,
    options: DELTA_BITS.map((value) => ({ value, label: String(value) })),
  },
  valueType: {
    kind: 'choice',
    label: 'values',
    meaning: 'i8 has a scale per row, i4 one per 32 entries.',
    default: 'f16',
    options: [
      { value: 'f16', label: 'f16' },
      { value: 'f32', label: 'f32' },
      { value: 'i8', label: 'i8, scale per row' },
      { value: 'i4', label: 'i4, scale per 32 entries', comparedWith: 'f16' },
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
 * (d + (1 - d) / 2^k) (b + k) / b. Where entries share scales, b above the line counts their part of one. There is no padding after the last non-zero of a row: see `paddingShare`.
 * Source: MACKO paper, section 3 and appendix A (whose density is printed upside down).
 */
export function effectiveDensity(
  d: number,
  { deltaBits, valueType }: MackoParams,
  { cols }: { readonly cols: number } = { cols: Infinity },
): EffectiveDensityBounds {
  const b = VALUE_BITS[valueType];
  const perEntry = ((valueType === 'i4' ? Q4_SCALED_BITS : b) + deltaBits) / b;
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
export function bestDeltaBits(d: number, valueType: MackoParams['valueType']): DeltaBits {
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

/** Mean gap that is expected: the columns up to the last non-zero of a row, as overhead on the non-zeros. At least 1. */
export function expectedGap(d: number, cols: number): number {
  if (cols === Infinity) return 1 / d;
  const behind = (-Math.expm1(cols * Math.log1p(-d)) * (1 - d)) / d;
  return Math.max(1, (cols - (d === 1 ? 0 : behind)) / (d * cols));
}

/** The purposes of its bytes, in words, for random positions. */
export function expectedReason(d: number, p: MackoParams, { cols }: { readonly cols: number }): Stated {
  if (d === 0) return sizeReason({ nnz: 0, padding: 0, gaps: 0 }, p);
  const zeros = paddingShare(d, reachOf(p.deltaBits), cols) / d;
  const skip = meanSkip(expectedGap(d, cols), ['empty column is', 'empty columns are']);
  const skipped = stated`on average ${skip} expected between weights; ${countsTo(p)}`;
  return zeros < FEW ? skipped : stated`${skipped}, with ${perWeight(zeros)} stored zeros per weight`;
}

/** Stored zeros per weight, below which a share says little. */
const FEW = 0.05;

/** The purposes of its bytes, in words. `gaps`: the sum of all gaps, in columns. */
export function sizeReason(
  { nnz, padding, gaps }: { readonly nnz: number; readonly padding: number; readonly gaps: number },
  p: Pick<MackoParams, 'deltaBits'>,
): Stated {
  if (nnz === 0) return stated`${bitsFact(p)} say how many columns are skipped before a weight`;
  const skipped = stated`on average ${meanSkip(gaps / nnz, ['empty column lies', 'empty columns lie'])} between weights; ${countsTo(p)}`;
  if (padding === 0) return skipped;
  const zeros =
    padding < FEW * nnz
      ? stated`${fact('padding', padding, 'count', ['stored zero', 'stored zeros'])} for ${fact('non-zeros', nnz, 'count', ['weight', 'weights'])}`
      : stated`${perWeight(padding / nnz)} stored zeros per weight`;
  return stated`${skipped}, with ${zeros}`;
}

/** Columns are skipped between neighbours that are a gap apart: one less. */
function meanSkip(gap: number, unit: readonly [one: string, several: string]): NamedFact {
  return fact('mean skip', gap - 1, 'mean', unit);
}

function perWeight(zeros: number): NamedFact {
  return fact('padding per non-zero', zeros, zeros < 1 ? 2 : 1);
}

function bitsFact({ deltaBits }: Pick<MackoParams, 'deltaBits'>): NamedFact {
  return fact('delta bits', deltaBits, 'count', ['bit', 'bits']);
}

/** How far a skip counts: '4 bits count to 15'. */
export function countsTo(p: Pick<MackoParams, 'deltaBits'>): Stated {
  const longest = fact('longest skip', reachOf(p.deltaBits) - 1);
  return stated`${bitsFact(p)} ${p.deltaBits === 1 ? 'counts' : 'count'} to ${longest}`;
}
