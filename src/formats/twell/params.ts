import type { EffectiveDensityBounds, ParamSpec, Placement, Shape } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { rowOverflowProbability } from '../../theory/overflow-odds.ts';
import { fact, type Stated, stated } from '../../core/text/stated.ts';
import { valueTypeParam } from '../../theory/shared-params.ts';

export type TileWidth = 8 | 16 | 32 | 64 | 128 | 256;
/** Parameters of the TwELL format. */
export interface TwellParams {
  /** packed: count, value, column in 32-bit words (TwELL paper, listing 1). split: separate arrays (Algorithm 1) */
  readonly layout: 'packed' | 'split';
  /** T: columns of a tile */
  readonly tileWidth: TileWidth;
  /** C: a tile row of T columns has T / C slots */
  readonly compression: 2 | 4 | 8;
  readonly valueType: 'bf16';
}

export const TILE_WIDTHS: readonly TileWidth[] = [8, 16, 32, 64, 128, 256];
/** From the fewest slots to the most. */
export const COMPRESSIONS: readonly TwellParams['compression'][] = [8, 4, 2];

/** The form fields of these parameters, with labels and defaults. */
export const params: ParamSpec<TwellParams> = {
  layout: {
    kind: 'choice',
    label: 'layout',
    meaning: 'Packed: count, values and columns in one matrix of 32-bit words. Split: an array for each.',
    default: 'packed',
    options: [
      { value: 'packed', label: 'packed' },
      { value: 'split', label: 'split' },
    ],
  },
  tileWidth: {
    kind: 'choice',
    label: 'tile',
    meaning: 'Columns of an output tile of the gate GEMM.',
    unit: 'columns',
    default: 256,
    storyDefault: 8,
    options: TILE_WIDTHS.map((value) => ({ value, label: String(value) })),
  },
  compression: {
    kind: 'choice',
    label: 'compression',
    meaning: 'Columns per slot of a tile row. A tile row with more non-zeros than slots is rejected.',
    default: 8,
    storyDefault: 2,
    decidesCapacity: true,
    options: COMPRESSIONS.toReversed().map((value) => ({ value, label: `${value} : 1` })),
  },
  valueType: valueTypeParam('bf16: the exponent range of f32, 8 significant bits.', ['bf16']),
};

/** T / C: slots of a tile row. */
export function slotsOf({ tileWidth, compression }: Pick<TwellParams, 'tileWidth' | 'compression'>): number {
  return tileWidth / compression;
}

/** Non-zeros that fit in a tile row: the first word of the packed layout is the count. */
export function capacityOf(p: Pick<TwellParams, 'layout' | 'tileWidth' | 'compression'>): number {
  return slotsOf(p) - (p.layout === 'packed' ? 1 : 0);
}

/** Why no non-zero fits in a tile row; null if one does. */
export function unusable(p: TwellParams): string | null {
  if (capacityOf(p) > 0) return null;
  return `the one word of a tile row of ${p.tileWidth} columns with compression ${p.compression} is its count`;
}

/** Tiles of a row; the last may be narrower. */
export function tilesOf(cols: number, { tileWidth }: Pick<TwellParams, 'tileWidth'>): number {
  return Math.ceil(cols / tileWidth);
}

/** Bits of a slot: value and column in a word, or 16 bits of value and 32 of column. */
function slotBits({ layout }: TwellParams): number {
  return layout === 'packed' ? 32 : 48;
}

/**
 * Bits of slots and counts, full or empty, divided by the bits of the dense bf16 matrix. best: no tile row overflows.
 * worst: every row has one that does, and is stored dense, as in the hybrid format. expected: rows overflow with the
 * probability for independent non-zeros. O(tileWidth).
 */
export function effectiveDensity(
  density: number,
  p: TwellParams,
  { cols }: { readonly cols: number },
): EffectiveDensityBounds {
  if (cols === 0) return { best: 0, expected: 0, worst: 0 };
  const tileRowBits = slotsOf(p) * slotBits(p) + (p.layout === 'split' ? 32 : 0);
  const best = (tilesOf(cols, p) * tileRowBits) / (cols * VALUE_BITS[p.valueType]);
  const worst = Math.max(best, 1);
  const odds = rowOverflowProbability({ cols, width: p.tileWidth, capacity: capacityOf(p) }, density * cols);
  return { best, expected: best + odds * (worst - best), worst };
}

/** Probability that no tile row overflows, for non-zeros at independent positions or ('even') spread by N:M pruning. */
export function admissionOdds(density: number, p: TwellParams, { rows, cols }: Shape, placement: Placement): number {
  // N:M pruning spreads non-zeros evenly over the tile rows. 1e-9 keeps rounding errors from adding one more.
  if (placement === 'even') return Math.ceil(density * p.tileWidth - 1e-9) <= capacityOf(p) ? 1 : 0;
  const odds = rowOverflowProbability({ cols, width: p.tileWidth, capacity: capacityOf(p) }, density * cols);
  return Math.exp(rows * Math.log1p(-odds));
}

/** Why a TwELL matrix has its size, in words. */
export function sizeReason(
  { rows, cols, nnz }: { rows: number; cols: number; nnz: number },
  p: Pick<TwellParams, 'layout' | 'tileWidth' | 'compression'>,
): Stated {
  const perTileRow = nnz / Math.max(1, rows * tilesOf(cols, p));
  const space = fact('places of a tile row', capacityOf(p), 'count', ['value', 'values']);
  const used = fact('non-zeros per tile row', perTileRow, 'mean', ['is used', 'are used']);
  return stated`up to ${space} in every ${fact('columns of a tile', p.tileWidth)} columns; ${used} on average`;
}

/** `sizeReason` of a matrix that is not encoded, from its density. */
export function expectedReason(density: number, p: TwellParams, { rows, cols }: Shape): Stated {
  return sizeReason({ rows, cols, nnz: density * rows * cols }, p);
}
