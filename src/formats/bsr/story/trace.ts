import { finish } from '../../../core/job.ts';
import { CsrMatrix, type Matrix, rowBuffer, toCsr } from '../../../core/matrix/index.ts';
import { type Effect, type Trace, TraceBuilder, traceVector } from '../../../core/story/trace.ts';
import { encoding } from '../encoding.ts';
import { type BsrEncoded, cellValue } from '../layout.ts';
import type { BsrParams } from '../params.ts';

/** What a step shows. `block` is the index into indices, `blockRow` a row of blocks. */
export type BsrStep =
  /** the non-empty blocks of a block row are counted; indptr stores where it ends */
  | { readonly kind: 'count'; readonly blockRow: number }
  /** a non-empty block gets its index and its cells */
  | { readonly kind: 'block'; readonly blockRow: number; readonly block: number }
  /** the zeros stored with the blocks of a block row */
  | { readonly kind: 'zeros'; readonly blockRow: number }
  | { readonly kind: 'packed' }
  /** a block meets its part of x */
  | { readonly kind: 'product'; readonly blockRow: number; readonly block: number }
  /** the sums of a block row go to y */
  | { readonly kind: 'sum'; readonly blockRow: number }
  | { readonly kind: 'multiplied' };

/** A cell of a stored block that is inside the matrix. */
export interface BlockCell {
  readonly row: number;
  readonly col: number;
  /** element of data */
  readonly index: number;
}

export interface BsrTrace extends Trace<BsrStep> {
  readonly window: CsrMatrix;
  readonly params: BsrParams;
  readonly encoded: BsrEncoded;
  /** block row of every block */
  readonly blockRowOf: Uint32Array;
  /** sums[b * S + r]: row r of its block row after block b, in f64 */
  readonly sums: Float64Array;
  /** the product, in f64 */
  readonly y: Float64Array;
}

/** The story of one window: blocks are found, stored, inspected and multiplied. O(rows + blocks * S²). */
export function trace(m: Matrix, params: BsrParams): BsrTrace {
  const window = new CsrMatrix(toCsr(m));
  const encoded = finish(encoding.encodeSteps(window, params));
  const { indptr, indices, blockSize } = encoded;
  const x = traceVector(m.cols);
  const blockRowOf = new Uint32Array(indices.length);
  for (let i = 0; i + 1 < indptr.length; i++) blockRowOf.fill(i, indptr[i], indptr[i + 1]);
  const builder = new TraceBuilder<BsrStep>();

  builder.chapter('grid', 'Grid');
  for (let i = 0; i + 1 < indptr.length; i++) {
    builder.step({ kind: 'count', blockRow: i }, [
      { kind: 'store', array: 'indptr', index: i + 1, value: indptr[i + 1] },
      ...scalesOf(encoded, i),
    ]);
  }

  builder.chapter('blocks', 'Blocks');
  const isNonZero = cellsOf(window);
  for (let block = 0; block < indices.length; block++) {
    const effects: Effect[] = [{ kind: 'store', array: 'indices', index: block, value: indices[block] }];
    for (const { row, col, index } of blockCells(encoded, blockRowOf[block], block)) {
      if (!isNonZero.has(row * m.cols + col)) continue;
      effects.push({ kind: 'visit', row, col }, { kind: 'store', array: 'data', index, value: encoded.data[index] });
    }
    builder.step({ kind: 'block', blockRow: blockRowOf[block], block }, effects);
  }

  builder.chapter('zeros', 'Zeros');
  for (let i = 0; i + 1 < indptr.length; i++) {
    if (indptr[i + 1] > indptr[i]) builder.step({ kind: 'zeros', blockRow: i });
  }
  builder.step({ kind: 'packed' });

  builder.chapter('multiply', 'Multiply');
  const y = new Float64Array(m.rows);
  const sums = new Float64Array(indices.length * blockSize);
  for (let i = 0; i + 1 < indptr.length; i++) {
    for (let block = indptr[i]; block < indptr[i + 1]; block++) {
      const effects: Effect[] = [];
      for (const { row, col, index } of blockCells(encoded, i, block)) {
        const cell = cellValue(encoded, index, row);
        if (cell === 0) continue;
        y[row] += cell * x[col];
        effects.push({ kind: 'accumulate', row, value: cell * x[col] });
      }
      for (let r = 0; r < blockSize && i * blockSize + r < m.rows; r++) {
        sums[block * blockSize + r] = y[i * blockSize + r];
      }
      builder.step({ kind: 'product', blockRow: i, block }, effects);
    }
    builder.step({ kind: 'sum', blockRow: i });
  }
  builder.step({ kind: 'multiplied' });
  const { chapters, steps } = builder;
  return { format: 'bsr', window, params, encoded, x, blockRowOf, sums, y, chapters, steps };
}

/** The cells of a block that are inside the matrix, row by row. O(S²). */
export function blockCells(e: BsrEncoded, blockRow: number, block: number): readonly BlockCell[] {
  const { rows, cols, blockSize, indices } = e;
  const cells: BlockCell[] = [];
  for (let cell = 0; cell < blockSize ** 2; cell++) {
    const row = blockRow * blockSize + Math.floor(cell / blockSize);
    const col = indices[block] * blockSize + (cell % blockSize);
    if (row < rows && col < cols) cells.push({ row, col, index: block * blockSize ** 2 + cell });
  }
  return cells;
}

/** Scales of the rows of a block row, if there are any. */
function scalesOf({ rows, blockSize, scales }: BsrEncoded, blockRow: number): readonly Effect[] {
  const first = blockRow * blockSize;
  const count = scales.length === 0 ? 0 : Math.min(blockSize, rows - first);
  return Array.from({ length: count }, (_, r): Effect => {
    return { kind: 'store', array: 'scales', index: first + r, value: scales[first + r] };
  });
}

/** Cells with a non-zero, as row * cols + column. */
function cellsOf(window: CsrMatrix): ReadonlySet<number> {
  const buffer = rowBuffer(window.cols);
  const cells = new Set<number>();
  for (let row = 0; row < window.rows; row++) {
    const n = window.readRow(row, buffer);
    for (let i = 0; i < n; i++) cells.add(row * window.cols + buffer.columns[i]);
  }
  return cells;
}
