import { bf16Table } from '../../core/number/index.ts';
import { type HybridEncoded, NONE } from './layout.ts';

/**
 * y = A x from the encoded arrays: a row is in its slots or, if too long, in the dense tail; sums in f64, y in f32.
 * Zeros are skipped, so that they add 0 even where x is infinite. O(rows * slots + tail).
 */
export function multiply(e: HybridEncoded, x: Float32Array, y: Float32Array): void {
  const { rows, cols, slots, values, indices, counts, tailMap, tail } = e;
  const table = bf16Table();
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    if (tailMap[r] === NONE) {
      for (let s = r * slots; s < r * slots + counts[r]; s++) {
        const value = table[values[s]];
        if (value !== 0) sum += value * x[indices[s]];
      }
    } else {
      const start = tailMap[r] * cols;
      for (let c = 0; c < cols; c++) {
        const value = table[tail[start + c]];
        if (value !== 0) sum += value * x[c];
      }
    }
    y[r] = sum;
  }
}
