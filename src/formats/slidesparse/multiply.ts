import { f16Table } from '../../core/number/index.ts';
import { nibbleAt, type SlideSparseEncoded, usedWindows, windowStart } from './layout.ts';
import { KEPT } from './params.ts';

/** y = A x on the CPU, by windows (4 columns, 2 values); sums in f64, y in f32. Zeros are skipped. O(windows). */
export function multiply(e: SlideSparseEncoded, x: Float32Array, y: Float32Array): void {
  const table = f16Table();
  const windows = usedWindows(e.cols, e);
  const isF16 = e.valueType === 'f16';
  for (let r = 0; r < e.rows; r++) {
    let sum = 0;
    for (let w = 0; w < windows; w++) {
      const nibble = nibbleAt(e, r, w);
      const start = windowStart(e, w);
      const at = (r * e.windowsPerRow + w) * KEPT;
      const first = isF16 ? table[e.values[at]] : e.values[at];
      const second = isF16 ? table[e.values[at + 1]] : e.values[at + 1];
      if (first !== 0) sum += first * x[start + (nibble & 3)];
      if (second !== 0) sum += second * x[start + (nibble >>> 2)];
    }
    y[r] = isF16 ? sum : sum * e.scales[r];
  }
}
