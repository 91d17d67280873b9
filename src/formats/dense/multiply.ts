import { f16Table } from '../../core/number/index.ts';
import type { DenseEncoded } from './layout.ts';

/**
 * y = A x over every cell, zeros included; sums in f64, y in f32. Where x holds NaN or an infinity, cells that are 0 are
 * skipped, so that it reaches only the rows that have a non-zero in its column. O(rows * cols).
 */
export function multiply(e: DenseEncoded, x: Float32Array, y: Float32Array): void {
  const { rows, cols, stride, data, scales } = e;
  const careful = !x.every(Number.isFinite);
  for (let r = 0; r < rows; r++) {
    const start = r * stride;
    const end = start + cols;
    if (careful) y[r] = dotNonZeros(e, start, x) * (e.valueType === 'i8' ? scales[r] : 1);
    else if (data instanceof Float32Array) y[r] = dotF32(data.subarray(start, end), x);
    else if (data instanceof Uint16Array) y[r] = dotF16(data.subarray(start, end), x);
    // step: sum-i8
    else y[r] = dotI8(data.subarray(start, end), x) * scales[r];
  }
}

// One loop per value type, so that each reads one kind of array, and four sums at a time, since one sum would wait for
// each addition to finish.

function dotF32(row: Float32Array, x: Float32Array): number {
  const n = row.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < n; i += 4) {
    // step: product-f32
    a += row[i] * x[i];
    b += row[i + 1] * x[i + 1];
    c += row[i + 2] * x[i + 2];
    d += row[i + 3] * x[i + 3];
  }
  for (; i < n; i++) a += row[i] * x[i];
  // step: sum-f32
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
    // step: product-f16
    a += table[row[i]] * x[i];
    b += table[row[i + 1]] * x[i + 1];
    c += table[row[i + 2]] * x[i + 2];
    d += table[row[i + 3]] * x[i + 3];
  }
  for (; i < n; i++) a += table[row[i]] * x[i];
  // step: sum-f16
  return a + b + (c + d);
}

/** Without the row's scale, which is a factor of the sum. */
function dotI8(row: Int8Array, x: Float32Array): number {
  const n = row.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < n; i += 4) {
    // step: product-i8
    a += row[i] * x[i];
    b += row[i + 1] * x[i + 1];
    c += row[i + 2] * x[i + 2];
    d += row[i + 3] * x[i + 3];
  }
  for (; i < n; i++) a += row[i] * x[i];
  return a + b + (c + d);
}

/** The slow way, for an x that is not finite everywhere. */
function dotNonZeros({ data, cols, valueType }: DenseEncoded, start: number, x: Float32Array): number {
  const table = f16Table();
  let sum = 0;
  for (let i = 0; i < cols; i++) {
    const value = valueType === 'f16' ? table[data[start + i]] : data[start + i];
    if (value !== 0) sum += value * x[i];
  }
  return sum;
}
