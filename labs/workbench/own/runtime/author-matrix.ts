// The matrix that the code of a format's author receives in the sandbox.

import type { MatrixMessage } from '../module-messages.ts';

const NO_COLUMNS = new Uint32Array(0);
const NO_VALUES = new Float32Array(0);

/** A row, as the code of a format's author sees it. */
export interface AuthorRow {
  readonly index: number;
  /** number of its non-zeros */
  readonly length: number;
  /** ascending */
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/** A matrix, as the code of a format's author sees it. */
export class AuthorMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /** the non-zeros, row by row */
  readonly values: Float32Array;
  readonly #matrix: MatrixMessage;

  constructor(matrix: MatrixMessage) {
    this.rows = matrix.rows;
    this.cols = matrix.cols;
    this.nnz = matrix.values.length;
    this.values = matrix.values;
    this.#matrix = matrix;
  }

  row(index: number): AuthorRow {
    if (!(Number.isInteger(index) && index >= 0 && index < this.rows)) {
      throw new RangeError(`row: found ${String(index)}, expected one of the ${this.rows} rows`);
    }
    const { starts, columns, values } = this.#matrix;
    const from = starts[index];
    const to = starts[index + 1];
    // Views cost more than everything else in a row, and many rows are empty.
    if (from === to) return { index, length: 0, columns: NO_COLUMNS, values: NO_VALUES };
    return { index, length: to - from, columns: columns.subarray(from, to), values: values.subarray(from, to) };
  }

  /** Rows [from, to), limited to existing ones. */
  slice(from: number, to: number = this.rows): AuthorRow[] {
    const rows: AuthorRow[] = [];
    for (let r = Math.max(0, from); r < Math.min(to, this.rows); r++) rows.push(this.row(r));
    return rows;
  }

  /** The value of a cell; 0 where none is stored, and outside. O(log of the row's non-zeros). */
  at(row: number, column: number): number {
    if (!(row >= 0 && row < this.rows && column >= 0 && column < this.cols)) return 0;
    const { starts, columns, values } = this.#matrix;
    let low = starts[row];
    let high = starts[row + 1];
    const end = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (columns[middle] < column) low = middle + 1;
      else high = middle;
    }
    return low < end && columns[low] === column ? values[low] : 0;
  }

  *[Symbol.iterator](): Generator<AuthorRow, void, void> {
    for (let r = 0; r < this.rows; r++) yield this.row(r);
  }
}
