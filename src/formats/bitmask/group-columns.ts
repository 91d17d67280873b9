import { allocateIndices } from '../../core/allocate.ts';
import { popcount } from '../../core/statistics/half-words.ts';
import { type BitmaskEncoded, lowestBit } from './layout.ts';
import { WORD_BITS } from './params.ts';

/** Values in a group: as many as a lane of the kernels multiplies at a time. */
const GROUP = 8;
/** The most columns for which group columns are u16. */
export const NARROW_COLUMNS = 65536;

/** For each group of eight values, the column of the first. */
export type GroupColumns = Uint16Array | Uint32Array;

const cache = new WeakMap<BitmaskEncoded, GroupColumns>();

/** Bytes of `groupColumns`. O(1). */
export function groupColumnBytes({ nnz, cols }: BitmaskEncoded): number {
  return Math.ceil(nnz / GROUP) * (cols > NARROW_COLUMNS ? 4 : 2);
}

/**
 * For every group of eight values (counted across all rows) the column of the first: an extra array for kernels whose
 * lanes begin in the middle of a row. Length ceil(nnz / 8); u16, or u32 for more than 65536 columns. Cached per matrix.
 * O(rows * wordsPerRow + nnz). Throws FormatError if there is no memory.
 */
export function groupColumns(e: BitmaskEncoded): GroupColumns {
  const columns = cache.get(e) ?? columnsOf(e);
  cache.set(e, columns);
  return columns;
}

function columnsOf({ rows, cols, nnz, wordsPerRow, mask }: BitmaskEncoded): GroupColumns {
  const columns = allocateIndices('groupColumns', cols > NARROW_COLUMNS ? 32 : 16, Math.ceil(nnz / GROUP));
  // numbers of values before the word, and before the next group
  let before = 0;
  let next = 0;
  for (let row = 0; row < rows; row++) {
    for (let word = 0; word < wordsPerRow; word++) {
      let bits = mask[row * wordsPerRow + word] | 0;
      const end = before + popcount(bits);
      while (next < end) {
        for (; before < next; before++) bits &= bits - 1;
        columns[next / GROUP] = WORD_BITS * word + lowestBit(bits);
        next += GROUP;
      }
      before = end;
    }
  }
  return columns;
}
