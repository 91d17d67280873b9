import { storedAs } from '../../core/declared/card.ts';
import type { Layout } from '../../core/declared/declaration.ts';
import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import { type EntryArrays, type EntryType, scaleCount } from '../../core/number/index.ts';
import { type BitmaskParams, maskBits } from './params.ts';

/**
 * One bit per cell, and the non-zeros in row-major order. Cell (i, j) has bit j % 32 of
 * mask[i * wordsPerRow + floor(j / 32)]; the value of a set bit is values[rowPtr[i] + number of set bits before it in
 * the row]. A value that rounds to 0 keeps its bit.
 */
export interface BitmaskEncoded extends EncodedMatrix, EntryArrays {
  readonly valueType: EntryType;
  /** ceil(cols / 32): a row is a whole number of words */
  readonly wordsPerRow: number;
  readonly mask: Uint32Array;
  readonly rowPtr: Uint32Array;
}

/** Position of the lowest set bit; `word` is not 0. Fast for 32-bit integers with a sign: pass `word | 0`. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

export type BitmaskArray = 'values' | 'mask' | 'rowPtr' | 'scales';

/** The arrays of the bitmask format: type, length, and what their bytes are for. */
export const arrays: Layout<BitmaskArray, BitmaskParams>['arrays'] = ({ valueType }) => ({
  values: {
    ...storedAs(valueType, 'scales'),
    role: 'values',
    length: ({ nnz }) => nnz,
    lengthSays: 'nnz',
    meaning: 'non-zeros in row-major order; as i4, 8 means 0',
  },
  mask: {
    type: 'u1',
    inWords: true,
    role: 'indices',
    length: ({ rows, cols }) => rows * maskBits(cols),
    lengthSays: 'rows * cols, each row in whole words',
    padding: { says: 'pads rows to whole words', count: ({ rows, cols }) => rows * (maskBits(cols) - cols) },
    meaning: '1 where a value is stored; 0 past the last column of a row',
  },
  rowPtr: { type: 'u32', role: 'metadata', offsetsInto: 'values', meaning: 'values before row i' },
  scales: {
    type: valueType === 'i4' ? 'f16' : 'f32',
    role: 'metadata',
    length: ({ nnz, rows }) => scaleCount(nnz, rows, valueType),
    lengthSays: valueType === 'i4' ? 'nnz / 32, rounded up, for i4' : 'rows for i8',
    meaning: 'value of one step of i8 in a row, or of i4 in 32 values',
  },
});
