import { MatrixError } from '../../core/errors.ts';
import type { Job, Steps } from '../../core/job.ts';
import type { Matrix, Rows } from '../../core/matrix/index.ts';
import { throwIfCancelled } from '../../core/pace.ts';
import { bytesText, countText, counted } from '../../core/text/words.ts';
import { seedOf, RandomWeights } from '../../generate/random-weights.ts';
import { findPosition, matricesIn, type ModelPosition, positionText } from '../../theory/models/model-tree.ts';
import { shippedId } from '../../theory/models/known-models.ts';
import { outOfMemory } from '../out-of-memory.ts';
import { finishPaced, type WorkerPace } from '../worker-pace.ts';
import { type Overview, overviewSteps } from './overview.ts';
import { requireNorms, pruningText } from './pruning.ts';
import type { ModelSource, Pruning } from './source-types.ts';
import type { MatrixLocation } from './matrix-types.ts';

// Random weights of a model whose file is not open, called stand-in weights on the page. Few of their rows are computed.

/** Maximum number of cells that are counted for the figures of random weights, such as non-zeros: about 10 ms. */
const SAMPLED_CELLS = 2 ** 20;

/** Bytes of the largest matrix whose rows are all computed: the generator has the same limit. */
const MAX_BYTES = 4 * 2 ** 30;

/** Random weights for a model's matrix, before any of them are computed. */
export interface LoadedRandomWeights {
  readonly name: string;
  readonly source: ModelSource;
  readonly location: MatrixLocation;
  readonly matrix: RandomWeights;
  readonly notes: readonly string[];
}

/** Random weights of the shape of a model's matrix; none are computed yet. Throws MatrixError. */
export function randomWeightsFor(source: ModelSource): LoadedRandomWeights {
  const location = findPosition(source);
  const { model, path, matrix } = location;
  const { rows, cols } = matrix;
  const weights = new RandomWeights({ rows, cols, seed: seedOf(Object.values(path).join(' ')) });
  const random = `Random weights replace ${model.name} until its file is opened: normal, with a standard deviation of ${Number(weights.deviation.toPrecision(2))}.`;
  return {
    name: `${positionText(model, matrix)}, stand-in weights`,
    source: { kind: 'model', ...path },
    location: matrixLocation(location),
    matrix: weights,
    notes: [...levelNotes(location), random],
  };
}

/** Where a matrix is in its model, by names that the page shows. */
export function matrixLocation({ model, matrix: { layer, title } }: ModelPosition): MatrixLocation {
  const matrices = matricesIn(model);
  const isShipped = shippedId(model) !== null;
  return {
    model: model.name,
    layer,
    matrix: title,
    matrices: matrices.reduce((sum, { count }) => sum + count, 0),
    inLayer: matricesIn(model, layer ?? 0).reduce((sum, { perLayer }) => sum + perLayer, 0),
    ...(isShipped && { isShipped }),
  };
}

/** The note on why this matrix is shown, if a whole model or layer was requested; else none. */
export function levelNotes({ level, matrix: { title } }: ModelPosition): readonly string[] {
  if (level === 'matrix') return [];
  return [`Of the whole ${level}, ${title} is shown: it has the most bytes.`];
}

/** Random weights after a pruning. Throws MatrixError for numbers out of range, and for Wanda, which needs norms of activations. */
export function prunedRandomWeights(whole: RandomWeights, pruning: Pruning): RandomWeights {
  if (pruning.way !== 'wanda') return whole.pruned(pruning);
  requireNorms(null); // throws
  return whole;
}

/** The description of a pruning of random weights, with the expected density. */
export function expectedNote(pruning: Pruning, { rows, cols, isExpected, expectedNonZeros }: RandomWeights): string {
  const share = `${countText(expectedNonZeros)} of ${countText(rows * cols)} weights remain`;
  return `Pruned ${pruningText(pruning)}: ${isExpected ? 'about ' : ''}${share}.`;
}

/** Evenly spaced rows from row 0 on, of about SAMPLED_CELLS cells in all; every row of a small matrix. */
export function sampleOf(m: Rows): Rows & { readonly isAll: boolean } {
  const rows = Math.min(m.rows, Math.max(1, Math.floor(SAMPLED_CELLS / Math.max(1, m.cols))));
  return {
    rows,
    cols: m.cols,
    isAll: rows === m.rows,
    readRow: (row, into) => m.readRow(Math.floor((row * m.rows) / rows), into),
  };
}

/** The overview of a sample of rows. Without grids of counts unless the sample is the whole matrix. */
export function* sampledOverviewSteps(m: RandomWeights): Steps<Overview> {
  const sample = sampleOf(m);
  const overview = yield* overviewSteps(sample);
  // Row 0 is in every sample. An entry of a later row need not be the first: rows before it may have been left out.
  const { firstEntry } = overview;
  return sample.isAll ? overview : { ...overview, grids: [], firstEntry: firstEntry?.row === 0 ? firstEntry : null };
}

/** A note on how many rows the figures are counted from; null if from all. */
export function sampleNote(m: RandomWeights): string | null {
  const { rows, isAll } = sampleOf(m);
  if (isAll) return null;
  const counts = m.isExpected
    ? 'Non-zeros and their share are expected values, other figures'
    : 'Figures of rows and values';
  return `${counts} are of ${counted(rows, 'row')}. The whole matrix, ${bytesText(m.wholeBytes)}, is made when needed.`;
}

/** Computes all rows of random weights, once for each matrix; other matrices are returned unchanged. */
export class WholeMatrices {
  readonly #made = new WeakMap<RandomWeights, Matrix>();
  /** resolves when the whole matrix that is being computed is complete, or has failed */
  #making: Promise<void> | null = null;
  readonly #pace: WorkerPace;
  readonly #deviceBytes: number | null;

  /** `deviceBytes`: memory of the machine, as the browser reports it */
  constructor(pace: WorkerPace, deviceBytes: number | null) {
    this.#pace = pace;
    this.#deviceBytes = deviceBytes;
  }

  /** The matrix itself, or all rows of random weights. Throws MatrixError without memory, and CancelledError. */
  async whole(m: Matrix | RandomWeights, job: Job): Promise<Matrix> {
    if (!(m instanceof RandomWeights)) return m;
    // An earlier job may compute it; if that job is cancelled, this one does.
    while (this.#making) await this.#making;
    throwIfCancelled(job);
    const made = this.#made.get(m);
    if (made) return made;
    let finish = (): void => {};
    this.#making = new Promise((resolve) => (finish = resolve));
    try {
      const whole = await this.#make(m, job);
      this.#made.set(m, whole);
      return whole;
    } finally {
      this.#making = null;
      finish();
    }
  }

  async #make(m: RandomWeights, job: Job): Promise<Matrix> {
    const name = `stand-in weights of ${m.rows} × ${m.cols}`;
    const max = Math.min(MAX_BYTES, this.#deviceBytes ?? MAX_BYTES);
    if (m.wholeBytes > max) {
      throw new MatrixError(`${name}: found ${bytesText(m.wholeBytes)} to make, expected at most ${bytesText(max)}`);
    }
    try {
      return await finishPaced(m.wholeSteps(), job, this.#pace);
    } catch (error) {
      const memory = outOfMemory(error, name);
      throw memory === null ? error : new MatrixError(memory);
    }
  }
}
