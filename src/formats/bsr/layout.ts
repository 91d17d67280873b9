import type { EncodedMatrix, Violation } from '../../core/format.ts';
import { f16Table, type ValueType } from '../../core/number/index.ts';
import { Violations } from '../../core/encoded/violations.ts';
import type { BlockSize } from './params.ts';

/**
 * Block compressed sparse rows: block row i occupies blocks indptr[i] .. indptr[i + 1), as in SciPy's bsr_array. With S
 * the block size, cell (r, c) of block b is data[(b * S + r) * S + c]; it lies in row i * S + r and column
 * indices[b] * S + c of the matrix.
 *
 * | array | dtype | length | meaning |
 * |---|---|---|---|
 * | data | f16 bits in u16, f32, or i8 | blocks * S * S | cells of the blocks, row by row; 0 where the matrix has no non-zero |
 * | indices | u32 | blocks | block column of each, ascending inside a block row |
 * | indptr | u32 | ceil(rows / S) + 1 | blocks before block row i |
 * | scales | f32 | rows for i8, else 0 | the value of one step of the row: cell = data * scale |
 *
 * A block is stored when any of its cells holds a non-zero, also one that rounds to 0. Where S does not divide the
 * shape, the last blocks reach beyond it, and their cells out there are 0. `nnz` counts the cells that are not 0 after
 * rounding.
 */
export interface BsrEncoded extends EncodedMatrix {
  readonly blockSize: BlockSize;
  readonly valueType: ValueType;
  /** Uint16Array of f16 bits, Float32Array, or Int8Array, according to `valueType` */
  readonly data: Uint16Array | Float32Array | Int8Array;
  readonly indices: Uint32Array;
  readonly indptr: Uint32Array;
  readonly scales: Float32Array;
}

/** The checks of `validate` per array besides length and checksum. */
export const rules = {
  data: '0 beyond the last row and column; exactly nnz cells that are not 0',
  indices: 'ascend in a block row, below the number of block columns',
  indptr: 'from 0 to the number of blocks, never descending',
  scales: 'finite, above 0',
} as const;

/** Blocks that `count` rows or columns are cut into, including a partial last one. */
export function blocksAlong(count: number, blockSize: number): number {
  return Math.ceil(count / blockSize);
}

/** The number in element `index` of data, which lies in row `row`, in f32. */
export function cellValue({ data, scales, valueType }: BsrEncoded, index: number, row: number): number {
  const raw = data[index];
  if (valueType === 'f16') return f16Table()[raw];
  return valueType === 'i8' ? Math.fround(raw * scales[row]) : raw;
}

/**
 * 'cheap' O(1): the lengths. 'full' O(rows + blocks * S²): offsets ascend, block columns ascend and are inside, cells
 * beyond the matrix are 0, scales are usable, and checksums match.
 */
export function validate(e: BsrEncoded, level: 'cheap' | 'full'): readonly Violation[] {
  const v = new Violations();
  const { rows, cols, blockSize, data, indices, indptr, scales } = e;
  const blockRows = blocksAlong(rows, blockSize);
  v.expect('data', null, 'length of data', data.length, indices.length * blockSize ** 2, 'blocks * block cells');
  v.expect('indptr', null, 'length of indptr', indptr.length, blockRows + 1, 'block rows + 1');
  v.expect('scales', null, 'length of scales', scales.length, e.valueType === 'i8' ? rows : 0);
  // The only length that does not follow from another array.
  if (v.found.length === 0) {
    v.expect('indices', null, 'length of indices', indices.length, indptr[blockRows], `indptr[${blockRows}]`);
  }
  if (level === 'cheap' || v.found.length > 0) return v.found;

  v.offsets('indptr', indptr, indices.length, 'blocks');
  v.scales(scales);
  if (v.found.length > 0) return v.found;
  const blockColumns = blocksAlong(cols, blockSize);
  for (let i = 0; i < blockRows && !v.full; i++) {
    v.columns(
      'indices',
      indices,
      { row: i, start: indptr[i], count: indptr[i + 1] - indptr[i], step: 1 },
      blockColumns,
    );
  }
  if (v.found.length === 0) checkCells(e, v);
  v.unchanged(e);
  return v.found;
}

/** Cells beyond the matrix are 0, and nnz of the others are not. O(blocks * S²). */
function checkCells({ rows, cols, nnz, blockSize, valueType, data, indices, indptr }: BsrEncoded, v: Violations): void {
  let found = 0;
  for (let i = 0; i + 1 < indptr.length && !v.full; i++) {
    for (let b = indptr[i]; b < indptr[i + 1]; b++) {
      for (let cell = 0; cell < blockSize ** 2; cell++) {
        const index = b * blockSize ** 2 + cell;
        const row = i * blockSize + Math.floor(cell / blockSize);
        const col = indices[b] * blockSize + (cell % blockSize);
        if (row >= rows || col >= cols) v.expect('data', index, `data[${index}], beyond the matrix`, data[index], 0);
        // Bit 15 of an f16 is its sign, and -0 is 0.
        else if ((valueType === 'f16' ? data[index] & 0x7fff : data[index]) !== 0) found++;
      }
    }
  }
  if (v.found.length === 0) v.expect('data', null, 'cells that are not 0', found, nnz, 'nnz');
}
