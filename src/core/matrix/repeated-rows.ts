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

/**
 * Like `RepeatedRows`, but every repetition is rotated further along the columns, so that repeated rows share no more
 * columns than others do: for encoders that look for similar rows.
 */
export class RotatedRows implements Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly #band: Matrix;
  readonly #turn: number;
  readonly #row: RowBuffer;

  /** `band` has at least one row. O(rows of the band × cols), once. */
  constructor(band: Matrix, rows: number) {
    const { cols, nnz } = new RepeatedRows(band, rows);
    this.rows = rows;
    this.cols = cols;
    this.nnz = nnz;
    this.#band = band;
    this.#turn = cols / Math.max(1, Math.ceil(rows / band.rows));
    this.#row = { columns: new Uint32Array(cols), values: new Float32Array(cols) };
  }

  readRow(row: number, into: RowBuffer): number {
    const { rows } = this.#band;
    const { columns, values } = this.#row;
    const n = this.#band.readRow(row % rows, this.#row);
    const by = Math.floor(Math.floor(row / rows) * this.#turn);
    // Columns past the end wrap around to the front.
    let first = n;
    while (first > 0 && columns[first - 1] + by >= this.cols) first--;
    for (let i = 0; i < n; i++) {
      const from = first + i < n ? first + i : first + i - n;
      into.columns[i] = (columns[from] + by) % this.cols;
      into.values[i] = values[from];
    }
    return n;
  }
}
