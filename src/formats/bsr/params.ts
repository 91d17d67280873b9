import type { EffectiveDensityBounds, ParamSpec } from '../../core/format.ts';
import { VALUE_BITS, type ValueType } from '../../core/number/index.ts';
import { fact, type Stated, stated } from '../../core/story/stated.ts';

export type BlockSize = 2 | 4 | 8 | 16;

export interface BsrParams {
  /** S: rows and columns of a block */
  readonly blockSize: BlockSize;
  readonly valueType: ValueType;
}

export const BLOCK_SIZES: readonly BlockSize[] = [2, 4, 8, 16];

/** Bits of a block column in `indices`. */
export const INDEX_BITS = 32;

export const params: ParamSpec<BsrParams> = {
  blockSize: {
    kind: 'choice',
    label: 'block size',
    meaning: 'Larger blocks need fewer indices but store more zeros.',
    default: 4,
    options: BLOCK_SIZES.map((value) => ({ value, label: `${value} × ${value}` })),
  },
  valueType: {
    kind: 'choice',
    label: 'values',
    meaning: 'i8 has a scale per row.',
    default: 'f16',
    options: [
      { value: 'f16', label: 'f16' },
      { value: 'f32', label: 'f32' },
      { value: 'i8', label: 'i8, scale per row' },
    ],
  },
};

/**
 * Effective density of blocks and their indices (indptr, scales and the edges of shapes that blocks do not divide are
 * left out) at density d, value bits b and block size S; a stored block of S² cells costs S² b + 32 bits.
 * best: every block that holds anything is full, a share d of all blocks. expected: non-zeros placed independently, so
 * that a block holds something with probability 1 - (1 - d)^(S²). worst: every non-zero has a block to itself, until
 * all blocks are stored: min(1, d S²). O(1).
 */
export function effectiveDensity(density: number, p: BsrParams): EffectiveDensityBounds {
  const cells = p.blockSize ** 2;
  const perCell = 1 + INDEX_BITS / (cells * VALUE_BITS[p.valueType]);
  return {
    best: density * perCell,
    expected: storedShare(density, p) * perCell,
    worst: Math.min(1, density * cells) * perCell,
  };
}

/** The cells of blocks that hold something: 1 - (1 - d)^cells, without loss of precision for small d. */
function storedShare(density: number, { blockSize }: BsrParams): number {
  return -Math.expm1(blockSize ** 2 * Math.log1p(-density));
}

/** The zeros in those blocks. */
export function expectedZeroBits(density: number, p: BsrParams): number {
  return (storedShare(density, p) - density) * VALUE_BITS[p.valueType];
}

/** indptr, and the scales of i8. */
export function overheadBits({ blockSize, valueType }: BsrParams, { rows }: { readonly rows: number }): number {
  return 32 * (Math.ceil(rows / blockSize) + 1) + (valueType === 'i8' ? 32 * rows : 0);
}

/** The purposes of its bytes, in words, for random positions. */
export function expectedReason(density: number, p: BsrParams): Stated {
  const cells = p.blockSize ** 2;
  const stored = storedShare(density, p);
  const filled = stored === 0 ? 0 : density / stored;
  return stated`${fact('stored share of blocks', stored, 'share')} of its blocks are expected to hold something, and ${fact('non-zeros per block', filled * cells, 'mean')} of their ${fact('cells of a block', cells)} cells`;
}
