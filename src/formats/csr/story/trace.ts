import { finish } from '../../../core/job.ts';
import { CsrMatrix, type Matrix, toCsr } from '../../../core/matrix/index.ts';
import { floatAt } from '../../../core/number/index.ts';
import { type Trace, TraceBuilder, traceVector } from '../../../core/story/trace.ts';
import { encoding } from '../encoding.ts';
import type { CsrEncoded } from '../layout.ts';
import type { CsrParams } from '../params.ts';

/** What a step shows. `entry` is the index into data and indices. */
export type CsrStep =
  /** a non-zero goes to data and indices */
  | { readonly kind: 'entry'; readonly row: number; readonly col: number; readonly entry: number }
  /** indptr stores where the row ends */
  | { readonly kind: 'row-end'; readonly row: number }
  | { readonly kind: 'packed' }
  /** an entry meets its x; `sum` is the row's sum afterwards */
  | {
      readonly kind: 'product';
      readonly row: number;
      readonly col: number;
      readonly entry: number;
      readonly sum: number;
    }
  /** the row's sum goes to y */
  | { readonly kind: 'sum'; readonly row: number; readonly sum: number }
  | { readonly kind: 'multiplied' };

export interface CsrTrace extends Trace<CsrStep> {
  readonly window: CsrMatrix;
  readonly params: CsrParams;
  readonly encoded: CsrEncoded;
  /** row of every entry */
  readonly rowOf: Uint32Array;
  /** the product, in f64 */
  readonly y: Float64Array;
}

/** The story of one window: entry by entry into the arrays, then entry by entry out of them. O(rows + nnz). */
export function trace(m: Matrix, params: CsrParams): CsrTrace {
  const window = new CsrMatrix(toCsr(m));
  const encoded = finish(encoding.encodeSteps(window, params));
  const x = traceVector(m.cols);
  const y = new Float64Array(m.rows);
  const { data, indices, indptr } = encoded;
  const rowOf = new Uint32Array(encoded.nnz);
  const builder = new TraceBuilder<CsrStep>();

  builder.chapter('pack', 'Pack');
  for (let row = 0; row < m.rows; row++) {
    for (let entry = indptr[row]; entry < indptr[row + 1]; entry++) {
      const col = indices[entry];
      rowOf[entry] = row;
      builder.step({ kind: 'entry', row, col, entry }, [
        { kind: 'visit', row, col },
        { kind: 'store', array: 'data', index: entry, value: data[entry] },
        { kind: 'store', array: 'indices', index: entry, value: col },
      ]);
    }
    builder.step({ kind: 'row-end', row }, [
      { kind: 'store', array: 'indptr', index: row + 1, value: indptr[row + 1] },
    ]);
  }
  builder.step({ kind: 'packed' });

  builder.chapter('multiply', 'Multiply');
  for (let row = 0; row < m.rows; row++) {
    for (let entry = indptr[row]; entry < indptr[row + 1]; entry++) {
      const col = indices[entry];
      const value = floatAt(data, entry) * x[col];
      y[row] += value;
      builder.step({ kind: 'product', row, col, entry, sum: y[row] }, [{ kind: 'accumulate', row, value }]);
    }
    builder.step({ kind: 'sum', row, sum: y[row] });
  }
  builder.step({ kind: 'multiplied' });
  return {
    format: 'csr',
    window,
    params: { ...params, indexBits: encoded.indexBits },
    encoded,
    x,
    rowOf,
    y,
    chapters: builder.chapters,
    steps: builder.steps,
  };
}
