import type { Matrix, RowBuffer } from './matrix.ts';

/**
 * A matrix that repeats a smaller one, the tile: its cell (r, c) is the tile's (r % tile.rows, c % tile.cols), so that
 * tiles at the right and lower edges may be cut. For measurements of large matrices: an encoding has every cell, while
 * the source needs only the tile's memory. Keeps the tile, without a copy.
 */
export class RepeatedMatrix implements Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly #tile: Matrix;
  readonly #row: RowBuffer;

  /** `tile` has at least one row and one column; `cols`: default: the tile's. O(cells of the tile), once. */
  constructor(tile: Matrix, rows: number, cols = tile.cols) {
    this.rows = rows;
    this.cols = cols;
    this.#tile = tile;
    this.#row = { columns: new Uint32Array(tile.cols), values: new Float32Array(tile.cols) };
    const whole = Math.floor(cols / tile.cols);
    const cutAt = cols % tile.cols;
    let nnz = 0;
    for (let r = 0; r < Math.min(tile.rows, rows); r++) {
      const count = tile.readRow(r, this.#row);
      let inCut = 0;
      while (inCut < count && this.#row.columns[inCut] < cutAt) inCut++;
      // Rows of the matrix that repeat this one.
      nnz += Math.ceil((rows - r) / tile.rows) * (whole * count + inCut);
    }
    this.nnz = nnz;
  }

  readRow(row: number, into: RowBuffer): number {
    const { cols, rows } = this.#tile;
    if (cols === this.cols) return this.#tile.readRow(row % rows, into);
    const count = this.#tile.readRow(row % rows, this.#row);
    const { columns, values } = this.#row;
    let written = 0;
    for (let from = 0; from < this.cols; from += cols) {
      for (let i = 0; i < count && from + columns[i] < this.cols; i++, written++) {
        into.columns[written] = from + columns[i];
        into.values[written] = values[i];
      }
    }
    return written;
  }
}
