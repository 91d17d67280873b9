import { storedBlocks } from '../../core/comparison/counts.ts';
import { storedAs } from '../../core/declared/card.ts';
import type { Counts, Layout } from '../../core/declared/declaration.ts';
import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import { f16Table, type ValueType } from '../../core/number/index.ts';
import { blocksAlong, type BlockSize, type BsrParams } from './params.ts';

/**
 * Block compressed sparse rows: block row i occupies blocks indptr[i] .. indptr[i + 1), as in SciPy's bsr_array. With S
 * the block size, cell (r, c) of block b is data[(b * S + r) * S + c]; it lies in row i * S + r and column
 * indices[b] * S + c of the matrix.
 *
 * A block is stored when any of its cells is a non-zero, also one that rounds to 0. Where S does not divide the
 * shape, the last blocks reach beyond the matrix, and their cells outside are 0. `nnz` counts the cells that are not 0
 * after rounding.
 */
export interface BsrEncoded extends EncodedMatrix {
  readonly blockSize: BlockSize;
  readonly valueType: ValueType;
  readonly data: Uint16Array | Float32Array | Int8Array;
  readonly indices: Uint32Array;
  readonly indptr: Uint32Array;
  /** for i8: the scale of each row; a cell is data * scale. Empty for floats */
  readonly scales: Float32Array;
}

/** The number of stored blocks; null if the matrix is neither encoded nor its blocks counted. */
function blocksIn({ encoded, ...s }: Counts, size: BlockSize): number | null {
  const { indices } = encoded ?? {};
  if (indices instanceof Uint32Array) return indices.length;
  return s.blocks ? storedBlocks({ blocks: s.blocks }, size) : null;
}

export type BsrArray = 'data' | 'indices' | 'indptr' | 'scales';

/** The arrays of BSR: type, length, and what their bytes are for. */
export const arrays: Layout<BsrArray, BsrParams>['arrays'] = ({ blockSize, valueType }, { cols }) => ({
  data: {
    ...storedAs(valueType, 'scales'),
    role: 'values',
    length(counts) {
      const blocks = blocksIn(counts, blockSize);
      return blocks === null ? null : blocks * blockSize ** 2;
    },
    lengthSays: 'blocks * S²',
    padding: { says: 'zeros inside stored blocks', count: ({ length, nnz }) => length - nnz },
    meaning: 'cells of the blocks, row by row; 0 where the matrix has no non-zero',
  },
  indices: {
    type: 'u32',
    role: 'indices',
    length: (counts) => blocksIn(counts, blockSize),
    lengthSays: 'blocks',
    columns: { by: 'indptr', below: blocksAlong(cols, blockSize) },
    meaning: 'block column of each, ascending inside a block row',
  },
  indptr: {
    type: 'u32',
    role: 'metadata',
    length: ({ rows }) => blocksAlong(rows, blockSize) + 1,
    lengthSays: 'block rows + 1',
    offsetsInto: 'indices',
    meaning: 'blocks before block row i',
  },
  scales: {
    type: 'f32',
    role: 'metadata',
    length: ({ rows }) => (valueType === 'i8' ? rows : 0),
    lengthSays: 'rows for i8',
    meaning: 'of i8 the value of one step of the row',
  },
});

/** The number, in f32, that element `index` of data stores; `row`: its row in the matrix. */
export function cellValue({ data, scales, valueType }: BsrEncoded, index: number, row: number): number {
  const raw = data[index];
  if (valueType === 'f16') return f16Table()[raw];
  return valueType === 'i8' ? Math.fround(raw * scales[row]) : raw;
}
