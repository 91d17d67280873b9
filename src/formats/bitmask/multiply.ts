import { entryValue, f16Table } from '../../core/number/index.ts';
import { type BitmaskEncoded, lowestBit } from './layout.ts';
import { WORD_BITS } from './params.ts';

/**
 * y = A x from the encoded arrays, set bit by set bit; sums in f64, y in f32. A value that rounded to 0 is skipped, so
 * that no infinity in x becomes NaN there. O(rows * wordsPerRow + nnz).
 */
export function multiply(e: BitmaskEncoded, x: Float32Array, y: Float32Array): void {
  const { rows, wordsPerRow, mask, values } = e;
  const table = values instanceof Uint16Array ? f16Table() : null;
  let at = 0;
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    for (let w = 0; w < wordsPerRow; w++) {
      for (let word = mask[r * wordsPerRow + w] | 0; word !== 0; word &= word - 1) {
        const value = table ? table[values[at++]] : entryValue(e, r, at++);
        if (value !== 0) sum += value * x[w * WORD_BITS + lowestBit(word)];
      }
    }
    y[r] = sum;
  }
}
