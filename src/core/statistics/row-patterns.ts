import { DenseMatrix, type Matrix, rowBuffer, type RowBuffer } from '../matrix/index.ts';
import { popcount } from './half-words.ts';

/** Reads the rows of a matrix as bits: bit c % 32 of word c / 32 is 1 if column c holds a non-zero. */
export class RowPatterns {
  /** one word more than the columns need, which stays 0 */
  readonly words: Uint32Array;
  readonly #matrix: Matrix;
  readonly #buffer: RowBuffer;
  /** of a DenseMatrix, the f32 bits of its cells; otherwise null */
  readonly #cells: Uint32Array | null;

  constructor(m: Matrix) {
    this.#matrix = m;
    this.words = new Uint32Array(Math.ceil(m.cols / 32) + 1);
    this.#buffer = rowBuffer(m instanceof DenseMatrix ? 0 : m.cols);
    this.#cells = m instanceof DenseMatrix ? new Uint32Array(m.data.buffer, m.data.byteOffset, m.data.length) : null;
  }

  /** Reads a row into `words` and returns its number of non-zeros. O(cols). */
  read(row: number): number {
    return this.#cells ? this.#fromCells(this.#cells, row) : this.#fromEntries(row);
  }

  #fromCells(cells: Uint32Array, row: number): number {
    const { words } = this;
    const { cols } = this.#matrix;
    const start = row * cols;
    const whole = cols & ~31;
    let n = 0;
    for (let c = 0; c < whole; c += 32) {
      const at = start + c;
      let word = 0;
      for (let b = 0; b < 32; b++) {
        // 1 for anything but zeros of either sign, branchless.
        const magnitude = cells[at + b] << 1;
        word |= ((magnitude | -magnitude) >>> 31) << b;
      }
      words[c >>> 5] = word;
      n += popcount(word);
    }
    if (whole === cols) return n;
    let word = 0;
    for (let c = whole; c < cols; c++) {
      const bit = cells[start + c] << 1 === 0 ? 0 : 1;
      word |= bit << (c - whole);
      n += bit;
    }
    words[whole >>> 5] = word;
    return n;
  }

  #fromEntries(row: number): number {
    const { words } = this;
    const { columns } = this.#buffer;
    const n = this.#matrix.readRow(row, this.#buffer);
    words.fill(0);
    let at = 0;
    let word = 0;
    for (let i = 0; i < n; i++) {
      const column = columns[i];
      if (column >>> 5 !== at) {
        words[at] = word;
        at = column >>> 5;
        word = 0;
      }
      word |= 1 << (column & 31);
    }
    words[at] = word;
    return n;
  }
}
