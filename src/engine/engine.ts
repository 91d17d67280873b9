import { MatrixError, SparseScopeError } from '../core/errors.ts';
import { type AnyFormat, resolvedParams } from '../core/format.ts';
import { density, type Matrix, matrixBytes, type Region, subMatrix } from '../core/matrix/index.ts';
import { type MatrixStatistics, statisticsSteps } from '../core/statistics/matrix-statistics.ts';
import type { BenchReport } from '../core/report.ts';
import type { FileContents } from '../io/read.ts';
import { RemoteCache } from '../io/web/remote-cache.ts';
import type { BenchHost, BenchMatrix } from './bench/bench-host.ts';
import { benchRun, benchSweep } from './bench/bench-runs.ts';
import { findBest, statisticsRequest, verdictOf } from './matrix/comparing.ts';
import { DeviceHolder, type GpuSource } from './device.ts';
import { Encodings } from './matrix/encodings.ts';
import { traceMemory } from '../places/kernels/service/drafts/memory.ts';
import { runDraft } from '../places/kernels/service/drafts/run.ts';
import { countLoads, loadsOfSubgroup } from '../places/kernels/service/kernel-loads.ts';
import { kernelFiles, readKernel } from '../places/kernels/service/kernel-reading.ts';
import { encodingFile, matrixFile } from './matrix/exporting.ts';
import { finishPaced, Jobs, type WorkerJob } from './jobs.ts';
import {
  baseKey,
  downloadFile,
  list,
  load,
  readText,
  type Loaded,
  type LoadingContext,
  type LoadingEnvironment,
} from './matrix/loading.ts';
import { Networks } from '../places/explore/service/network/networks.ts';
import { LiveRuns } from '../places/explore/service/live/live-runs.ts';
import { outOfMemory } from './out-of-memory.ts';
import { type Overview, overviewSteps } from './matrix/overview.ts';
import { type MatrixPreview, previewSteps } from './matrix/preview.ts';
import {
  type ArrayFile,
  type BaseRequest,
  type BestEncoding,
  type BenchRequest,
  busySentence,
  type Comparison,
  type ContainerRequest,
  type DeviceStatus,
  type DigitAnswer,
  type DigitRequest,
  type DraftRequest,
  type EncodingSummary,
  type EngineApi,
  type KernelFile,
  type KernelReading,
  type KernelRequest,
  type LiveRequest,
  type LoadsAnswer,
  type LoadsRequest,
  type Marginals,
  type MatrixFileKind,
  type MemoryAnswer,
  type MemoryRequest,
  type MatrixSource,
  type MatrixSummary,
  type NetworkRequest,
  type OpenRequest,
  type PruningRanks,
  type Ranking,
  type ReportProgress,
  type SizesRequest,
  type SubgroupAnswer,
  type SubgroupRequest,
  type SpyRequest,
  type SpyTile,
  type SweepAxis,
  type TakeDraftEvent,
  type TakeNetworkResult,
  type TakeReport,
  type TestImages,
  type TakeSize,
  type TextRequest,
  type TileCounts,
  type WindowCells,
} from './protocol.ts';
import { knownNormsSteps } from './matrix/known-norms.ts';
import { pruneSteps, pruningNote } from './matrix/pruning.ts';
import { pruningRankSteps } from './matrix/pruning-ranks.ts';
import { measureSizes } from '../places/explore/service/size-runs.ts';
import { marginals, spyTile } from './matrix/spy.ts';
import type { TuningStore } from './bench/tuning-store.ts';
import { tileHistogramSteps } from './matrix/tile-counts.ts';

/** Most cells that `window` hands out at once. */
const MAX_WINDOW_CELLS = 2 ** 20;

/** What the engine runs in: a worker of a browser, or a test. */
export interface EngineEnvironment extends LoadingEnvironment, GpuSource {
  /** name and version of the application, for reports */
  readonly app: string;
  readonly formats: readonly AnyFormat[];
  /** absent: what trials found for kernels is forgotten with the run */
  readonly tuning?: TuningStore;
  /** memory of the machine as far as the browser tells; null or left out where it does not */
  readonly deviceBytes?: number | null;
}

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
interface Held extends Candidate {
  readonly generation: number;
  readonly overview: Overview;
  readonly encodings: Encodings;
  /** null until somebody asks for them */
  statistics: MatrixStatistics | null;
}

/** The engine behind the page: owns the matrix, its encodings and the GPU device. Knows nothing of threads. */
export class Engine implements EngineApi {
  readonly #environment: EngineEnvironment;
  readonly #loading: LoadingContext;
  readonly #jobs: Jobs;
  readonly #device: DeviceHolder;
  readonly #host: BenchHost;
  readonly #networks: Networks;
  #held: Held | null = null;
  #generation = 0;
  #wholes = 0;
  #opening: WorkerJob | null = null;
  #isRunning = false;
  readonly #live: LiveRuns;
  /** the density that is being measured */
  #measuring: { readonly job: WorkerJob; readonly end: Promise<void> } | null = null;
  #isHidden = false;

  constructor(environment: EngineEnvironment) {
    const { app, runtime, formats, tuning } = environment;
    this.#environment = environment;
    this.#loading = {
      fetch: (url, init) => environment.fetch(url, init),
      now: () => environment.now(),
      pause: () => environment.pause(),
      ...(environment.threads && { threads: environment.threads }),
      cache: new RemoteCache(),
    };
    this.#jobs = new Jobs(environment);
    this.#device = new DeviceHolder(environment);
    this.#host = {
      app,
      runtime,
      formats,
      device: this.#device,
      ...(tuning && { tuning }),
      now: () => environment.now(),
      pause: (ms) => environment.pause(ms),
      stage: () => this.#stage(),
      isHidden: () => this.#isHidden,
      ...(environment.threads && { threads: environment.threads }),
    };
    this.#live = new LiveRuns(this.#host);
    this.#networks = new Networks(this.#host, (url, job) => downloadFile(url, job, environment));
  }

  async open(id: number, request: OpenRequest, onProgress: ReportProgress): Promise<MatrixSummary> {
    return this.#runUnlessBusy(id, 'open another matrix', onProgress, async (job) => {
      // Only the newest matrix is wanted, and two at once may not fit into memory.
      this.#opening?.cancel();
      this.#opening = job;
      try {
        const candidate = await this.#load(request, job);
        const overview = await this.#look(candidate, job);
        job.throwIfCancelled();
        const generation = ++this.#generation;
        const { deviceBytes = null } = this.#environment;
        const encodings = new Encodings(candidate.matrix, this.#environment, undefined, { deviceBytes });
        this.#held = { ...candidate, generation, overview, encodings, statistics: null };
        return summaryOf(this.#held);
      } finally {
        if (this.#opening === job) this.#opening = null;
      }
    });
  }

  async #load(request: OpenRequest, job: WorkerJob): Promise<Candidate> {
    if (request.kind !== 'pruned') {
      // Opened once more, a whole matrix is read anew; back from a pruned one it is there.
      const base =
        this.#held?.source.kind === 'pruned' ? await this.#base(request, job) : await this.#read(request, job);
      return { ...base.loaded, base };
    }
    const base = await this.#base(request.base, job);
    const { pruning } = request;
    const { name, source, matrix: whole, notes } = base.loaded;
    const norms = await this.#norms(base, pruning, job);
    const matrix = await finishPaced(pruneSteps(whole, pruning, norms), job, this.#environment);
    const note = pruningNote(pruning, whole, matrix);
    return { name, source: { kind: 'pruned', base: source, pruning }, matrix, notes: [...notes, note], base };
  }

  /** Norms of the activations of a matrix, where a pruning asks for them. */
  async #norms({ loaded }: Base, { way }: { readonly way: string }, job: WorkerJob): Promise<Float32Array | null> {
    return way === 'wanda' ? finishPaced(knownNormsSteps(loaded.inputs), job, this.#environment) : null;
  }

  /** The whole matrix of a request: the one that is open or that it was pruned from, where it is the same, or read anew. */
  async #base(request: BaseRequest, job: WorkerJob): Promise<Base> {
    const held = this.#held;
    return held?.base.key === baseKey(request) ? held.base : this.#read(request, job);
  }

  async #read(request: BaseRequest, job: WorkerJob): Promise<Base> {
    const loaded = await load(request, job, this.#loading);
    return { whole: ++this.#wholes, loaded, key: baseKey(request, loaded.source) };
  }

  tensors(id: number, request: ContainerRequest, onProgress: ReportProgress): Promise<FileContents> {
    return this.#jobs.run(id, onProgress, (job) => list(request, job, this.#loading));
  }

  text(id: number, request: TextRequest): Promise<string> {
    return this.#runUnlessBusy(id, 'read a file', ignoreProgress, (job) => readText(request, job, this.#loading));
  }

  preview(id: number, request: ContainerRequest, onProgress: ReportProgress): Promise<MatrixPreview> {
    return this.#runUnlessBusy(id, 'look at a tensor', onProgress, async (job) => {
      const { matrix } = await load(request, job, this.#loading);
      return finishPaced(previewSteps(matrix), job, this.#environment);
    });
  }

  async encodingFile(
    id: number,
    formatId: string,
    params: Readonly<Record<string, unknown>>,
    kind: ArrayFile,
    onProgress: ReportProgress,
  ): Promise<Blob> {
    return this.#runUnlessBusy(id, 'export', onProgress, async (job) => {
      const { encodings, matrix } = this.#open();
      const format = this.#format(formatId);
      const complete = resolvedParams(format.params, params, matrix);
      const { encoded } = await encodings.encoding(format, complete, job);
      return encodingFile(format, complete, encoded, kind, job, this.#environment);
    });
  }

  async matrixFile(id: number, kind: MatrixFileKind, onProgress: ReportProgress): Promise<Blob> {
    return this.#runUnlessBusy(id, 'export', onProgress, async (job) =>
      matrixFile(this.#open().matrix, kind, job, this.#environment),
    );
  }

  async #look({ name, matrix }: Candidate, job: WorkerJob): Promise<Overview> {
    try {
      return await finishPaced(overviewSteps(matrix), job, this.#environment);
    } catch (error) {
      const memory = outOfMemory(error, `${name}, the overview of ${matrix.rows} × ${matrix.cols}`);
      throw memory === null ? error : new MatrixError(memory);
    }
  }

  async spy(request: SpyRequest): Promise<SpyTile> {
    const { matrix, overview, generation } = this.#open();
    return { generation, ...spyTile(matrix, overview, request) };
  }

  async marginals(rowBuckets: number, colBuckets: number): Promise<Marginals> {
    const { overview, generation } = this.#open();
    return { generation, ...marginals(overview, rowBuckets, colBuckets) };
  }

  async window(region: Region): Promise<WindowCells> {
    const { matrix, generation } = this.#open();
    checkRegion(region, matrix);
    const { rows, cols, indptr, indices, data } = subMatrix(matrix, region);
    return { generation, rows, cols, indptr, indices, data };
  }

  async pruningRanks(id: number, region: Region, ranking: Ranking): Promise<PruningRanks> {
    return this.#runUnlessBusy(id, 'prune', ignoreProgress, async (job) => {
      const { base } = this.#open();
      const { whole, loaded } = base;
      checkRegion(region, loaded.matrix);
      const norms = await this.#norms(base, ranking, job);
      const ranked = await finishPaced(pruningRankSteps(loaded.matrix, region, ranking, norms), job, this.#environment);
      return { whole, ...ranked };
    });
  }

  async tileCounts(id: number, tileWidth: number): Promise<TileCounts> {
    return this.#runUnlessBusy(id, 'count', ignoreProgress, async (job) => {
      const { matrix, generation } = this.#open();
      return { generation, ...(await finishPaced(tileHistogramSteps(matrix, tileWidth), job, this.#environment)) };
    });
  }

  async encode(
    id: number,
    formatId: string,
    params: Readonly<Record<string, unknown>>,
    onProgress: ReportProgress,
  ): Promise<EncodingSummary> {
    return this.#runUnlessBusy(id, 'encode', onProgress, async (job) => {
      const { encodings, generation, matrix } = this.#open();
      const format = this.#format(formatId);
      const complete = resolvedParams(format.params, params, matrix);
      return { generation, ...(await encodings.summary(format, complete, job)) };
    });
  }

  async compare(
    id: number,
    params: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    onProgress: ReportProgress,
  ): Promise<Comparison> {
    return this.#runUnlessBusy(id, 'compare formats', onProgress, async (job) => {
      const held = this.#open();
      const statistics = await this.#statistics(held, job);
      const verdicts = Object.entries(params).map(([formatId, given]) => {
        const format = this.#format(formatId);
        const complete = resolvedParams(format.params, given, held.matrix);
        const digest = held.encodings.known(format, complete)?.digest ?? {};
        return [formatId, verdictOf(format, statistics, complete, digest)] as const;
      });
      const { generation, matrix } = held;
      return { generation, statistics, matrixBytes: matrixBytes(matrix), verdicts: Object.fromEntries(verdicts) };
    });
  }

  async bestParams(
    id: number,
    formatId: string,
    params: Readonly<Record<string, unknown>>,
    onProgress: ReportProgress,
  ): Promise<BestEncoding | null> {
    return this.#runUnlessBusy(id, 'look for parameters', onProgress, async (job) => {
      const held = this.#open();
      const format = this.#format(formatId);
      const complete = resolvedParams(format.params, params, held.matrix);
      const statistics = await this.#statistics(held, job);
      return findBest(format, held.matrix, statistics, complete, job, held.encodings);
    });
  }

  async #statistics(held: Held, job: WorkerJob): Promise<MatrixStatistics> {
    const request = statisticsRequest(this.#environment.formats);
    const count = (): Promise<MatrixStatistics> =>
      finishPaced(statisticsSteps(held.matrix, request), job, this.#environment);
    return (held.statistics ??= await held.encodings.whileAtRest(count));
  }

  kernel(id: number, request: KernelRequest, onProgress: ReportProgress): Promise<KernelReading> {
    return this.#runUnlessBusy(id, 'read a kernel', onProgress, async (job) => {
      const { formats } = this.#environment;
      const status = await this.#device.status();
      const device = status.kind === 'ready' ? (await this.#device.open()).facts : null;
      const { generation } = this.#open();
      return { generation, ...(await readKernel(formats, request, this.#stage(), device, job)) };
    });
  }

  async kernelFiles(): Promise<readonly KernelFile[]> {
    return kernelFiles(this.#environment.formats);
  }

  draft(id: number, request: DraftRequest, take: TakeDraftEvent): Promise<void> {
    const report: ReportProgress = (progress) => void take({ stage: 'doing', ...progress });
    return this.#runUnlessBusy(id, 'try a draft', report, (job) => {
      const alone = (work: () => Promise<void>): Promise<void> => this.#alone(work);
      return runDraft({ ...this.#host, alone }, request, job, take);
    });
  }

  memory(id: number, request: MemoryRequest): Promise<MemoryAnswer> {
    return this.#runUnlessBusy(id, 'watch a kernel', ignoreProgress, async (job) => {
      const { generation } = this.#open();
      return { generation, ...(await traceMemory(this.#host, request, job)) };
    });
  }

  loads(id: number, request: LoadsRequest, onProgress: ReportProgress): Promise<LoadsAnswer> {
    return this.#runUnlessBusy(id, 'count loads', onProgress, async (job) => {
      const { formats } = this.#environment;
      const { generation } = this.#open();
      return { generation, ...(await countLoads(formats, request, this.#stage(), job, this.#environment)) };
    });
  }

  subgroupLoads(id: number, request: SubgroupRequest): Promise<SubgroupAnswer> {
    return this.#runUnlessBusy(id, 'follow a subgroup', ignoreProgress, async (job) => {
      const { generation } = this.#open();
      return { generation, ...(await loadsOfSubgroup(this.#environment.formats, request, this.#stage(), job)) };
    });
  }

  sizes(id: number, request: SizesRequest, onProgress: ReportProgress, takeSize: TakeSize): Promise<void> {
    const host = {
      formats: this.#environment.formats,
      now: () => this.#environment.now(),
      pause: (ms?: number) => this.#environment.pause(ms),
      ...(this.#environment.threads && { threads: this.#environment.threads }),
      whole: () => this.#open().base.loaded.matrix,
    };
    return this.#runUnlessBusy(id, 'encode', onProgress, (job) => measureSizes(host, request, job, takeSize));
  }

  device(): Promise<DeviceStatus> {
    return this.#device.status();
  }

  bench(
    id: number,
    request: BenchRequest,
    onProgress: ReportProgress,
    takePart: TakeReport,
    before?: BenchReport,
  ): Promise<BenchReport> {
    return this.#runAlone(id, onProgress, (job) => benchRun(this.#host, request, job, takePart, before));
  }

  sweep(
    id: number,
    request: BenchRequest,
    axis: SweepAxis,
    onProgress: ReportProgress,
    takeReport: TakeReport,
    before?: readonly BenchReport[],
  ): Promise<void> {
    return this.#runAlone(id, onProgress, (job) => benchSweep(this.#host, request, axis, job, takeReport, before));
  }

  async forgetTuning(): Promise<void> {
    await this.#environment.tuning?.forget();
  }

  network(
    id: number,
    request: NetworkRequest,
    onProgress: ReportProgress,
    takeResult: TakeNetworkResult,
  ): Promise<void> {
    return this.#runUnlessBusy(id, 'run the network', onProgress, (job) =>
      this.#networks.run(request, job, takeResult),
    );
  }

  digit(id: number, request: DigitRequest): Promise<DigitAnswer> {
    return this.#runUnlessBusy(id, 'ask for a digit', ignoreProgress, (job) => this.#networks.digit(request, job));
  }

  testImages(id: number, first: number, count: number): Promise<TestImages> {
    return this.#jobs.run(id, ignoreProgress, (job) => this.#networks.testImages(first, count, job));
  }

  async live(id: number, request: LiveRequest, take: TakeReport): Promise<BenchReport> {
    return this.#runUnlessBusy(id, 'measure a density', ignoreProgress, async (job) => {
      const older = this.#measuring;
      older?.job.cancel();
      let ended = (): void => {};
      const measuring = { job, end: new Promise<void>((resolve) => (ended = resolve)) };
      this.#measuring = measuring;
      try {
        await older?.end;
        job.throwIfCancelled();
        const context = await this.#device.open();
        return await context.exclusively(() => this.#live.measure(request, job, take));
      } finally {
        ended();
        if (this.#measuring === measuring) this.#measuring = null;
      }
    });
  }

  async endLive(): Promise<void> {
    this.#measuring?.job.cancel();
    await this.#measuring?.end;
    // A newer one may have begun meanwhile.
    if (!this.#measuring) this.#live.release();
  }

  async setHidden(hidden: boolean): Promise<void> {
    this.#isHidden = hidden;
  }

  async cancel(id: number): Promise<void> {
    this.#jobs.cancel(id);
  }

  /** A job that has to wait for a benchmark, whose times it would spoil. `what` follows 'before you'. */
  async #runUnlessBusy<T>(
    id: number,
    what: string,
    onProgress: ReportProgress,
    work: (job: WorkerJob) => Promise<T>,
  ): Promise<T> {
    if (this.#isRunning) throw new SparseScopeError(busySentence(what));
    return this.#jobs.run(id, onProgress, work);
  }

  /** A benchmark, which everything else has to wait for. */
  #runAlone<T>(id: number, onProgress: ReportProgress, work: (job: WorkerJob) => Promise<T>): Promise<T> {
    return this.#runUnlessBusy(id, 'start another', onProgress, (job) => this.#alone(() => work(job)));
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isRunning) throw new SparseScopeError(busySentence('start another'));
    if (this.#opening) throw new SparseScopeError('A matrix is opening: run once it is open.');
    this.#isRunning = true;
    try {
      this.#measuring?.job.cancel();
      await this.#measuring?.end;
      this.#live.release();
      return await work();
    } finally {
      this.#isRunning = false;
    }
  }

  #format(id: string): AnyFormat {
    const { formats } = this.#environment;
    const format = formats.find((f) => f.id === id);
    if (format) return format;
    throw new RangeError(`format: found '${id}', expected one of ${formats.map((f) => f.id).join(', ')}`);
  }

  #open(): Held {
    if (!this.#held) throw new SparseScopeError('found no matrix, expected one to be open');
    return this.#held;
  }

  #stage(): BenchMatrix {
    const { matrix, encodings, name } = this.#open();
    return {
      matrix,
      source: name,
      encode: (format, params, job) => encodings.encoding(format, params, job),
      isEncoded: (format, params) => encodings.has(format, params),
    };
  }
}

/** Of work that ends before anybody asks how far it is. */
const ignoreProgress: ReportProgress = () => {};

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

/** Throws RangeError unless the region lies within the matrix and is not too large to be copied. */
function checkRegion({ row, col, rows, cols }: Region, m: Matrix): void {
  const found = `window: found ${rows} × ${cols} cells at row ${row}, column ${col}`;
  const isInside =
    [row, col, rows, cols].every((n) => Number.isSafeInteger(n) && n >= 0) &&
    row + rows <= m.rows &&
    col + cols <= m.cols;
  if (!isInside) throw new RangeError(`${found}, expected a place within the matrix of ${m.rows} × ${m.cols}`);
  if (rows * cols > MAX_WINDOW_CELLS) throw new RangeError(`${found}, expected at most ${MAX_WINDOW_CELLS} cells`);
}
