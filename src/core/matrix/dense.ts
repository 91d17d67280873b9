import type { Matrix, RowBuffer } from './matrix.ts';
import { checkCells, checkReading } from './shape.ts';

/**
 * A matrix over row-major cells: cell (i, j) is data[i * cols + j]. Keeps the array, does not copy it.
 * Throws MatrixError if the length is not rows * cols. Counts the non-zeros in one pass, O(rows * cols).
 */
export function denseMatrix(rows: number, cols: number, data: Float32Array): DenseMatrix {
  return new DenseMatrix(rows, cols, data);
}

/** A matrix over row-major f32 cells. */
export class DenseMatrix implements Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly data: Float32Array;
  /** the same memory as `data` */
  readonly #bits: Uint32Array;

  constructor(rows: number, cols: number, data: Float32Array) {
    checkCells(rows, cols, data);
    this.rows = rows;
    this.cols = cols;
    this.data = data;
    this.#bits = new Uint32Array(data.buffer, data.byteOffset, data.length);
    let nnz = 0;
    for (let i = 0; i < data.length; i++) nnz += nonZero(this.#bits[i]);
    this.nnz = nnz;
  }

  /** memory of the cells */
  get bytes(): number {
    return this.data.byteLength;
  }

  readRow(row: number, into: RowBuffer): number {
    return this.readRowPart(row, 0, this.cols, into);
  }

  readRowPart(row: number, from: number, to: number, into: RowBuffer): number {
    checkReading(this, row, from, to, into);
    // A matrix of many rows without columns has no bytes, and should need no time.
    if (from === to) return 0;
    const bits = this.#bits;
    const columns = into.columns;
    const values = new Uint32Array(into.values.buffer, into.values.byteOffset, into.values.length);
    const start = row * this.cols;
    let n = 0;
    // Every cell is written, but `n` advances only past non-zeros: at density 0.5 a branch would be mispredicted every
    // other cell, which is five times slower.
    for (let c = from; c < to; c++) {
      const cell = bits[start + c];
      columns[n] = c;
      values[n] = cell;
      n += nonZero(cell);
    }
    return n;
  }
}

/** 1 for the bits of a non-zero f32, 0 for the bits of +0 and -0; branchless. */
function nonZero(bits: number): number {
  const magnitude = bits << 1;
  return (magnitude | -magnitude) >>> 31;
}
