import type { EffectiveDensityBounds, ParamSpec, Shape } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { fact, type Stated, stated } from '../../core/story/stated.ts';

export interface BitmaskParams {
  readonly valueType: 'f16' | 'f32';
}

export const params: ParamSpec<BitmaskParams> = {
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
};

/** d + 1 / b with density d and value bits b, whatever the pattern; without rowPtr. */
export function effectiveDensity(density: number, { valueType }: BitmaskParams): EffectiveDensityBounds {
  const size = density + 1 / VALUE_BITS[valueType];
  return { best: size, expected: size, worst: size };
}

/** rowPtr, and the bits that round rows up to words of 32. */
export function overheadBits(
  _p: BitmaskParams,
  { rows, cols }: { readonly rows: number; readonly cols: number },
): number {
  return 32 * (rows + 1) + rows * (Math.ceil(cols / 32) * 32 - cols);
}

/** The purposes of its bytes, in words: bits of the mask, with those past the last column, for every non-zero. */
export function sizeReason({ rows, cols, nnz }: { rows: number; cols: number; nnz: number }): Stated {
  if (nnz === 0) return stated`a bit for every cell`;
  const bits = rows * Math.ceil(cols / 32) * 32;
  return stated`${fact('mask bits per non-zero', bits / nnz, 'mean', ['bit', 'bits'])} per non-zero say where it is`;
}

/** What it spends bytes on, for a matrix that nobody has encoded: only the density decides. */
export function expectedReason(density: number, _p: BitmaskParams, { rows, cols }: Shape): Stated {
  return sizeReason({ rows, cols, nnz: density * rows * cols });
}
