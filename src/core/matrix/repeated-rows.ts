import type { Matrix, RowBuffer } from './matrix.ts';

/**
 * A matrix that repeats the rows of a smaller matrix, the band: row r is row r % band.rows. For measurements of large
 * matrices: an encoding has every row, while the source needs only the band's memory. Keeps the band, without a copy.
 */
export class RepeatedRows implements Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly #band: Matrix;

  /** `band` has at least one row. O(rows of the band × cols), once. */
  constructor(band: Matrix, rows: number) {
    const rest = rows % band.rows;
    const buffer = { columns: new Uint32Array(band.cols), values: new Float32Array(band.cols) };
    let nnz = Math.floor(rows / band.rows) * band.nnz;
    for (let r = 0; r < rest; r++) nnz += band.readRow(r, buffer);
    this.rows = rows;
    this.cols = band.cols;
    this.nnz = nnz;
    this.#band = band;
  }

  readRow(row: number, into: RowBuffer): number {
    return this.#band.readRow(row % this.#band.rows, into);
  }
}
