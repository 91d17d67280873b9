import { type EcCsrEncoded, forEachColumn, valueAt } from './layout.ts';

/** y = A x on the CPU: one gather of x feeds the G values of a column. Sums in f64, y in f32. O(columns G). */
export function multiply(e: EcCsrEncoded, x: Float32Array, y: Float32Array): void {
  const sums = new Float64Array(e.rows);
  forEachColumn(e, (column, valuesAt, rowIndicesAt, granularity) => {
    // step: gather
    const gathered = x[column];
    for (let g = 0; g < granularity; g++) {
      // Padding is skipped by its value, so that an infinity in x never meets it.
      const value = valueAt(e, valuesAt + g);
      if (value !== 0) sums[e.rowIndices[rowIndicesAt + g]] += value * gathered;
    }
  });
  y.set(sums);
}
