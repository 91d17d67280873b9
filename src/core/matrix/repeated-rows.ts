import type { Matrix, RowBuffer } from './matrix.ts';

/**
 * Any number of rows, repeating those of another matrix: row r is row r modulo its number of rows. A large matrix for
 * measurements in the memory of a small one: code that reads its rows from memory really reads every one of them. Keeps
 * the matrix, does not copy it.
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
