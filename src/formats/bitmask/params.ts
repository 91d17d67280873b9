import type { ParamSpec } from '../../core/format.ts';
import type { EntryType } from '../../core/number/index.ts';
import { fact, type Stated, stated } from '../../core/text/stated.ts';
import { valueTypeParam } from '../../theory/shared-params.ts';

/** Parameters of the bitmask format. */
export interface BitmaskParams {
  readonly valueType: EntryType;
}

/** The parameters as fields of a form, with labels and defaults. */
export const params: ParamSpec<BitmaskParams> = {
  valueType: valueTypeParam(
    'i8 has a scale per row, i4 one per 32 non-zeros.',
    ['f16', 'f32', 'i8', 'i4'],
    'non-zeros',
  ),
};

/** Bits of a mask word. */
export const WORD_BITS = 32;

/** Bits of the mask for a row of `cols` columns, rounded up to whole words. */
export function maskBits(cols: number): number {
  return Math.ceil(cols / WORD_BITS) * WORD_BITS;
}

/** Why an encoded matrix has its size, in words: mask bits per non-zero, those past the last column included. */
export function sizeReason({ rows, cols, nnz }: { rows: number; cols: number; nnz: number }): Stated {
  if (nnz === 0) return stated`a bit for every cell`;
  const bits = rows * Math.ceil(cols / 32) * 32;
  return stated`${fact('mask bits per non-zero', bits / nnz, 'mean', ['bit', 'bits'])} per non-zero ${bits === nnz ? 'stores' : 'store'} its position`;
}
