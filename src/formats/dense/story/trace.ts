import { finish } from '../../../core/job.ts';
import { CsrMatrix, type Matrix, rowBuffer, toCsr } from '../../../core/matrix/index.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import { type Effect, type Trace, TraceBuilder, traceVector } from '../../../core/story/trace.ts';
import { encodeSteps } from '../encode.ts';
import { asI4, cellValue, type DenseEncoded } from '../layout.ts';
import type { DenseParams } from '../params.ts';

/** What a step shows. A load is 16 bytes of a row: 4, 8, 16 or 32 cells; load l begins at column l * cellsPerLoad. */
export type DenseStep =
  /** the row gets its scale; i8 only */
  | { readonly kind: 'scale'; readonly row: number }
  /** the cells of a load get their scale; i4 only, where a load is a group */
  | { readonly kind: 'group-scale'; readonly row: number; readonly load: number }
  /** 16 bytes of a row are written */
  | { readonly kind: 'store'; readonly row: number; readonly load: number }
  | { readonly kind: 'packed' }
  /** 16 bytes of a row meet their part of x; `sum` is the row's sum afterwards */
  | { readonly kind: 'products'; readonly row: number; readonly load: number; readonly sum: number }
  /** the row's sum goes to y */
  | { readonly kind: 'sum'; readonly row: number }
  | { readonly kind: 'multiplied' };

export interface DenseTrace extends Trace<DenseStep> {
  readonly window: CsrMatrix;
  readonly params: DenseParams;
  readonly encoded: DenseEncoded;
  /** cells in 16 bytes */
  readonly cellsPerLoad: number;
  /** the product, in f64 */
  readonly y: Float64Array;
}

/** The story of one window, 16 bytes at a time, as the kernels read it. O(rows * cols). */
export function trace(m: Matrix, params: DenseParams): DenseTrace {
  const window = new CsrMatrix(toCsr(m));
  const encoded = finish(encodeSteps(window, params));
  const cellsPerLoad = 128 / VALUE_BITS[params.valueType];
  const builder = new TraceBuilder<DenseStep>();
  const x = traceVector(m.cols);
  builder.chapter('pack', 'Pack');
  pack(window, encoded, cellsPerLoad, builder);
  builder.chapter('multiply', 'Multiply');
  const y = multiply(encoded, cellsPerLoad, x, builder);
  const { chapters, steps } = builder;
  return { format: 'dense', window, params, encoded, cellsPerLoad, x, y, chapters, steps };
}

function pack(window: CsrMatrix, encoded: DenseEncoded, cellsPerLoad: number, builder: TraceBuilder<DenseStep>): void {
  const { rows, cols, stride, data, scales, valueType } = encoded;
  const isI4 = asI4(encoded) !== null;
  const cellsPerElement = isI4 ? 2 : 1;
  const buffer = rowBuffer(cols);
  for (let row = 0; row < rows; row++) {
    const n = window.readRow(row, buffer);
    if (valueType === 'i8') {
      builder.step({ kind: 'scale', row }, [{ kind: 'store', array: 'scales', index: row, value: scales[row] }]);
    }
    let next = 0;
    for (let load = 0; load * cellsPerLoad < stride; load++) {
      const end = (load + 1) * cellsPerLoad;
      const effects: Effect[] = [];
      for (; next < n && buffer.columns[next] < end; next++) {
        effects.push({ kind: 'visit', row, col: buffer.columns[next] });
      }
      if (isI4) {
        const index = (row * stride) / cellsPerLoad + load;
        builder.step({ kind: 'group-scale', row, load }, [
          { kind: 'store', array: 'scales', index, value: scales[index] },
        ]);
      }
      const from = (row * stride + load * cellsPerLoad) / cellsPerElement;
      for (let index = from; index < from + cellsPerLoad / cellsPerElement; index++) {
        effects.push({ kind: 'store', array: 'data', index, value: data[index] });
      }
      builder.step({ kind: 'store', row, load }, effects);
    }
  }
  builder.step({ kind: 'packed' });
}

/** Every cell is multiplied, zeros included. Returns y. */
function multiply(
  encoded: DenseEncoded,
  cellsPerLoad: number,
  x: Float32Array,
  builder: TraceBuilder<DenseStep>,
): Float64Array {
  const { rows, cols } = encoded;
  const y = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    for (let load = 0; load * cellsPerLoad < cols; load++) {
      const effects: Effect[] = [];
      for (let col = load * cellsPerLoad; col < Math.min(cols, (load + 1) * cellsPerLoad); col++) {
        const value = cellValue(encoded, row, col) * x[col];
        y[row] += value;
        effects.push({ kind: 'accumulate', row, value });
      }
      builder.step({ kind: 'products', row, load, sum: y[row] }, effects);
    }
    builder.step({ kind: 'sum', row });
  }
  builder.step({ kind: 'multiplied' });
  return y;
}
