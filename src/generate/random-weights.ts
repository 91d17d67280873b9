import { MatrixError } from '../core/errors.ts';
import { finish, rowsPerYield, type Steps } from '../core/job.ts';
import {
  checkShape,
  CsrMatrix,
  type Matrix,
  type RowBuffer,
  rowBuffer,
  type Rows,
  StoredDenseMatrix,
} from '../core/matrix/index.ts';
import { checkPattern, pruneToPatternSteps } from '../core/matrix/prune-pattern.ts';
import { f16Bits, f16FromF32Bits, f16Table, f16Value } from '../core/number/f16.ts';
import { bytesText } from '../core/text/words.ts';
import { runTasks, type TaskKind } from '../core/tasks.ts';
import { normalQuantile } from './normal-quantile.ts';
import { pruneRowsSteps, type Scoring } from './prune.ts';
import { checkShare } from './spec.ts';
import { mix, rowSeed, STREAM, streamSeed } from './seeds.ts';

// Random weights in place of the weights of a model whose file is not open. They are computed when they are read.

/** The definition of random weights: a shape and a seed. */
export interface RandomWeightsSpec {
  readonly rows: number;
  readonly cols: number;
  /** whole number from 0 to 2^32 - 1 */
  readonly seed: number;
}

/** How random weights are pruned; `density` is the share of cells that remain, from 0 to 1. */
export type RandomWeightsPruning =
  | { readonly way: 'magnitude' | 'rows'; readonly density: number }
  | { readonly way: 'random'; readonly density: number; readonly seed: number }
  | { readonly way: 'n-of-m'; readonly kept: number; readonly group: number };

/** Number of scores, which rank the weights and have 31 bits: see `Scoring`. */
const SCORES = 2 ** 31;

/** Number of magnitudes: the upper 15 bits of a score select one. f16 has 2^10 numbers between powers of two. */
const MAGNITUDES = 2 ** 15;

/** The smallest f16 above 0. */
const MIN_MAGNITUDE = 2 ** -24;

/** Maximum number of cells: positions and ranks are 32-bit. */
const MAX_CELLS = 2 ** 32 - 1;

/** A seed that follows from a name, the same on every machine. */
export function seedOf(name: string): number {
  let seed = 0;
  for (let i = 0; i < name.length; i++) seed = mix(Math.imul(seed, 31) + name.charCodeAt(i));
  return seed;
}

/** A range of rows that are drawn (generated) at once. */
interface Band {
  readonly first: number;
  readonly count: number;
}

/** A drawn band: its cells in f16, or its non-zeros, and the number of non-zeros of each row. */
interface DrawnBand {
  readonly cells: Uint16Array;
  readonly counts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/** Name of the tasks that draw bands. */
const RANDOM_ROWS = 'stand-in/rows';

/** Maximum number of bands that are drawn before they are joined: 128 MiB of cells. */
const BANDS_AT_ONCE = 64;

/** Tasks that draw bands of random weights, on any thread. */
export const randomWeightsTasks: TaskKind<
  { readonly spec: RandomWeightsSpec; readonly pruning: RandomWeightsPruning | null },
  Band,
  DrawnBand
> = {
  name: RANDOM_ROWS,
  open({ spec, pruning }) {
    const weights = new RandomWeights(spec, pruning);
    return (band) => weights.drawBand(band);
  },
  transferred: ({ cells, counts, columns, values }) =>
    [cells, counts, columns, values].map(({ buffer }) => buffer as ArrayBuffer),
};

/**
 * Random weights in place of a file of a model. Any part of a row is computed when it is read, from a hash of seed, row and
 * column. The hash is a score of 31 bits, which determines the magnitude, and a sign.
 *
 * They are normal with mean 0 and standard deviation 1 / sqrt(cols), rounded to f16 and never 0. Layers are initialised
 * at that scale so that outputs are as large as inputs. Trained weights stay near it and bell-shaped, with a few larger
 * ones that are missing here: the largest is 4.3 standard deviations. The magnitudes are 2^15 equally likely quantiles.
 * The threshold of a share of the largest weights is therefore known in advance, and no other row has to be read.
 */
export class RandomWeights implements Rows {
  readonly rows: number;
  readonly cols: number;
  /** standard deviation of the weights, before they are rounded */
  readonly deviation: number;
  readonly pruning: RandomWeightsPruning | null;
  /** non-zeros: exact, or expected if `isExpected` */
  readonly expectedNonZeros: number;
  readonly isExpected: boolean;
  readonly #spec: RandomWeightsSpec;
  /** the smallest score of a remaining weight; SCORES if no weight remains */
  readonly #minScore: number;
  /** magnitudes by the upper bits of a score, ascending */
  readonly #magnitudes: Float32Array;
  /** a hash of each column */
  readonly #columnKeys: Int32Array;
  #row: RowBuffer | null = null;

  /** Throws MatrixError for an invalid shape, for 2^32 cells or more, and for an invalid pruning. */
  constructor(spec: RandomWeightsSpec, pruning: RandomWeightsPruning | null = null) {
    const { rows, cols } = spec;
    checkShape(rows, cols);
    const cells = rows * cols;
    if (cells > MAX_CELLS) {
      throw new MatrixError(`${rows} × ${cols}: found ${cells} weights, expected at most ${MAX_CELLS}`);
    }
    if (pruning?.way === 'n-of-m') checkPattern(pruning.kept, pruning.group);
    else if (pruning) checkShare(pruning.density);
    this.rows = rows;
    this.cols = cols;
    this.pruning = pruning;
    this.deviation = 1 / Math.sqrt(Math.max(1, cols));
    this.isExpected = pruning?.way === 'magnitude' || pruning?.way === 'random';
    this.expectedNonZeros = nonZerosOf(rows, cols, pruning);
    this.#spec = spec;
    this.#minScore = this.isExpected ? this.#minScoreFor(this.expectedNonZeros) : 0;
    this.#magnitudes = magnitudesOf(this.deviation);
    this.#columnKeys = Int32Array.from({ length: cols }, (_, column) => mix(column) | 0);
  }

  /** The same weights with another pruning. */
  pruned(pruning: RandomWeightsPruning | null): RandomWeights {
    return new RandomWeights(this.#spec, pruning);
  }

  /** The smallest magnitude of remaining weights, computed from the distribution; 0 if every weight remains. */
  get threshold(): number {
    if (this.pruning?.way !== 'magnitude' || this.#minScore === 0) return 0;
    return this.deviation * normalQuantile((1 + this.#minScore / SCORES) / 2);
  }

  readRow(row: number, into: RowBuffer): number {
    return this.readRowPart(row, 0, this.cols, into);
  }

  readRowPart(row: number, from: number, to: number, into: RowBuffer): number {
    const { pruning } = this;
    if (pruning?.way === 'random') return this.#drawRandom(row, from, to, into, pruning.seed);
    if (pruning === null || pruning.way === 'magnitude') return this.#draw(row, from, to, into, this.#minScore);
    const buffer = (this.#row ??= rowBuffer(this.cols));
    const n = this.#band(row, 1, pruning).readRow(0, buffer);
    let count = 0;
    for (let i = 0; i < n; i++) {
      if (buffer.columns[i] < from || buffer.columns[i] >= to) continue;
      into.columns[count] = buffer.columns[i];
      into.values[count++] = buffer.values[i];
    }
    return count;
  }

  /** Scores of these weights by their magnitude before rounding. */
  readonly byMagnitude: Scoring = ({ columns }) => {
    const scores = new Uint32Array(columns.length);
    return (row, n) => {
      const rowKey = this.#rowKey(row);
      for (let i = 0; i < n; i++) scores[i] = mix((rowKey + this.#columnKeys[columns[i]]) | 0) >>> 1;
      return scores;
    };
  };

  /** The expected rank by magnitude of a weight with this score: 1 is the largest. */
  expectedRank(score: number): number {
    return Math.max(1, Math.ceil(((SCORES - score) / SCORES) * this.rows * this.cols));
  }

  /** Bytes of the whole matrix, as `wholeSteps` makes it. */
  get wholeBytes(): number {
    const { rows, cols, expectedNonZeros } = this;
    return this.#isDense ? 2 * rows * cols : 8 * expectedNonZeros + 4 * (rows + 1);
  }

  /**
   * The whole matrix: as f16 cells, or as CSR arrays if these are smaller. Other threads may draw bands of rows.
   * O(rows * cols); memory: the result and BANDS_AT_ONCE bands for cells, twice the result for CSR.
   */
  *wholeSteps(): Steps<Matrix> {
    const { rows, cols } = this;
    const indptr = new Uint32Array(rows + 1);
    if (this.#isDense) {
      const data = new Uint16Array(rows * cols);
      yield* this.#eachBand(({ first }, { cells }) => data.set(cells, first * cols));
      return new StoredDenseMatrix(rows, cols, data, f16Table());
    }
    const bands: DrawnBand[] = [];
    yield* this.#eachBand(({ first }, band) => {
      bands.push(band);
      for (const [r, count] of band.counts.entries()) indptr[first + r + 1] = indptr[first + r] + count;
    });
    const indices = new Uint32Array(indptr[rows]);
    const data = new Float32Array(indptr[rows]);
    let at = 0;
    for (const { columns, values } of bands) {
      indices.set(columns, at);
      data.set(values, at);
      at += columns.length;
    }
    return new CsrMatrix({ rows, cols, indptr, indices, data });
  }

  /** Draws all bands, on other threads if there are any, and passes them to `onBand` in order. */
  *#eachBand(onBand: (band: Band, drawn: DrawnBand) => void): Steps<void> {
    const { rows, pruning } = this;
    const spec = this.#spec;
    const what = `Making random weights, ${bytesText(this.wholeBytes)}`;
    const rowsPerBand = rowsPerYield(this.cols);
    const shared = { bytes: 0, copy: () => ({ spec, pruning }) };
    const inline = (band: Band): DrawnBand => this.drawBand(band);
    for (let from = 0; from < rows; from += rowsPerBand * BANDS_AT_ONCE) {
      const inputs: Band[] = [];
      for (let first = from; first < Math.min(rows, from + rowsPerBand * BANDS_AT_ONCE); first += rowsPerBand) {
        inputs.push({ first, count: Math.min(rowsPerBand, rows - first) });
      }
      const progress = (done: number) => ({ what, done: from + done * rowsPerBand, total: rows });
      const drawn = yield* runTasks({ kind: RANDOM_ROWS, shared, inputs, inline, progress });
      for (const [i, band] of inputs.entries()) onBand(band, drawn[i]);
    }
  }

  /** Draws a few rows of the whole matrix: f16 cells, or CSR entries if these are smaller. */
  drawBand({ first, count }: Band): DrawnBand {
    const { cols, pruning } = this;
    const buffer = rowBuffer(cols);
    const bits = new Uint32Array(buffer.values.buffer);
    const band = pruning?.way === 'rows' || pruning?.way === 'n-of-m' ? this.#band(first, count, pruning) : null;
    const space = count * cols;
    const cells = new Uint16Array(this.#isDense ? space : 0);
    const columns = new Uint32Array(this.#isDense ? 0 : space);
    const values = new Float32Array(columns.length);
    const counts = new Uint32Array(count);
    let at = 0;
    for (let r = 0; r < count; r++) {
      const n = band ? band.readRow(r, buffer) : this.readRow(first + r, buffer);
      counts[r] = n;
      if (this.#isDense) {
        for (let i = 0; i < n; i++) cells[r * cols + buffer.columns[i]] = f16FromF32Bits(bits[i]);
        continue;
      }
      columns.set(buffer.columns.subarray(0, n), at);
      values.set(buffer.values.subarray(0, n), at);
      at += n;
    }
    return { cells, counts, columns: columns.slice(0, at), values: values.slice(0, at) };
  }

  /** A band of rows, pruned in a way that depends on whole rows: 'rows' or 'n-of-m'. */
  #band(first: number, count: number, pruning: RandomWeightsPruning): Matrix {
    const { cols } = this;
    const unpruned: Matrix = {
      rows: count,
      cols,
      nnz: count * cols,
      readRow: (row, into) => this.#draw(first + row, 0, cols, into, 0),
    };
    return pruning.way === 'n-of-m'
      ? finish(pruneToPatternSteps(unpruned, pruning.kept, pruning.group))
      : finish(pruneRowsSteps(unpruned, pruning.density));
  }

  /** Draws the weights of a part of a row whose score is at least `minScore`. */
  #draw(row: number, from: number, to: number, { columns, values }: RowBuffer, minScore: number): number {
    const rowKey = this.#rowKey(row);
    const keys = this.#columnKeys;
    const magnitudes = this.#magnitudes;
    let n = 0;
    for (let c = from; c < to; c++) {
      // `mix`, inline
      let z = (rowKey + keys[c]) | 0;
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      z ^= z >>> 16;
      // Written without a branch, which a processor could not predict: a weight stays if n advances.
      columns[n] = c;
      values[n] = (1 - ((z & 1) << 1)) * magnitudes[z >>> 17];
      n += (minScore - 1 - (z >>> 1)) >>> 31;
    }
    return n;
  }

  /** Draws the weights of a part of a row that a random pruning keeps. */
  #drawRandom(row: number, from: number, to: number, into: RowBuffer, seed: number): number {
    const n = this.#draw(row, from, to, into, 0);
    const { columns, values } = into;
    const minScore = this.#minScore;
    const rowKey = rowSeed(seed, row) | 0;
    let count = 0;
    for (let i = 0; i < n; i++) {
      const score = mix((rowKey + this.#columnKeys[columns[i]]) | 0) >>> 1;
      columns[count] = columns[i];
      values[count] = values[i];
      count += (minScore - 1 - score) >>> 31; // without a branch, as in #draw
    }
    return count;
  }

  /** Key of the hash of a row; not the key of a random pruning, which would otherwise drop weights by magnitude. */
  #rowKey(row: number): number {
    return rowSeed(streamSeed(this.#spec.seed, STREAM.values), row) | 0;
  }

  /** whether f16 cells take fewer bytes than CSR arrays */
  get #isDense(): boolean {
    return 2 * this.rows * this.cols <= 8 * this.expectedNonZeros;
  }

  /** The smallest score whose rank is at most `maxRank`. */
  #minScoreFor(maxRank: number): number {
    let low = 0;
    let high = SCORES;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.expectedRank(middle) <= maxRank) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Exact or expected number of non-zeros after a pruning. */
function nonZerosOf(rows: number, cols: number, pruning: RandomWeightsPruning | null): number {
  if (pruning === null) return rows * cols;
  switch (pruning.way) {
    case 'rows':
      return rows * Math.round(pruning.density * cols);
    case 'n-of-m': {
      const { kept, group } = pruning;
      return rows * (Math.floor(cols / group) * kept + Math.min(kept, cols % group));
    }
    default:
      return Math.round(pruning.density * rows * cols);
  }
}

/** Standard normal quantiles of the 2^15 intervals of magnitudes, computed once. */
let quantiles: Float64Array | null = null;

/** The last result of `magnitudesOf`: all prunings of a matrix share it. */
let cached: { readonly deviation: number; readonly magnitudes: Float32Array } | null = null;

/** The magnitudes of normal weights in f16, ascending: one for each of 2^15 equally likely intervals. */
function magnitudesOf(deviation: number): Float32Array {
  if (cached?.deviation === deviation) return cached.magnitudes;
  quantiles ??= Float64Array.from({ length: MAGNITUDES }, (_, i) => normalQuantile(0.5 + (i + 0.5) / (2 * MAGNITUDES)));
  const magnitudes = new Float32Array(MAGNITUDES);
  for (let i = 0; i < MAGNITUDES; i++)
    magnitudes[i] = Math.max(MIN_MAGNITUDE, f16Value(f16Bits(deviation * quantiles[i])));
  cached = { deviation, magnitudes };
  return magnitudes;
}
