import { finish } from '../../../core/job.ts';
import { CsrMatrix, type Matrix, toCsr } from '../../../core/matrix/index.ts';
import { floatAt } from '../../../core/number/index.ts';
import { type Effect, type Trace, TraceBuilder, traceVector } from '../../../core/story/trace.ts';
import { encoding } from '../encoding.ts';
import type { EllEncoded } from '../layout.ts';
import type { EllParams } from '../params.ts';

/** What a step shows. */
export type EllStep =
  /** the row is counted; `width` is the longest row so far */
  | { readonly kind: 'count'; readonly row: number; readonly width: number }
  /** the longest row is known: every row gets as many slots */
  | { readonly kind: 'allocate' }
  /** a non-zero goes to slot `slot` of its row */
  | { readonly kind: 'slot'; readonly row: number; readonly col: number; readonly slot: number }
  /** the row leaves slots empty */
  | { readonly kind: 'padding'; readonly row: number }
  | { readonly kind: 'packed' }
  /** slot `slot` of every row at once */
  | { readonly kind: 'round'; readonly slot: number }
  | { readonly kind: 'multiplied' };

export interface EllTrace extends Trace<EllStep> {
  readonly window: CsrMatrix;
  readonly params: EllParams;
  readonly encoded: EllEncoded;
  /** sums[s * rows + r]: the sum of row r after round s, in f64 */
  readonly sums: Float64Array;
}

/** The story of one window: count the rows, fill the slots row by row, multiply them slot by slot. O(rows * width). */
export function trace(m: Matrix, params: EllParams): EllTrace {
  const window = new CsrMatrix(toCsr(m));
  const encoded = finish(encoding.encodeSteps(window, params));
  const x = traceVector(m.cols);
  const builder = new TraceBuilder<EllStep>();
  builder.chapter('count', 'Count');
  count(encoded, builder);
  builder.chapter('pack', 'Pack');
  pack(encoded, builder);
  builder.chapter('multiply', 'Multiply');
  const sums = multiply(encoded, x, builder);
  const { chapters, steps } = builder;
  return {
    format: 'ell',
    window,
    params: { ...params, indexBits: encoded.indexBits },
    encoded,
    x,
    sums,
    chapters,
    steps,
  };
}

function count({ rows, counts }: EllEncoded, builder: TraceBuilder<EllStep>): void {
  let width = 0;
  for (let row = 0; row < rows; row++) {
    width = Math.max(width, counts[row]);
    builder.step({ kind: 'count', row, width }, [{ kind: 'store', array: 'counts', index: row, value: counts[row] }]);
  }
  builder.step({ kind: 'allocate' });
}

function pack({ rows, width, counts, values, indices }: EllEncoded, builder: TraceBuilder<EllStep>): void {
  for (let row = 0; row < rows; row++) {
    for (let slot = 0; slot < counts[row]; slot++) {
      const index = slot * rows + row;
      const col = indices[index];
      builder.step({ kind: 'slot', row, col, slot }, [
        { kind: 'visit', row, col },
        { kind: 'store', array: 'values', index, value: values[index] },
        { kind: 'store', array: 'indices', index, value: col },
      ]);
    }
    if (counts[row] < width) builder.step({ kind: 'padding', row });
  }
  builder.step({ kind: 'packed' });
}

/** Returns the sums after every round. */
function multiply(e: EllEncoded, x: Float32Array, builder: TraceBuilder<EllStep>): Float64Array {
  const { rows, width, counts, values, indices } = e;
  const sums = new Float64Array(width * rows);
  for (let slot = 0; slot < width; slot++) {
    const effects: Effect[] = [];
    for (let row = 0; row < rows; row++) {
      const index = slot * rows + row;
      sums[index] = slot === 0 ? 0 : sums[index - rows];
      if (slot >= counts[row]) continue;
      const value = floatAt(values, index) * x[indices[index]];
      sums[index] += value;
      effects.push({ kind: 'accumulate', row, value });
    }
    builder.step({ kind: 'round', slot }, effects);
  }
  builder.step({ kind: 'multiplied' });
  return sums;
}
