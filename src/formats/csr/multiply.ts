import { f16Table } from '../../core/number/index.ts';
import type { CsrEncoded } from './layout.ts';

/** y = A x; sums in f64, y in f32. Values that rounded to 0 are skipped, as if they were not stored. O(rows + nnz). */
export function multiply(e: CsrEncoded, x: Float32Array, y: Float32Array): void {
  const { data } = e;
  if (data instanceof Uint16Array) multiplyF16(e, data, x, y);
  else multiplyF32(e, data, x, y);
}

/** Separate from f32, so that each loop reads one kind of array. */
function multiplyF16({ rows, indptr, indices }: CsrEncoded, data: Uint16Array, x: Float32Array, y: Float32Array): void {
  const table = f16Table();
  for (let r = 0; r < rows; r++) {
    const end = indptr[r + 1];
    let sum = 0;
    for (let i = indptr[r]; i < end; i++) {
      const value = table[data[i]];
      if (value !== 0) sum += value * x[indices[i]];
    }
    y[r] = sum;
  }
}

function multiplyF32({ rows, indptr, indices }: CsrEncoded, data: Float32Array, x: Float32Array, y: Float32Array) {
  for (let r = 0; r < rows; r++) {
    const end = indptr[r + 1];
    let sum = 0;
    for (let i = indptr[r]; i < end; i++) {
      const value = data[i];
      if (value !== 0) sum += value * x[indices[i]];
    }
    y[r] = sum;
  }
}
