import { MatrixError, SparseScopeError } from '../../core/errors.ts';
import type { AnyFormat } from '../../core/format.ts';
import type { Job } from '../../core/job.ts';
import type { Matrix } from '../../core/matrix/index.ts';
import { RandomWeights } from '../../generate/random-weights.ts';
import { type MatrixStatistics, statisticsSteps } from '../../core/statistics/matrix-statistics.ts';
import type { ServiceJob } from '../bridge/service-job.ts';
import { outOfMemory } from '../out-of-memory.ts';
import { finishPaced } from '../worker-pace.ts';
import { statisticsRequest } from './format-verdicts.ts';
import { Encodings } from './encodings.ts';
import { baseKey, isShipped, loadMatrix, loadShipped, type LoadedMatrix, type LoadingContext } from './loading.ts';
import { type Overview, overviewSteps } from './overview.ts';
import { inputNormsSteps, pruneSteps, pruningNote } from './pruning.ts';
import type { BaseRequest, MatrixSource, OpenRequest } from './source-types.ts';
import {
  expectedNote,
  type LoadedRandomWeights,
  prunedRandomWeights,
  sampledOverviewSteps,
  sampleNote,
  sampleOf,
  randomWeightsFor,
  WholeMatrices,
} from './random-weights.ts';
import type { MatrixSummary } from './matrix-types.ts';

// The matrix that is open in the worker, the unpruned one that it comes from, its counts and its encodings.

/** An unpruned matrix, as read: the open one, or the one that the open matrix was pruned from. */
interface Base {
  /** its position among the unpruned matrices that were read, from 1 */
  readonly number: number;
  /** the request that it was read for */
  readonly request: BaseRequest;
  readonly loaded: LoadedMatrix | LoadedRandomWeights;
  /** `baseKey` of every request for it: by its file, and by the cells that a link contains instead of the file */
  readonly keys: readonly string[];
}

/** A loaded matrix that is about to replace the open one. */
interface Candidate {
  readonly name: string;
  readonly source: MatrixSource;
  /** RandomWeights: random weights instead of a model's, computed row by row; `MatrixHolder.whole` computes all of them */
  readonly matrix: Matrix | RandomWeights;
  readonly notes: readonly string[];
  readonly base: Base;
}

/** The open matrix, with what was computed of it so far. */
export interface OpenMatrix extends Candidate {
  /** changes with every matrix that is opened */
  readonly generation: number;
  /** counts, such as non-zeros; for random weights, counts of a sample of rows */
  readonly overview: Overview;
  /** all its rows; null until they are requested */
  wholeMatrix: WholeMatrix | null;
  /** null until they are requested */
  statistics: MatrixStatistics | null;
}

/** All rows of the open matrix, with their encodings. */
export interface WholeMatrix {
  readonly matrix: Matrix;
  readonly encodings: Encodings;
}

/** Holds the open matrix. Another one replaces it once it is open; if that fails, the first stays. */
export class MatrixHolder {
  readonly #context: LoadingContext;
  readonly #formats: readonly AnyFormat[];
  readonly #deviceBytes: number | null;
  readonly #wholes: WholeMatrices;
  #current: OpenMatrix | null = null;
  #generation = 0;
  #basesRead = 0;
  #opening: ServiceJob | null = null;
  #settled: Promise<unknown> = Promise.resolve();

  /** `deviceBytes`: memory of the machine, as the browser reports it */
  constructor(context: LoadingContext, formats: readonly AnyFormat[], deviceBytes: number | null) {
    this.#context = context;
    this.#formats = formats;
    this.#deviceBytes = deviceBytes;
    this.#wholes = new WholeMatrices(context, deviceBytes);
  }

  get isOpening(): boolean {
    return this.#opening !== null;
  }

  /** Resolves once the matrix being loaded is open, or has failed. Another one may be loading by then. */
  get settled(): Promise<unknown> {
    return this.#settled;
  }

  /** Throws SparseScopeError when none is open. */
  get current(): OpenMatrix {
    if (!this.#current) throw new SparseScopeError('found no matrix');
    return this.#current;
  }

  /**
   * Replaces the open matrix, and cancels an opening in progress (two may not fit into memory). Throws ReadError,
   * TensorChoiceError, MatrixError and CancelledError.
   */
  open(request: OpenRequest, job: ServiceJob): Promise<MatrixSummary> {
    const opened = this.#open(request, job);
    this.#settled = opened.catch(() => {});
    return opened;
  }

  async #open(request: OpenRequest, job: ServiceJob): Promise<MatrixSummary> {
    this.#opening?.cancel();
    this.#opening = job;
    try {
      const candidate = await this.#candidateOf(request, job);
      const overview = await this.#overviewOf(candidate, job);
      job.throwIfCancelled();
      const generation = ++this.#generation;
      this.#current = { ...candidate, generation, overview, wholeMatrix: null, statistics: null };
      return summaryOf(this.#current);
    } finally {
      if (this.#opening === job) this.#opening = null;
    }
  }

  /** All rows of the open matrix; the first call computes random weights. Throws MatrixError and CancelledError. */
  async whole(current: OpenMatrix, job: Job): Promise<WholeMatrix> {
    const matrix = await this.#wholes.whole(current.matrix, job);
    const memory = { deviceBytes: this.#deviceBytes };
    return (current.wholeMatrix ??= { matrix, encodings: new Encodings(matrix, this.#context, undefined, memory) });
  }

  /** Drops a format's encodings of the open matrix, since another format will have the same id. */
  forget(format: string): void {
    this.#current?.wholeMatrix?.encodings.forget(format);
  }

  /** Norms of the activations that the columns are multiplied with, for a pruning by Wanda; null for any other. */
  async norms({ loaded }: Base, { way }: { readonly way: string }, job: ServiceJob): Promise<Float32Array | null> {
    if (way === 'wanda' && 'shippedInputs' in loaded && loaded.shippedInputs) return loaded.shippedInputs.norms(job);
    const inputs = 'inputs' in loaded ? loaded.inputs : undefined;
    return way === 'wanda' ? finishPaced(inputNormsSteps(inputs), job, this.#context) : null;
  }

  /** Statistics that the verdicts of all formats need; counted on the first call. Throws as `whole`. */
  async statistics(current: OpenMatrix, job: ServiceJob): Promise<MatrixStatistics> {
    const request = statisticsRequest(this.#formats);
    const { matrix, encodings } = await this.whole(current, job);
    const count = (): Promise<MatrixStatistics> => finishPaced(statisticsSteps(matrix, request), job, this.#context);
    return (current.statistics ??= await encodings.whilePaused(count));
  }

  async #candidateOf(request: OpenRequest, job: ServiceJob): Promise<Candidate> {
    if (request.kind !== 'pruned') {
      // Opening an unpruned matrix again reads it again, unless the open one was pruned from it.
      const base =
        this.#current?.source.kind === 'pruned' ? await this.#baseOf(request, job) : await this.#readBase(request, job);
      return { ...base.loaded, base };
    }
    const base = await this.#baseOf(request.base, job);
    const { pruning } = request;
    const { name, source, matrix: unpruned, notes } = base.loaded;
    const pruned = { name, source: { kind: 'pruned', base: source, pruning }, base } as const;
    if (unpruned instanceof RandomWeights) {
      const matrix = prunedRandomWeights(unpruned, pruning);
      return { ...pruned, matrix, notes: [...notes, expectedNote(pruning, matrix)] };
    }
    const norms = await this.norms(base, pruning, job);
    const matrix = await finishPaced(pruneSteps(unpruned, pruning, norms), job, this.#context);
    const inputs = 'shippedInputs' in base.loaded ? base.loaded.shippedInputs : undefined;
    return { ...pruned, matrix, notes: [...notes, pruningNote(pruning, unpruned, matrix, inputs?.dataName)] };
  }

  /** The unpruned matrix of a request: the open matrix's if it is the same, else read again. */
  async #baseOf(request: BaseRequest, job: ServiceJob): Promise<Base> {
    const current = this.#current;
    return current?.base.keys.includes(baseKey(request)) ? current.base : this.#readBase(request, job);
  }

  async #readBase(request: BaseRequest, job: ServiceJob): Promise<Base> {
    const loaded = await this.#loadUnpruned(request, job);
    // A request for a model or a layer is keyed by the request itself, so that a later equal request is recognised.
    const source = request.kind === 'model' ? request : loaded.source;
    const file = 'container' in loaded ? loaded.container : undefined;
    const keys = [baseKey(request, file ?? source), ...(source.kind === 'cells' ? [baseKey(source)] : [])];
    return { number: ++this.#basesRead, request, loaded, keys };
  }

  async #loadUnpruned(request: BaseRequest, job: ServiceJob): Promise<LoadedMatrix | LoadedRandomWeights> {
    if (request.kind !== 'model') return loadMatrix(request, job, this.#context);
    const { models } = this.#context;
    return models !== null && isShipped(request) ? loadShipped(request, job, models) : randomWeightsFor(request);
  }

  async #overviewOf({ name, matrix }: Candidate, job: ServiceJob): Promise<Overview> {
    try {
      const steps = matrix instanceof RandomWeights ? sampledOverviewSteps(matrix) : overviewSteps(matrix);
      return await finishPaced(steps, job, this.#context);
    } catch (error) {
      const memory = outOfMemory(error, `${name}, the overview of ${matrix.rows} × ${matrix.cols}`);
      throw memory === null ? error : new MatrixError(memory);
    }
  }
}

/** What the page shows of a matrix that was opened. */
function summaryOf({ generation, base, name, source, matrix, overview, notes }: OpenMatrix): MatrixSummary {
  const { longestRow, emptyRows, absMax, nanCount, infCount, firstEntry } = overview;
  const { rows, cols } = matrix;
  const sample = matrix instanceof RandomWeights ? sampleOf(matrix) : null;
  const note = matrix instanceof RandomWeights ? sampleNote(matrix) : null;
  const nnz = nonZerosOf(matrix, overview);
  return {
    generation,
    baseNumber: base.number,
    name,
    source,
    ...(base.loaded.location ? { location: base.loaded.location } : {}),
    rows,
    cols,
    nnz,
    density: rows * cols === 0 ? 0 : nnz / (rows * cols),
    ...(sample === null || sample.isAll ? {} : { sampledRows: sample.rows, ...expectedField(matrix) }),
    longestRow,
    emptyRows,
    absMax,
    nanCount,
    infCount,
    firstEntry,
    notes: note === null ? notes : [...notes, note],
    ...readField(base.loaded),
  };
}

/** Notes on how a file was read. */
function readField(loaded: LoadedMatrix | LoadedRandomWeights): Pick<MatrixSummary, 'read'> {
  if (!('container' in loaded) || !loaded.container) return {};
  const { container, notes, lines } = loaded;
  return { read: { from: container, notes, otherReading: lines?.otherReading ?? null } };
}

function expectedField(matrix: Matrix | RandomWeights): { readonly isExpected?: true } {
  return matrix instanceof RandomWeights && matrix.isExpected ? { isExpected: true } : {};
}

/** The number of non-zeros; of random weights the expected one, unless all rows were read. */
function nonZerosOf(matrix: Matrix | RandomWeights, { rowCounts }: Overview): number {
  if (!(matrix instanceof RandomWeights)) return matrix.nnz;
  return sampleOf(matrix).isAll ? rowCounts.reduce((sum, count) => sum + count, 0) : matrix.expectedNonZeros;
}
