import type { EffectiveDensityBounds, ParamSpec, Shape } from '../../core/format.ts';
import { Q4_SCALED_BITS, VALUE_BITS, type ValueType } from '../../core/number/index.ts';
import { fact, type Stated, stated } from '../../core/text/stated.ts';
import { valueTypeParam } from '../../theory/shared-params.ts';

/** How cells are stored; i4 has a scale for every 32 of them. */
export type DenseValueType = ValueType | 'i4';

/** Parameters of the dense format. */
export interface DenseParams {
  readonly valueType: DenseValueType;
}

/** The id of the format, with which others are compared. */
export const DENSE_ID = 'dense';

/** The parameters as fields of a form, with labels and defaults. */
export const params: ParamSpec<DenseParams> = {
  valueType: valueTypeParam('i8 has a scale per row, i4 one per 32 columns.', ['f16', 'f32', 'i8', 'i4'], 'columns'),
};

/** Stored bytes over bytes of cells: 1, or 1.125 in i4, whose scales count. Padding and the scales of i8 do not. */
export function effectiveDensity(_density: number, { valueType }: DenseParams): EffectiveDensityBounds {
  const stored = valueType === 'i4' ? Q4_SCALED_BITS / VALUE_BITS.i4 : 1;
  return { best: stored, expected: stored, worst: stored };
}

/** Bits of stored zeros per cell: every zero is stored like any other cell. */
export function expectedZeroBits(density: number, { valueType }: DenseParams): number {
  return (1 - density) * VALUE_BITS[valueType];
}

/** Bits of the scales of i8, and of the cells that fill the last group of a row in i4, which have scales, too. */
export function overheadBits({ valueType }: DenseParams, { rows, cols }: Shape): number {
  if (valueType !== 'i4') return valueType === 'i8' ? 32 * rows : 0;
  const bits = VALUE_BITS[valueType];
  const perRow = Math.ceil((cols * bits) / 128) * 128 - cols * bits;
  return (rows * perRow * Q4_SCALED_BITS) / bits;
}

/** The reason for the size of a dense matrix, in words: its share of zeros. */
export function expectedReason(density: number): Stated {
  if (density === 1) return stated`every cell is non-zero`;
  return stated`stores the ${fact('share of zeros', 1 - density, 'share')} that are zero`;
}
