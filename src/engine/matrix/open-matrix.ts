import { MatrixError, SparseScopeError } from '../../core/errors.ts';
import type { AnyFormat } from '../../core/format.ts';
import { density, type Matrix } from '../../core/matrix/index.ts';
import { type MatrixStatistics, statisticsSteps } from '../../core/statistics/matrix-statistics.ts';
import type { ServiceJob } from '../bridge/job.ts';
import { outOfMemory } from '../out-of-memory.ts';
import { finishPaced } from '../pace.ts';
import { statisticsRequest } from './comparing.ts';
import { Encodings } from './encodings.ts';
import { knownNormsSteps } from './known-norms.ts';
import { baseKey, load, type Loaded, type LoadingContext } from './loading.ts';
import { type Overview, overviewSteps } from './overview.ts';
import { pruneSteps, pruningNote } from './pruning.ts';
import type { BaseRequest, MatrixSource, OpenRequest } from './source-types.ts';
import type { MatrixSummary } from './types.ts';

/** A whole matrix that another may be pruned from. */
interface Base {
  /** counts the whole matrices that were read */
  readonly whole: number;
  readonly loaded: Loaded;
  readonly key: string;
}

/** A matrix to be put in place of the one that is open. */
interface Candidate {
  readonly name: string;
  readonly source: MatrixSource;
  readonly matrix: Matrix;
  readonly notes: readonly string[];
  readonly base: Base;
}

/** The matrix that is open, with everything that belongs to it. */
export interface Held extends Candidate {
  readonly generation: number;
  readonly overview: Overview;
  readonly encodings: Encodings;
  /** null until somebody asks for them */
  statistics: MatrixStatistics | null;
}

/** The one matrix that is open; opening another replaces it once that has succeeded. */
export class OpenMatrix {
  readonly #context: LoadingContext;
  readonly #formats: readonly AnyFormat[];
  readonly #deviceBytes: number | null;
  #held: Held | null = null;
  #generation = 0;
  #wholes = 0;
  #opening: ServiceJob | null = null;

  /** `deviceBytes`: memory of the machine as far as the browser tells */
  constructor(context: LoadingContext, formats: readonly AnyFormat[], deviceBytes: number | null) {
    this.#context = context;
    this.#formats = formats;
    this.#deviceBytes = deviceBytes;
  }

  get isOpening(): boolean {
    return this.#opening !== null;
  }

  /** Throws SparseScopeError when none is open. */
  get held(): Held {
    if (!this.#held) throw new SparseScopeError('found no matrix, expected one to be open');
    return this.#held;
  }

  async open(request: OpenRequest, job: ServiceJob): Promise<MatrixSummary> {
    // Only the newest matrix is wanted, and two at once may not fit into memory.
    this.#opening?.cancel();
    this.#opening = job;
    try {
      const candidate = await this.#load(request, job);
      const overview = await this.#look(candidate, job);
      job.throwIfCancelled();
      const generation = ++this.#generation;
      const memory = { deviceBytes: this.#deviceBytes };
      const encodings = new Encodings(candidate.matrix, this.#context, undefined, memory);
      this.#held = { ...candidate, generation, overview, encodings, statistics: null };
      return summaryOf(this.#held);
    } finally {
      if (this.#opening === job) this.#opening = null;
    }
  }

  /** Norms of the activations of the whole matrix, where a pruning asks for them. */
  async norms({ loaded }: Base, { way }: { readonly way: string }, job: ServiceJob): Promise<Float32Array | null> {
    return way === 'wanda' ? finishPaced(knownNormsSteps(loaded.inputs), job, this.#context) : null;
  }

  async statistics(held: Held, job: ServiceJob): Promise<MatrixStatistics> {
    const request = statisticsRequest(this.#formats);
    const count = (): Promise<MatrixStatistics> =>
      finishPaced(statisticsSteps(held.matrix, request), job, this.#context);
    return (held.statistics ??= await held.encodings.whileAtRest(count));
  }

  async #load(request: OpenRequest, job: ServiceJob): Promise<Candidate> {
    if (request.kind !== 'pruned') {
      // Opened once more, a whole matrix is read anew; back from a pruned one it is there.
      const base =
        this.#held?.source.kind === 'pruned' ? await this.#base(request, job) : await this.#read(request, job);
      return { ...base.loaded, base };
    }
    const base = await this.#base(request.base, job);
    const { pruning } = request;
    const { name, source, matrix: whole, notes } = base.loaded;
    const norms = await this.norms(base, pruning, job);
    const matrix = await finishPaced(pruneSteps(whole, pruning, norms), job, this.#context);
    const note = pruningNote(pruning, whole, matrix);
    return { name, source: { kind: 'pruned', base: source, pruning }, matrix, notes: [...notes, note], base };
  }

  /** The whole matrix of a request: the one that is open or that it was pruned from, where it is the same, or read anew. */
  async #base(request: BaseRequest, job: ServiceJob): Promise<Base> {
    const held = this.#held;
    return held?.base.key === baseKey(request) ? held.base : this.#read(request, job);
  }

  async #read(request: BaseRequest, job: ServiceJob): Promise<Base> {
    const loaded = await load(request, job, this.#context);
    return { whole: ++this.#wholes, loaded, key: baseKey(request, loaded.source) };
  }

  async #look({ name, matrix }: Candidate, job: ServiceJob): Promise<Overview> {
    try {
      return await finishPaced(overviewSteps(matrix), job, this.#context);
    } catch (error) {
      const memory = outOfMemory(error, `${name}, the overview of ${matrix.rows} × ${matrix.cols}`);
      throw memory === null ? error : new MatrixError(memory);
    }
  }
}

function summaryOf({ generation, base, name, source, matrix, overview, notes }: Held): MatrixSummary {
  const { longestRow, emptyRows, absMax, nanCount, infCount, firstEntry } = overview;
  const { rows, cols, nnz } = matrix;
  return {
    generation,
    whole: base.whole,
    name,
    source,
    rows,
    cols,
    nnz,
    density: density(matrix),
    longestRow,
    emptyRows,
    absMax,
    nanCount,
    infCount,
    firstEntry,
    notes,
  };
}
