import { finish } from '../../../core/job.ts';
import { CsrMatrix, type Matrix, toCsr } from '../../../core/matrix/index.ts';
import { entryValue, Q4_GROUP } from '../../../core/number/index.ts';
import { entryEffects, type Trace, TraceBuilder, traceVector } from '../../../core/story/trace.ts';
import { encoding } from '../encoding.ts';
import type { BitmaskEncoded } from '../layout.ts';
import { type BitmaskParams, WORD_BITS } from '../params.ts';

/** What a step shows. `at` is the number of a value, `word` the index into mask. */
export type BitmaskStep =
  /** a row of i8, or 32 values of i4, gets its scale: scales[at] */
  | { readonly kind: 'scale'; readonly row: number; readonly at: number }
  /** a bit is set and its value stored */
  | { readonly kind: 'bit'; readonly row: number; readonly col: number; readonly at: number; readonly word: number }
  /** rowPtr learns how many values there are so far */
  | { readonly kind: 'row-end'; readonly row: number }
  | { readonly kind: 'packed' }
  /** a word of the mask is read: its set bits, or that 32 columns can be skipped */
  | { readonly kind: 'word'; readonly row: number; readonly word: number }
  /** a set bit meets its x; `before` bits of its row are set before it, `sum` is the row's sum afterwards */
  | {
      readonly kind: 'product';
      readonly row: number;
      readonly col: number;
      readonly at: number;
      readonly word: number;
      readonly before: number;
      readonly sum: number;
    }
  /** the row's sum goes to y */
  | { readonly kind: 'sum'; readonly row: number }
  | { readonly kind: 'multiplied' };

export interface BitmaskTrace extends Trace<BitmaskStep> {
  readonly window: CsrMatrix;
  readonly params: BitmaskParams;
  readonly encoded: BitmaskEncoded;
  /** row of every value; its column is window.indices */
  readonly rowOf: Uint32Array;
  /** the product, in f64 */
  readonly y: Float64Array;
}

/** The story of one window: bit by bit into the mask, then bit by bit out of it. O(rows * wordsPerRow + nnz). */
export function trace(m: Matrix, params: BitmaskParams): BitmaskTrace {
  const window = new CsrMatrix(toCsr(m));
  const encoded = finish(encoding.encodeSteps(window, params));
  const x = traceVector(m.cols);
  const builder = new TraceBuilder<BitmaskStep>();
  builder.chapter('pack', 'Pack');
  const rowOf = pack(window, encoded, builder);
  builder.chapter('multiply', 'Multiply');
  const y = multiply(window, encoded, x, builder);
  const { chapters, steps } = builder;
  return { format: 'bitmask', window, params, encoded, x, rowOf, y, chapters, steps };
}

/** Returns the row of every value. */
function pack(window: CsrMatrix, encoded: BitmaskEncoded, builder: TraceBuilder<BitmaskStep>): Uint32Array {
  const { rows, nnz, wordsPerRow, valueType, scales, rowPtr } = encoded;
  const mask = new Uint32Array(encoded.mask.length);
  const rowOf = new Uint32Array(nnz);
  const scale = (row: number, at: number): void =>
    builder.step({ kind: 'scale', row, at }, [{ kind: 'store', array: 'scales', index: at, value: scales[at] }]);
  for (let row = 0; row < rows; row++) {
    if (valueType === 'i8') scale(row, row);
    for (let at = rowPtr[row]; at < rowPtr[row + 1]; at++) {
      if (valueType === 'i4' && at % Q4_GROUP === 0) scale(row, at / Q4_GROUP);
      const col = window.indices[at];
      const word = row * wordsPerRow + Math.floor(col / WORD_BITS);
      mask[word] |= 1 << (col % WORD_BITS);
      rowOf[at] = row;
      builder.step({ kind: 'bit', row, col, at, word }, [
        { kind: 'visit', row, col },
        { kind: 'store', array: 'mask', index: word, value: mask[word] },
        ...entryEffects(encoded, at, at === nnz - 1),
      ]);
    }
    builder.step({ kind: 'row-end', row }, [
      { kind: 'store', array: 'rowPtr', index: row + 1, value: rowPtr[row + 1] },
    ]);
  }
  builder.step({ kind: 'packed' });
  return rowOf;
}

/** Returns y. */
function multiply(
  { indices }: CsrMatrix,
  encoded: BitmaskEncoded,
  x: Float32Array,
  builder: TraceBuilder<BitmaskStep>,
): Float64Array {
  const { rows, wordsPerRow, rowPtr } = encoded;
  const y = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let at = rowPtr[row];
    for (let w = 0; w < wordsPerRow; w++) {
      const word = row * wordsPerRow + w;
      builder.step({ kind: 'word', row, word });
      for (; at < rowPtr[row + 1] && indices[at] < (w + 1) * WORD_BITS; at++) {
        const col = indices[at];
        const value = entryValue(encoded, row, at) * x[col];
        y[row] += value;
        const before = at - rowPtr[row];
        builder.step({ kind: 'product', row, col, at, word, before, sum: y[row] }, [
          { kind: 'accumulate', row, value },
        ]);
      }
    }
    builder.step({ kind: 'sum', row });
  }
  builder.step({ kind: 'multiplied' });
  return y;
}
