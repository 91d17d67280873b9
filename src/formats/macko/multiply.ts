import { entryValue, f16Table } from '../../core/number/index.ts';
import { type MackoEncoded } from './layout.ts';

/**
 * y = A x on the CPU, straight from the encoded arrays; sums in f64, y in f32. Entries whose value is 0 (padding,
 * and what rounded to 0) are skipped, so that they add 0 even where x is infinite. O(entries).
 */
export function multiply(e: MackoEncoded, x: Float32Array, y: Float32Array): void {
  const table = f16Table();
  const { values, deltas, indptr, deltaBits, valueType, scales } = e;
  const mask = 2 ** deltaBits - 1;
  const perWord = 32 / deltaBits;
  for (let r = 0; r < e.rows; r++) {
    const end = indptr[r + 1];
    let sum = 0;
    let column = -1;
    for (let i = indptr[r]; i < end; i++) {
      column += ((deltas[Math.floor(i / perWord)] >>> ((i % perWord) * deltaBits)) & mask) + 1;
      const value = valueType === 'f16' ? table[values[i]] : valueType === 'i4' ? entryValue(e, r, i) : values[i];
      if (value !== 0) sum += value * x[column];
    }
    y[r] = valueType === 'i8' ? sum * scales[r] : sum;
  }
}
