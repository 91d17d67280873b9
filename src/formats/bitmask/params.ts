import type { ParamSpec } from '../../core/format.ts';
import type { EntryType } from '../../core/number/index.ts';
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

/** Bits of a mask word. */
export const WORD_BITS = 32;

/** Bits of a row of the mask: whole words. */
export function maskBits(cols: number): number {
  return Math.ceil(cols / WORD_BITS) * WORD_BITS;
}

/** The purposes of its bytes, in words: bits of the mask, with those past the last column, for every non-zero. */
export function sizeReason({ rows, cols, nnz }: { rows: number; cols: number; nnz: number }): Stated {
  if (nnz === 0) return stated`a bit for every cell`;
  const bits = rows * Math.ceil(cols / 32) * 32;
  return stated`${fact('mask bits per non-zero', bits / nnz, 'mean', ['bit', 'bits'])} per non-zero say where it is`;
}
