import { csrMatrix, type CsrMatrix } from '../../core/matrix/index.ts';
import { entryNumbers } from '../../core/number/index.ts';
import { type BitmaskEncoded, lowestBit } from './layout.ts';
import { WORD_BITS } from './params.ts';

/**
 * The encoded matrix, without values that rounded to 0; shares f32 values and rowPtr with `e`. Throws MatrixError when
 * arrays contradict each other. O(rows * wordsPerRow + nnz).
 */
export function decode(e: BitmaskEncoded): CsrMatrix {
  const { rows, cols, nnz, wordsPerRow, mask, rowPtr } = e;
  const indices = new Uint32Array(nnz);
  let at = 0;
  for (let r = 0; r < rows; r++) {
    for (let w = 0; w < wordsPerRow; w++) {
      for (let word = mask[r * wordsPerRow + w] | 0; word !== 0; word &= word - 1) {
        indices[at++] = w * WORD_BITS + lowestBit(word);
      }
    }
  }
  return csrMatrix({ rows, cols, indptr: rowPtr, indices, data: entryNumbers(e, rowPtr, nnz) });
}
