import { CsrMatrix } from '../../../../core/matrix/index.ts';
import { Random } from '../../../../core/number/random.ts';

/**
 * Number of distinct rows, which a larger matrix repeats. Half a million cells at 4096 columns: the resulting paddings
 * and gaps differ from those of the whole far less than times do.
 */
const BAND_ROWS = 128;

/**
 * Random values in a random order, from which a matrix of any density is made in one pass: its entries are the first in
 * the order, so that each of them is also in every denser matrix. Values have 8 significant bits and are between 1 and
 * 2 in magnitude: f16, bf16 and f32 hold them exactly.
 */
export class Band {
  readonly rows: number;
  readonly cols: number;
  readonly #order: Uint32Array;
  readonly #values: Float32Array;
  /** One slot more than the maximum: an entry written past the last one is overwritten or ignored. */
  readonly #indices: Uint32Array;
  readonly #data: Float32Array;
  #made: { readonly density: number; readonly matrix: CsrMatrix } | null = null;

  /** At most BAND_ROWS of `rows`. O(rows of the band × cols), 16 bytes a cell. */
  constructor(rows: number, cols: number, seed: number) {
    this.rows = Math.min(rows, BAND_ROWS);
    this.cols = cols;
    const cells = this.rows * cols;
    const random = new Random(seed);
    this.#order = new Uint32Array(cells);
    random.fill(this.#order);
    const bits = new Uint32Array(cells);
    random.fill(bits);
    this.#values = Float32Array.from(bits, (word) => (word & 1 ? -1 : 1) * (1 + ((word >>> 8) & 127) / 128));
    this.#indices = new Uint32Array(cells + 1);
    this.#data = new Float32Array(cells + 1);
  }

  /**
   * The entries of about `density` of the cells, in one pass over all of them; deterministic. The result is in the
   * band's own memory, valid until the next call.
   */
  at(density: number): CsrMatrix {
    if (this.#made?.density === density) return this.#made.matrix;
    const { rows, cols } = this;
    const [order, values, indices, data] = [this.#order, this.#values, this.#indices, this.#data];
    const limit = density >= 1 ? 2 ** 32 : Math.floor(density * 2 ** 32);
    const indptr = new Uint32Array(rows + 1);
    let kept = 0;
    for (let row = 0, i = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++, i++) {
        indices[kept] = col;
        data[kept] = values[i];
        kept += Number(order[i] < limit);
      }
      indptr[row + 1] = kept;
    }
    const matrix = new CsrMatrix({
      rows,
      cols,
      indptr,
      indices: indices.subarray(0, kept),
      data: data.subarray(0, kept),
    });
    this.#made = { density, matrix };
    return matrix;
  }
}
