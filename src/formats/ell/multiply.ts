import { f16Table } from '../../core/number/index.ts';
import type { EllEncoded } from './layout.ts';

/**
 * y = A x from the encoded arrays, slot by slot over all rows, in memory order; sums in f64, y in f32. A value that
 * rounded to 0 is skipped, so that it adds 0 even where x is infinite. O(rows * width).
 */
export function multiply(e: EllEncoded, x: Float32Array, y: Float32Array): void {
  const { values } = e;
  const sums = new Float64Array(e.rows);
  if (values instanceof Uint16Array) addF16(e, values, x, sums);
  else addF32(e, values, x, sums);
  y.set(sums);
}

/** Adds the products of f16 values to `sums`. Separate from f32, so that each loop reads one kind of array. */
function addF16(
  { rows, width, counts, indices }: EllEncoded,
  values: Uint16Array,
  x: Float32Array,
  sums: Float64Array,
): void {
  const table = f16Table();
  for (let s = 0; s < width; s++) {
    const start = s * rows;
    for (let r = 0; r < rows; r++) {
      if (s >= counts[r]) continue;
      const value = table[values[start + r]];
      if (value !== 0) sums[r] += value * x[indices[start + r]];
    }
  }
}

function addF32(
  { rows, width, counts, indices }: EllEncoded,
  values: Float32Array,
  x: Float32Array,
  sums: Float64Array,
): void {
  for (let s = 0; s < width; s++) {
    const start = s * rows;
    for (let r = 0; r < rows; r++) {
      if (s >= counts[r]) continue;
      const value = values[start + r];
      if (value !== 0) sums[r] += value * x[indices[start + r]];
    }
  }
}
