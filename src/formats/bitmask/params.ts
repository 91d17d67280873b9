import type { EffectiveDensityBounds, ParamSpec, Shape } from '../../core/format.ts';
import { type EntryType, Q4_SCALED_BITS, VALUE_BITS } from '../../core/number/index.ts';
import { fact, type Stated, stated } from '../../core/story/stated.ts';

export interface BitmaskParams {
  readonly valueType: EntryType;
}

export const params: ParamSpec<BitmaskParams> = {
  valueType: {
    kind: 'choice',
    label: 'values',
    meaning: 'i8 has a scale per row, i4 one per 32 non-zeros.',
    default: 'f16',
    options: [
      { value: 'f16', label: 'f16' },
      { value: 'f32', label: 'f32' },
      { value: 'i8', label: 'i8, scale per row' },
      { value: 'i4', label: 'i4, scale per 32 non-zeros', comparedWith: 'f16' },
    ],
  },
};

/** (d v + 1) / b with density d, value bits b and v with a part of the scale of i4, whatever the pattern; without rowPtr. */
export function effectiveDensity(density: number, { valueType }: BitmaskParams): EffectiveDensityBounds {
  const bits = VALUE_BITS[valueType];
  const size = (density * (valueType === 'i4' ? Q4_SCALED_BITS : bits) + 1) / bits;
  return { best: size, expected: size, worst: size };
}

/** rowPtr, the bits that round rows up to words of 32, and the scales of i8. */
export function overheadBits(
  { valueType }: BitmaskParams,
  { rows, cols }: { readonly rows: number; readonly cols: number },
): number {
  const scales = valueType === 'i8' ? rows : 0;
  return 32 * (rows + 1 + scales) + rows * (Math.ceil(cols / 32) * 32 - cols);
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
