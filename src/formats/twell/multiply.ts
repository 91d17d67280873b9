import { bf16Table } from '../../core/number/index.ts';
import type { TwellEncoded } from './layout.ts';

/**
 * y = A x from the encoded arrays, tile by tile; sums in f64, y in f32. A value that was rounded to 0 is skipped, so
 * that an infinity in x does not make its sum NaN. O(rows * tiles + nnz).
 */
export function multiply(e: TwellEncoded, x: Float32Array, y: Float32Array): void {
  if (e.layout === 'packed') multiplyPacked(e, x, y);
  else multiplySplit(e, x, y);
}

/** The packed layout: a tile is a word for the count, then words of a bf16 value and its column. */
function multiplyPacked({ rows, tiles, slots, words }: TwellEncoded, x: Float32Array, y: Float32Array): void {
  const table = bf16Table();
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    for (let t = 0; t < tiles; t++) {
      const first = (r * tiles + t) * slots;
      const count = words[first];
      for (let i = 1; i <= count; i++) {
        const word = words[first + i];
        const value = table[word >>> 16];
        if (value !== 0) sum += value * x[word & 0xffff];
      }
    }
    y[r] = sum;
  }
}

/** The split layout: values, columns and counts are in separate arrays. */
function multiplySplit(
  { rows, tiles, slots, values, indices, counts }: TwellEncoded,
  x: Float32Array,
  y: Float32Array,
): void {
  const table = bf16Table();
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    for (let t = r * tiles; t < (r + 1) * tiles; t++) {
      const first = t * slots;
      for (let i = first; i < first + counts[t]; i++) {
        const value = table[values[i]];
        if (value !== 0) sum += value * x[indices[i]];
      }
    }
    y[r] = sum;
  }
}
