import { f16Table, Q4_GROUP, Q4_GROUP_BYTES, Q4_ZERO } from '../../core/number/index.ts';
import { asI4, cellValue, type DenseEncoded, type DenseI4 } from './layout.ts';

/**
 * y = A x over every cell, zeros included; sums in f64, y in f32. If x contains NaN or an infinity, cells that are 0 are
 * skipped, so that such a value of x reaches only rows with a non-zero in its column. O(rows * cols).
 */
export function multiply(e: DenseEncoded, x: Float32Array, y: Float32Array): void {
  const { rows, cols, stride, data, scales } = e;
  const skipsZeros = !x.every(Number.isFinite);
  const i4 = asI4(e);
  if (i4 && !skipsZeros) return multiplyI4(i4, rows, x, y);
  for (let r = 0; r < rows; r++) {
    const start = r * stride;
    const end = start + cols;
    if (skipsZeros) y[r] = dotNonZeros(e, r, x) * (e.valueType === 'i8' ? scales[r] : 1);
    else if (data instanceof Float32Array) y[r] = dotF32(data.subarray(start, end), x);
    else if (data instanceof Uint16Array) y[r] = dotF16(data.subarray(start, end), x);
    else if (data instanceof Int8Array) y[r] = dotI8(data.subarray(start, end), x) * scales[r];
  }
}

// One loop per value type, so that each reads one kind of array, and four sums at a time, since one sum would wait for
// each addition to finish.

/** The product of a row with x. */
function dotF32(row: Float32Array, x: Float32Array): number {
  const n = row.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < n; i += 4) {
    a += row[i] * x[i];
    b += row[i + 1] * x[i + 1];
    c += row[i + 2] * x[i + 2];
    d += row[i + 3] * x[i + 3];
  }
  for (; i < n; i++) a += row[i] * x[i];
  return a + b + (c + d);
}

function dotF16(row: Uint16Array, x: Float32Array): number {
  const table = f16Table();
  const n = row.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < n; i += 4) {
    a += table[row[i]] * x[i];
    b += table[row[i + 1]] * x[i + 1];
    c += table[row[i + 2]] * x[i + 2];
    d += table[row[i + 3]] * x[i + 3];
  }
  for (; i < n; i++) a += table[row[i]] * x[i];
  return a + b + (c + d);
}

/** The product of a row with x, before it is multiplied by the row's scale. */
function dotI8(row: Int8Array, x: Float32Array): number {
  const n = row.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < n; i += 4) {
    a += row[i] * x[i];
    b += row[i + 1] * x[i + 1];
    c += row[i + 2] * x[i + 2];
    d += row[i + 3] * x[i + 3];
  }
  for (; i < n; i++) a += row[i] * x[i];
  return a + b + (c + d);
}

/** y = A x of i4: for each group the products of the low and high halves of its 16 bytes, times its scale. */
function multiplyI4({ data, scales, stride }: DenseI4, rows: number, x: Float32Array, y: Float32Array): void {
  const table = f16Table();
  const groups = stride / Q4_GROUP;
  // x with zeros past the last column, where cells are 0 as well.
  const padded = new Float32Array(stride);
  padded.set(x);
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    for (let g = 0; g < groups; g++) {
      const group = r * groups + g;
      const first = g * Q4_GROUP;
      let low = 0;
      let high = 0;
      for (let i = 0; i < Q4_GROUP_BYTES; i++) {
        const byte = data[group * Q4_GROUP_BYTES + i];
        low += ((byte & 15) - Q4_ZERO) * padded[first + i];
        high += ((byte >> 4) - Q4_ZERO) * padded[first + Q4_GROUP_BYTES + i];
      }
      sum += (low + high) * table[scales[group]];
    }
    y[r] = sum;
  }
}

/** The product of a row's non-zeros with x, before the scale of i8; slower than the loops above. */
function dotNonZeros(e: DenseEncoded, row: number, x: Float32Array): number {
  let sum = 0;
  for (let col = 0; col < e.cols; col++) {
    const value = e.valueType === 'i8' ? e.data[row * e.stride + col] : cellValue(e, row, col);
    if (value !== 0) sum += value * x[col];
  }
  return sum;
}
