import { MatrixError } from '../errors.ts';
import type { Matrix, RowBuffer } from './matrix.ts';
import { checkCells, checkReading } from './shape.ts';

/** Cells as stored in a file, in 8 or 16 bits. */
export type StoredCells = Uint8Array | Uint16Array;

/**
 * A matrix over row-major cells of 8 or 16 bits that are kept unchanged: cell (i, j) is table[data[i * cols + j]].
 * `table` has the f32 of every bit pattern (see `f16Table`, `bf16Table`), so nothing is widened beforehand and a tensor
 * needs no more memory than its bytes. Keeps both arrays. Throws MatrixError if the lengths contradict each other.
 * Counts the non-zeros in one pass, O(rows * cols).
 */
export class StoredDenseMatrix implements Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly data: StoredCells;
  /** the bits of the f32 for each pattern */
  readonly #table: Uint32Array;

  constructor(rows: number, cols: number, data: StoredCells, table: Float32Array) {
    checkCells(rows, cols, data);
    const patterns = 2 ** (8 * data.BYTES_PER_ELEMENT);
    if (table.length !== patterns) {
      throw new MatrixError(`table: found ${table.length} values, expected one for each of ${patterns} bit patterns`);
    }
    this.rows = rows;
    this.cols = cols;
    this.data = data;
    this.#table = new Uint32Array(table.buffer, table.byteOffset, table.length);
    const isNonZero = nonZeroPatterns(table);
    let nnz = 0;
    for (let i = 0; i < data.length; i++) nnz += isNonZero[data[i]];
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
    // Without columns there is nothing to read, however many rows there are.
    if (from === to) return 0;
    const { data } = this;
    const table = this.#table;
    const { columns } = into;
    const values = new Uint32Array(into.values.buffer, into.values.byteOffset, into.values.length);
    const start = row * this.cols;
    let n = 0;
    // Always written, then the index advances: a branch on each value would be slower (see DenseMatrix.readRowPart).
    for (let c = from; c < to; c++) {
      const cell = table[data[start + c]];
      columns[n] = c;
      values[n] = cell;
      const magnitude = cell << 1;
      n += (magnitude | -magnitude) >>> 31;
    }
    return n;
  }
}

const nonZeroByTable = new WeakMap<Float32Array, Uint8Array>();

/** 1 for each bit pattern of a non-zero, made once for each table: a model has hundreds of small matrices. */
function nonZeroPatterns(table: Float32Array): Uint8Array {
  let patterns = nonZeroByTable.get(table);
  if (!patterns) {
    patterns = new Uint8Array(table.length);
    for (let i = 0; i < table.length; i++) patterns[i] = table[i] === 0 ? 0 : 1;
    nonZeroByTable.set(table, patterns);
  }
  return patterns;
}
