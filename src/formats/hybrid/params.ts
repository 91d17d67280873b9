import type { EffectiveDensityBounds, ParamSpec, Placement, Shape } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { binomialTail } from '../../theory/overflow-odds.ts';
import { fact, type Stated, stated } from '../../core/text/stated.ts';
import { valueTypeParam } from '../../theory/shared-params.ts';

/** The parameters of the hybrid of ELL and a dense tail. */
export interface HybridParams {
  /** W: a row with more non-zeros goes to the tail */
  readonly rowSlots: 4 | 32 | 128 | 256 | 512;
  /** the tail has one row for this many rows */
  readonly tailShare: 1 | 2 | 8;
  readonly valueType: 'bf16';
}

/** Values of `rowSlots`, from the fewest slots on. */
export const ROW_SLOTS: readonly HybridParams['rowSlots'][] = [4, 32, 128, 256, 512];
/** Values of `tailShare` from the smallest tail to one that fits every row. */
export const TAIL_SHARES: readonly HybridParams['tailShare'][] = [8, 2, 1];

/** Columns that a 16-bit index can number. */
export const MAX_COLUMNS = 65536;

/** The capacity of the tail as text. */
export function tailShareText(tailShare: HybridParams['tailShare']): string {
  return tailShare === 1 ? 'all rows' : `1/${tailShare} of the rows`;
}

/** The parameters as fields of a form, with labels and defaults. */
export const params: ParamSpec<HybridParams> = {
  rowSlots: {
    kind: 'choice',
    label: 'row slots',
    meaning: 'Most non-zeros of a compact row; longer ones go into the dense tail.',
    unit: 'slots',
    default: 128,
    storyDefault: 4,
    decidesCapacity: true,
    options: ROW_SLOTS.map((value) => ({ value, label: String(value) })),
  },
  tailShare: {
    kind: 'choice',
    label: 'tail',
    meaning: 'Capacity of the dense tail.',
    default: 8,
    storyDefault: 2,
    options: TAIL_SHARES.map((value) => ({ value, label: tailShareText(value) })),
  },
  valueType: valueTypeParam('bf16: the exponent range of f32, 8 significant bits.', ['bf16']),
};

/** The next larger parameters: more slots, else a larger tail; null if every row fits in the tail. */
export function larger(p: HybridParams): HybridParams | null {
  const rowSlots = ROW_SLOTS.find((slots) => slots > p.rowSlots);
  if (rowSlots !== undefined) return { ...p, rowSlots };
  const tailShare = TAIL_SHARES.find((share) => share < p.tailShare);
  return tailShare === undefined ? null : { ...p, tailShare };
}

/** Slots of a row: W, or all columns if there are fewer. */
export function slotsOf(cols: number, { rowSlots }: Pick<HybridParams, 'rowSlots'>): number {
  return Math.min(rowSlots, cols);
}

/** Capacity of the tail in rows: none if no row can be longer than its slots. */
export function tailCapacityOf(
  rows: number,
  cols: number,
  { rowSlots, tailShare }: Pick<HybridParams, 'rowSlots' | 'tailShare'>,
): number {
  return cols > rowSlots ? Math.ceil(rows / tailShare) : 0;
}

/**
 * Bits of slots and tail relative to the dense matrix in bf16, without counts and maps. best: the fixed capacity of the
 * tail suffices. expected: if independent non-zeros make more rows too long, the tail grows to fit these. worst: all
 * rows are in the tail. O(cols).
 */
export function effectiveDensity(density: number, p: HybridParams, { rows, cols }: Shape): EffectiveDensityBounds {
  if (rows * cols === 0) return { best: 0, expected: 0, worst: 0 };
  const valueBits = VALUE_BITS[p.valueType];
  const slots = (slotsOf(cols, p) * (valueBits + 16)) / (cols * valueBits);
  if (cols <= p.rowSlots) return { best: slots, expected: slots, worst: slots };
  const tail = tailCapacityOf(rows, cols, p) / rows;
  const needed = binomialTail(cols, density, p.rowSlots);
  return { best: slots + tail, expected: slots + Math.max(tail, needed), worst: slots + 1 };
}

/** Bits of counts, tailMap and tailRows. */
export function overheadBits(p: HybridParams, { rows, cols }: Shape): number {
  return 64 * rows + 32 * tailCapacityOf(rows, cols, p);
}

/** Probability that all long rows fit in the tail. O(rows + cols). */
export function admissionOdds(density: number, p: HybridParams, { rows, cols }: Shape, placement: Placement): number {
  if (cols > MAX_COLUMNS) return 0;
  if (cols <= p.rowSlots) return 1;
  const tailRows = tailCapacityOf(rows, cols, p);
  if (placement === 'even') return Math.ceil(density * cols - 1e-9) <= p.rowSlots || tailRows >= rows ? 1 : 0;
  return 1 - binomialTail(rows, binomialTail(cols, density, p.rowSlots), tailRows);
}

/** Why a matrix with non-zeros at random positions has its expected size, in words. O(cols). */
export function expectedReason(density: number, p: HybridParams, { cols }: { readonly cols: number }): Stated {
  const long = fact('share of long rows', binomialTail(cols, density, p.rowSlots), 'share');
  const available = p.tailShare === 1 ? stated`all` : stated`1/${fact('rows for each row of the tail', p.tailShare)}`;
  return stated`${long} of the rows are expected to be longer than ${fact('slots of a row', p.rowSlots)} and dense in the tail, which has space for ${available}`;
}
