import type { EffectiveDensityBounds, ParamSpec, Placement, Shape } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { binomialTail } from '../../theory/overflow-odds.ts';
import { HARDWARE_2_4, storedShare } from '../../theory/sliding-sizes.ts';
import { fact, type Stated, stated } from '../../core/text/stated.ts';
import { valueTypeParam } from '../../theory/shared-params.ts';

/** N of the pattern (2N-2):2N; 2 is plain 2:4. */
export type HalfGroup = 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The parameters of SlideSparse. */
export interface SlideSparseParams {
  /** N: a group is 2N columns wide with at most 2N - 2 non-zeros */
  readonly halfGroup: HalfGroup;
  readonly valueType: 'f16' | 'i8';
}

export const HALF_GROUPS: readonly HalfGroup[] = [2, 3, 4, 5, 6, 7, 8];

/** Columns of a window, as 2:4 hardware has it. */
export const WINDOW = 4;
/** Values that a window stores. */
export const KEPT = 2;
/** Columns from the start of a window to the start of the next. */
export const STRIDE = 2;

/** Bits of metadata for a kept slot: its position in the window. */
export const METADATA_BITS = 2;

/** The choices of SlideSparse as fields of a form, with labels and defaults. */
export const params: ParamSpec<SlideSparseParams> = {
  halfGroup: {
    kind: 'choice',
    label: 'pattern',
    meaning: 'Non-zeros allowed per group, which slides into 2:4 windows.',
    default: 4,
    comparedOn: {
      kept: 2,
      group: 4,
      note: 'Of this shape, with exactly 2:4: how full groups are does not matter.',
    },
    options: HALF_GROUPS.map((value) => ({ value, label: patternName(value) })),
  },
  valueType: valueTypeParam('i8 has one scale per row.', ['f16', 'i8']),
};

/** '6:8' for N = 4. */
export function patternName(halfGroup: HalfGroup): string {
  return `${2 * halfGroup - 2}:${2 * halfGroup}`;
}

/** Number of windows of a group: N - 1. */
export function windowsPerGroup({ halfGroup }: { halfGroup: HalfGroup }): number {
  return halfGroup - 1;
}

/** Bytes of values and metadata divided by the bytes of dense, without scales and the padding of rows: 0.84 for 6:8 in f16. */
export function storedShareOf({ halfGroup, valueType }: SlideSparseParams): number {
  return storedShare(2 * halfGroup, HARDWARE_2_4, VALUE_BITS[valueType]);
}

/**
 * Effective density of a matrix of the pattern: every window stores two slots, zeros or not, so best, expected
 * and worst are the same at every density; a denser matrix has to be pruned to the pattern first.
 */
export function effectiveDensity(_density: number, p: SlideSparseParams): EffectiveDensityBounds {
  const share = storedShareOf(p);
  return { best: share, expected: share, worst: share };
}

/** Expected bits per cell of the slots without a non-zero, with their metadata. */
export function expectedZeroBits(density: number, p: SlideSparseParams): number {
  const slots = (KEPT * windowsPerGroup(p)) / (2 * p.halfGroup);
  return Math.max(0, slots - density) * (VALUE_BITS[p.valueType] + METADATA_BITS);
}

/** The pattern that a matrix must have: at most `kept` non-zeros in each `group` of columns. */
export function requiredPruning({ halfGroup }: SlideSparseParams): { readonly kept: number; readonly group: number } {
  return { kept: 2 * halfGroup - 2, group: 2 * halfGroup };
}

/** Bits of the windows that pad the last group and the last word of a row, and of the scales of i8. */
export function overheadBits(p: SlideSparseParams, { rows, cols }: Shape): number {
  const usedWindows = Math.ceil(cols / (2 * p.halfGroup)) * windowsPerGroup(p);
  const windows = Math.ceil(usedWindows / 8) * 8; // a word of metadata has eight windows
  const stored = windows * KEPT * (VALUE_BITS[p.valueType] + METADATA_BITS);
  const withoutPadding = storedShareOf(p) * cols * VALUE_BITS[p.valueType];
  return rows * (stored - withoutPadding + (p.valueType === 'i8' ? 32 : 0));
}

/** Probability that every group of a random matrix has at least two zeros. */
export function admissionOdds(
  density: number,
  p: SlideSparseParams,
  { rows, cols }: Shape,
  placement: Placement,
): number {
  const group = 2 * p.halfGroup;
  if (placement === 'even') return Math.ceil(density * group - 1e-9) <= group - 2 ? 1 : 0;
  const odds = binomialTail(group, density, group - 2);
  return Math.exp(rows * Math.ceil(cols / group) * Math.log1p(-odds));
}

/** Why a SlideSparse matrix has its size, in words: slots per group, and how many of them are used. */
export function sizeReason(
  { rows, cols, nnz }: { rows: number; cols: number; nnz: number },
  p: Pick<SlideSparseParams, 'halfGroup'>,
): Stated {
  const group = 2 * p.halfGroup;
  const perGroup = nnz / Math.max(1, rows * Math.ceil(cols / group));
  const slots = fact('slots of a group', 2 * windowsPerGroup(p));
  const columns = fact('columns of a group', group);
  const weights = fact('non-zeros per group', perGroup, 'mean', ['is', 'are']);
  return perGroup === slots.value
    ? stated`${slots} of every ${columns} columns have a weight`
    : stated`up to ${slots} weights in every ${columns} columns; ${weights} used on average`;
}

/** `sizeReason` of a matrix that was not encoded, from its density. */
export function expectedReason(density: number, p: SlideSparseParams, { rows, cols }: Shape): Stated {
  return sizeReason({ rows, cols, nnz: density * rows * cols }, p);
}
