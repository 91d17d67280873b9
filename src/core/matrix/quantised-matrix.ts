import { MatrixError } from '../errors.ts';
import { f16Table, q4At, Q4_GROUP_BYTES, Q4_ZERO } from '../number/index.ts';
import type { Matrix, RowBuffer } from './matrix.ts';
import { checkReading, checkShape } from './shape.ts';

/** Columns that share a scale, in Q4_0 and in Q8_0. */
export const QUANTISED_GROUP = 32;

/**
 * Cells of a quantised tensor as stored in its file, in groups of 32 neighbouring columns with an f16 scale each. Group
 * g of row r has the number r * cols / 32 + g.
 */
export type QuantisedCells = {
  /** bits of an f16 for each group */
  readonly scales: Uint16Array;
} & (
  | {
      /** (q - 8) * scale, q in 4 bits: 16 bytes per group, laid out as in src/core/number/q4.ts */
      readonly kind: 'q4_0';
      readonly data: Uint8Array;
    }
  | {
      /** q * scale, q a signed byte: a byte per cell, row by row */
      readonly kind: 'q8_0';
      readonly data: Int8Array;
    }
);

/**
 * A matrix over quantised cells, which it keeps unchanged. Every value is exact in f32. Throws MatrixError if rows are
 * not whole groups or the lengths contradict each other. Counts the non-zeros in one pass, O(rows * cols).
 */
export class QuantisedMatrix implements Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly cells: QuantisedCells;

  constructor(rows: number, cols: number, cells: QuantisedCells) {
    checkShape(rows, cols);
    if (cols % QUANTISED_GROUP !== 0) {
      throw new MatrixError(`columns: found ${cols}, expected a multiple of ${QUANTISED_GROUP}, which share a scale`);
    }
    const groups = (rows * cols) / QUANTISED_GROUP;
    const bytes = groups * (cells.kind === 'q4_0' ? Q4_GROUP_BYTES : QUANTISED_GROUP);
    if (cells.scales.length !== groups || cells.data.length !== bytes) {
      throw new MatrixError(
        `quantised data: found ${cells.data.length} bytes with ${cells.scales.length} scales, expected ${bytes} with ${groups}`,
      );
    }
    this.rows = rows;
    this.cols = cols;
    this.cells = cells;
    this.nnz = countNonZeros(cells);
  }

  /** memory of its cells and their scales */
  get bytes(): number {
    return this.cells.data.byteLength + this.cells.scales.byteLength;
  }

  readRow(row: number, into: RowBuffer): number {
    return this.readRowPart(row, 0, this.cols, into);
  }

  readRowPart(row: number, from: number, to: number, into: RowBuffer): number {
    checkReading(this, row, from, to, into);
    const { columns, values } = into;
    const { kind, data, scales } = this.cells;
    const table = f16Table();
    const first = (row * this.cols) / QUANTISED_GROUP;
    let n = 0;
    for (let col = from; col < to;) {
      const g = first + Math.floor(col / QUANTISED_GROUP);
      const scale = table[scales[g]];
      const start = col - (col % QUANTISED_GROUP);
      const end = Math.min(to, start + QUANTISED_GROUP);
      for (; col < end; col++) {
        const q = kind === 'q4_0' ? q4At(data, g, col - start) - Q4_ZERO : data[g * QUANTISED_GROUP + col - start];
        const value = q * scale;
        columns[n] = col;
        values[n] = value;
        n += value === 0 ? 0 : 1;
      }
    }
    return n;
  }
}

/** Counts the cells that are not 0, those that are NaN included. O(cells). */
function countNonZeros({ kind, data, scales }: QuantisedCells): number {
  let nnz = 0;
  for (let g = 0; g < scales.length; g++) {
    const magnitude = scales[g] & 0x7fff;
    if (magnitude === 0) continue;
    // 0 times a non-finite scale is NaN, not zero.
    const isFinite = magnitude < 0x7c00;
    for (let i = 0; i < QUANTISED_GROUP; i++) {
      const q = kind === 'q4_0' ? q4At(data, g, i) - Q4_ZERO : data[g * QUANTISED_GROUP + i];
      nnz += q === 0 && isFinite ? 0 : 1;
    }
  }
  return nnz;
}
