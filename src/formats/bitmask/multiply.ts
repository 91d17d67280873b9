import { f16Table } from '../../core/number/index.ts';
import { type BitmaskEncoded, lowestBit, WORD_BITS } from './layout.ts';

/**
 * y = A x from the encoded arrays, set bit by set bit; sums in f64, y in f32. A value that rounded to 0 is skipped, so
 * that no infinity in x becomes NaN there. O(rows * wordsPerRow + nnz).
 */
export function multiply(e: BitmaskEncoded, x: Float32Array, y: Float32Array): void {
  const { values } = e;
  if (values instanceof Uint16Array) multiplyF16(e, values, x, y);
  else multiplyF32(e, values, x, y);
}

/** Separate from f32, so that each loop reads one kind of array. */
function multiplyF16(
  { rows, wordsPerRow, mask }: BitmaskEncoded,
  values: Uint16Array,
  x: Float32Array,
  y: Float32Array,
): void {
  const table = f16Table();
  let at = 0;
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    for (let w = 0; w < wordsPerRow; w++) {
      for (let word = mask[r * wordsPerRow + w] | 0; word !== 0; word &= word - 1) {
        const value = table[values[at++]];
        if (value !== 0) sum += value * x[w * WORD_BITS + lowestBit(word)];
      }
    }
    y[r] = sum;
  }
}

function multiplyF32(
  { rows, wordsPerRow, mask }: BitmaskEncoded,
  values: Float32Array,
  x: Float32Array,
  y: Float32Array,
): void {
  let at = 0;
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    for (let w = 0; w < wordsPerRow; w++) {
      for (let word = mask[r * wordsPerRow + w] | 0; word !== 0; word &= word - 1) {
        const value = values[at++];
        if (value !== 0) sum += value * x[w * WORD_BITS + lowestBit(word)];
      }
    }
    y[r] = sum;
  }
}
