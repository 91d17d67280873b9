import { type Matrix, matrixBytes, type RowBuffer } from './index.ts';

/** One bit per stored entry of a matrix: entry i of row r has bit i % 32 of words[firstWord[r] + floor(i / 32)]. */
export interface EntryMask {
  /** length rows */
  readonly firstWord: Uint32Array;
  /** at least one word for every 32 entries of a row, rounded up */
  readonly words: Int32Array;
}

/**
 * The entries of another matrix whose mask bit is 1: a pruned matrix that takes one bit per entry besides the whole
 * matrix. Keeps the matrix and the mask, does not copy them.
 */
export class MaskedMatrix implements Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly #whole: Matrix;
  readonly #mask: EntryMask;

  /** `nnz`: the number of entries whose bit is 1; not checked. */
  constructor(whole: Matrix, mask: EntryMask, nnz: number) {
    this.rows = whole.rows;
    this.cols = whole.cols;
    this.nnz = nnz;
    this.#whole = whole;
    this.#mask = mask;
  }

  /** memory of the mask and of the whole matrix */
  get bytes(): number {
    return matrixBytes(this.#whole) + this.#mask.words.byteLength + this.#mask.firstWord.byteLength;
  }

  readRow(row: number, into: RowBuffer): number {
    const n = this.#whole.readRow(row, into);
    const { words } = this.#mask;
    const { columns } = into;
    // Copied as bits: reading and writing a NaN may change it.
    const bits = new Int32Array(into.values.buffer, into.values.byteOffset, into.values.length);
    let at = 0;
    for (let start = 0, w = this.#mask.firstWord[row]; start < n; start += 32, w++) {
      const end = Math.min(n, start + 32);
      let word = words[w];
      // Always written, then the index advances: which entries stay cannot be predicted.
      for (let i = start; i < end; i++) {
        columns[at] = columns[i];
        bits[at] = bits[i];
        at += word & 1;
        word >>>= 1;
      }
    }
    return at;
  }
}
