import type { ParamSpec } from '../../core/format.ts';
import type { ValueType } from '../../core/number/index.ts';
import { valueTypeParam } from '../../theory/shared-params.ts';

/** Rows and columns of a block. */
export type BlockSize = 2 | 4 | 8 | 16;

export const BLOCK_SIZES: readonly BlockSize[] = [2, 4, 8, 16];

/** Parameters of BSR. */
export interface BsrParams {
  /** S: rows and columns of a block */
  readonly blockSize: BlockSize;
  readonly valueType: ValueType;
}

/** The parameters as fields of a form, with labels and defaults. */
export const params: ParamSpec<BsrParams> = {
  blockSize: {
    kind: 'choice',
    label: 'block size',
    meaning: 'Larger blocks need fewer indices but store more zeros.',
    default: 4,
    options: BLOCK_SIZES.map((value) => ({ value, label: `${value} × ${value}` })),
  },
  valueType: valueTypeParam('i8 has a scale per row.', ['f16', 'f32', 'i8']),
};

/** Number of blocks along `count` rows or columns, including a partial last one. */
export function blocksAlong(count: number, blockSize: number): number {
  return Math.ceil(count / blockSize);
}
