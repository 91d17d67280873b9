import { CsrMatrix } from '../../core/matrix/index.ts';
import { Random } from '../../core/number/random.ts';

/** Rows that differ from each other; those of a larger matrix are these again and again. */
const BAND_ROWS = 512;

/**
 * Random values in a random order, from which a matrix of any density is made in one pass: its entries are those that come
 * first in the order, so that every one of them is there at every higher density. Values have 8 significant bits and are
 * between 1 and 2 in magnitude: f16, bf16 and f32 hold them exactly.
 */
export class Band {
  readonly rows: number;
  readonly cols: number;
  readonly #order: Uint32Array;
  readonly #values: Float32Array;

  /** At most BAND_ROWS of `rows`. O(rows of the band × cols), 8 bytes a cell. */
  constructor(rows: number, cols: number, seed: number) {
    this.rows = Math.min(rows, BAND_ROWS);
    this.cols = cols;
    const random = new Random(seed);
    this.#order = new Uint32Array(this.rows * cols);
    random.fill(this.#order);
    const bits = new Uint32Array(this.rows * cols);
    random.fill(bits);
    this.#values = Float32Array.from(bits, (word) => (word & 1 ? -1 : 1) * (1 + ((word >>> 8) & 127) / 128));
  }

  /** The entries of about `density` of the cells, in one pass over all of them. */
  at(density: number): CsrMatrix {
    const { rows, cols } = this;
    const [order, values] = [this.#order, this.#values];
    const limit = density >= 1 ? 2 ** 32 : Math.floor(density * 2 ** 32);
    let nnz = 0;
    for (const place of order) nnz += Number(place < limit);
    const indptr = new Uint32Array(rows + 1);
    // One more than there are: what is written past the last one is overwritten or let go.
    const indices = new Uint32Array(nnz + 1);
    const data = new Float32Array(nnz + 1);
    let kept = 0;
    for (let row = 0, i = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++, i++) {
        indices[kept] = col;
        data[kept] = values[i];
        kept += Number(order[i] < limit);
      }
      indptr[row + 1] = kept;
    }
    return new CsrMatrix({ rows, cols, indptr, indices: indices.subarray(0, nnz), data: data.subarray(0, nnz) });
  }
}
