import { f16Table } from '../../core/number/index.ts';
import type { DenseEncoded } from './layout.ts';

/**
 * y = A x over every cell, zeros included; sums in f64, y in f32. Where x holds NaN or an infinity, cells that are 0 are
 * skipped, so that it reaches only the rows that have a non-zero in its column. O(rows * cols).
 */
export function multiply(e: DenseEncoded, x: Float32Array, y: Float32Array): void {
  const dot = x.every(Number.isFinite) ? dotAll : dotNonZeros;
  // One row at a time as f32 keeps the loop over cells the same for every value type.
  const row = new Float32Array(e.cols);
  for (let r = 0; r < e.rows; r++) {
    const sum = dot(rowValues(e, r, row), x);
    // step: sum
    y[r] = e.valueType === 'i8' ? sum * e.scales[r] : sum;
  }
}

/** Row r as f32, without the scale of i8: the array itself where it is f32 already, else unpacked into `into`. */
function rowValues({ data, stride, cols }: DenseEncoded, r: number, into: Float32Array): Float32Array {
  const start = r * stride;
  if (data instanceof Float32Array) return data.subarray(start, start + cols);
  if (data instanceof Int8Array) {
    into.set(data.subarray(start, start + cols));
    return into;
  }
  const table = f16Table();
  for (let c = 0; c < cols; c++) into[c] = table[data[start + c]];
  return into;
}

/** Four sums at a time, since one sum would wait for each addition to finish. */
function dotAll(row: Float32Array, x: Float32Array): number {
  const n = row.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < n; i += 4) {
    // step: product
    a += row[i] * x[i];
    b += row[i + 1] * x[i + 1];
    c += row[i + 2] * x[i + 2];
    d += row[i + 3] * x[i + 3];
  }
  for (; i < n; i++) a += row[i] * x[i];
  return a + b + (c + d);
}

function dotNonZeros(row: Float32Array, x: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += row[i] === 0 ? 0 : row[i] * x[i];
  return sum;
}
