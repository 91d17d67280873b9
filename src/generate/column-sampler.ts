import { ln } from '../core/number/elementary.ts';
import { Random } from '../core/number/random.ts';
import type { Steps } from '../core/job.ts';
import { CsrMatrix } from '../core/matrix/index.ts';
import type { CheckedSpec } from './patterns.ts';
import { STREAM, streamSeed } from './seeds.ts';

/** How many random numbers are generated at once. */
const BLOCK = 4096;

/** Below this probability it is faster to draw the gaps between the chosen columns than to test every column. */
const GAPS_BELOW = 0.04;

/** Chooses columns at random, independently, from one seeded sequence. */
class ColumnSampler {
  readonly random: Random;
  readonly #block = new Int32Array(BLOCK);
  #next = BLOCK;
  /** the last `p` for which #byGaps was called, and its ln(1 - p) */
  #lastP = Number.NaN;
  #lnOfMiss = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  /**
   * Chooses each column of [from, to) with probability `p`, writes the chosen ones in ascending order to `into` from
   * index `startIndex` on and returns the index after the last. `into` has space for all of them and one more.
   * O(to - from), or O(chosen) for small p.
   */
  choose(from: number, to: number, p: number, into: Uint32Array, startIndex: number): number {
    if (p >= 1) {
      let n = startIndex;
      for (let c = from; c < to; c++) into[n++] = c;
      return n;
    }
    if (p <= 0) return startIndex;
    return p < GAPS_BELOW ? this.#byGaps(from, to, p, into, startIndex) : this.#oneByOne(from, to, p, into, startIndex);
  }

  /** Compares a random number of 31 bits with p for each column. */
  #oneByOne(from: number, to: number, p: number, into: Uint32Array, startIndex: number): number {
    const threshold = Math.round(p * 2 ** 31);
    const block = this.#block;
    let n = startIndex;
    let c = from;
    while (c < to) {
      if (this.#next === BLOCK) {
        this.random.fill(block);
        this.#next = 0;
      }
      const shift = this.#next - c;
      const stop = Math.min(to, BLOCK - shift);
      // Every column is written and only the chosen ones are kept, by the sign of a difference of 31-bit numbers:
      // a branch would be mispredicted.
      for (; c < stop; c++) {
        into[n] = c;
        n += ((block[c + shift] >>> 1) - threshold) >>> 31;
      }
      this.#next = c + shift;
    }
    return n;
  }

  /** The number of misses before a hit is geometric: floor(ln u / ln(1 - p)) with u uniform in (0, 1]. */
  #byGaps(from: number, to: number, p: number, into: Uint32Array, startIndex: number): number {
    if (p !== this.#lastP) {
      this.#lastP = p;
      this.#lnOfMiss = lnOneMinus(p);
    }
    let n = startIndex;
    for (let c = from; ; c++) {
      c += Math.floor(ln((this.random.u32() + 1) / 2 ** 32) / this.#lnOfMiss);
      if (c >= to) return n;
      into[n++] = c;
    }
  }
}

/** ln(1 - p) for 0 < p < 0.04 by its series, which keeps its precision for the smallest p. */
function lnOneMinus(p: number): number {
  let sum = 0;
  for (let k = 14; k >= 1; k--) sum = (sum + 1 / k) * p;
  return -sum;
}

/** Like `choose`, for exactly `count` of `length` columns, each choice equally likely (Knuth, TAOCP 3.4.2, S). */
export function chooseExactly(
  count: number,
  from: number,
  length: number,
  random: Random,
  into: Uint32Array,
  startIndex: number,
): number {
  let n = startIndex;
  let needed = count;
  for (let remaining = length; needed > 0; remaining--) {
    if (random.below(remaining) >= needed) continue;
    into[n++] = from + length - remaining;
    needed--;
  }
  return n;
}

/** Draws the columns of a row into `into`, ascending, and returns how many. `into` has space for a row and one more. */
type DrawRow = (row: number, sampler: ColumnSampler, into: Uint32Array) => number;

/** How many columns or values are drawn between two reports of progress: about 10 ms. A row counts ROW_COST more. */
const DRAWS_PER_REPORT = 2 ** 21;
const ROW_COST = 64;

/** How the normal values of a matrix are changed. */
interface ValueOptions {
  /** factor of each column; default: 1 */
  readonly scales?: Float32Array;
  /** whether each value becomes its magnitude */
  readonly isPositive?: boolean;
}

/** A random matrix with columns from `drawRow`, called twice for each row, and normal values changed by `values`. */
export function* assemble(spec: CheckedSpec, drawRow: DrawRow, values: ValueOptions = {}): Steps<CsrMatrix> {
  const { rows, cols } = spec;
  const { scales, isPositive } = values;
  const indptr = new Uint32Array(rows + 1);
  const total = 3 * rows;
  function* drawRows(pass: number, visit: (row: number, columns: Uint32Array) => void): Steps<void> {
    const sampler = new ColumnSampler(streamSeed(spec.seed, STREAM.columns));
    const columns = new Uint32Array(cols + 1);
    const rowsPerReport = Math.ceil(DRAWS_PER_REPORT / (cols + ROW_COST));
    for (let r = 0; r < rows; r++) {
      visit(r, columns.subarray(0, drawRow(r, sampler, columns)));
      if (r % rowsPerReport === rowsPerReport - 1) yield { what: 'Generating', done: pass * rows + r, total };
    }
  }
  yield* drawRows(0, (row, columns) => (indptr[row + 1] = indptr[row] + columns.length));
  const nnz = indptr[rows];
  const indices = new Uint32Array(nnz);
  yield* drawRows(1, (row, columns) => indices.set(columns, indptr[row]));

  const data = new Float32Array(nnz);
  const random = new Random(streamSeed(spec.seed, STREAM.values));
  for (let start = 0; start < nnz; start += DRAWS_PER_REPORT / 2) {
    const end = Math.min(nnz, start + DRAWS_PER_REPORT / 2);
    random.fillNormal(data.subarray(start, end));
    if (isPositive) for (let i = start; i < end; i++) data[i] = Math.abs(data[i]);
    if (scales) for (let i = start; i < end; i++) data[i] *= scales[indices[i]];
    yield { what: 'Generating', done: 2 * rows + Math.floor((rows * end) / nnz), total };
  }
  return new CsrMatrix({ rows, cols, indptr, indices, data });
}
