import { finish } from '../../../core/job.ts';
import { CsrMatrix, type Matrix, toCsr } from '../../../core/matrix/index.ts';
import { bf16Table } from '../../../core/number/index.ts';
import { type Effect, type Trace, TraceBuilder, traceVector } from '../../../core/story/trace.ts';
import { encoding } from '../encoding.ts';
import { type HybridEncoded, NONE } from '../layout.ts';
import type { HybridParams } from '../params.ts';
import { largerTail, rowCounts, tailRefusal } from '../routing.ts';

/** What a step shows. */
export type HybridStep =
  /** both parts are allocated; if the requested tail is too short, a longer one is used */
  | { readonly kind: 'room' }
  /** a row is counted, and routed by its count */
  | { readonly kind: 'route'; readonly row: number }
  | { readonly kind: 'stored' }
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'multiplied' };

export interface HybridTrace extends Trace<HybridStep> {
  readonly window: CsrMatrix;
  /** those of the story: with the tail that holds the window */
  readonly params: HybridParams;
  /** why the requested tail does not suffice; null if it does */
  readonly refusal: string | null;
  readonly encoded: HybridEncoded;
  /** y = A x of every row, in f64 */
  readonly sums: Float64Array;
}

/**
 * The story of one window: allocation, routing row by row, and the product. If the tail is full, the story continues
 * with one that is long enough. O(rows * slots + tail).
 */
export function trace(m: Matrix, wanted: HybridParams): HybridTrace {
  const window = new CsrMatrix(toCsr(m));
  const counts = rowCounts(window);
  const refused = tailRefusal(counts, m.cols, wanted);
  const params = refused ? { ...wanted, tailShare: largerTail(counts, m.cols, wanted) ?? 1 } : wanted;
  const encoded = finish(encoding.encodeSteps(window, params));
  const x = traceVector(m.cols);
  const builder = new TraceBuilder<HybridStep>();
  builder.chapter('route', 'Route');
  builder.step({ kind: 'room' }, [...freeMap('tailMap', m.rows), ...freeMap('tailRows', encoded.tailCapacity)]);
  for (let row = 0; row < m.rows; row++) builder.step({ kind: 'route', row }, routed(window, encoded, row));
  builder.step({ kind: 'stored' });
  builder.chapter('multiply', 'Multiply');
  const sums = multiply(window, encoded, x, builder);
  const { chapters, steps } = builder;
  return { format: 'hybrid', window, params, refusal: refused?.reason ?? null, encoded, sums, x, chapters, steps };
}

/** A map in which nothing is in the tail. */
function freeMap(array: string, length: number): readonly Effect[] {
  return Array.from({ length }, (_, index) => ({ kind: 'store', array, index, value: NONE }));
}

/** The effects of storing a row: its count, and its slots or its row of the tail. */
function routed({ indptr, indices: columns }: CsrMatrix, e: HybridEncoded, row: number): readonly Effect[] {
  const { slots, cols, counts, values, indices, tail } = e;
  const place = e.tailMap[row];
  const effects: Effect[] = [{ kind: 'store', array: 'counts', index: row, value: counts[row] }];
  if (place !== NONE) {
    effects.push({ kind: 'store', array: 'tailMap', index: row, value: place });
    effects.push({ kind: 'store', array: 'tailRows', index: place, value: row });
  }
  for (let i = 0; i < counts[row]; i++) {
    const col = columns[indptr[row] + i];
    effects.push({ kind: 'visit', row, col });
    if (place !== NONE) {
      const index = place * cols + col;
      effects.push({ kind: 'store', array: 'tail', index, value: tail[index] });
    } else {
      const index = row * slots + i;
      effects.push({ kind: 'store', array: 'values', index, value: values[index] });
      effects.push({ kind: 'store', array: 'indices', index, value: indices[index] });
    }
  }
  return effects;
}

/** Returns the sums. */
function multiply(
  { indptr, indices: columns }: CsrMatrix,
  e: HybridEncoded,
  x: Float32Array,
  builder: TraceBuilder<HybridStep>,
): Float64Array {
  const table = bf16Table();
  const sums = new Float64Array(e.rows);
  for (let row = 0; row < e.rows; row++) {
    const effects: Effect[] = [];
    const place = e.tailMap[row];
    for (let i = 0; i < e.counts[row]; i++) {
      const col = columns[indptr[row] + i];
      const bits = place === NONE ? e.values[row * e.slots + i] : e.tail[place * e.cols + col];
      const value = table[bits] * x[col];
      if (table[bits] === 0) continue;
      sums[row] += value;
      effects.push({ kind: 'accumulate', row, value });
    }
    builder.step({ kind: 'row', row }, effects);
  }
  builder.step({ kind: 'multiplied' });
  return sums;
}
