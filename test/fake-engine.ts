// A fake engine for tests, with fake formats and stories: its answers come when the test lets them.

import { cellsName } from '../src/core/cells/link-cells.ts';
import type { AnyStory } from '../src/story/format-story.ts';
import * as twoStories from '../src/story/two-stories.ts';
import type { AnyListedFormat } from '../src/core/format.ts';
import { EngineDeathError, ReadError } from '../src/core/errors.ts';
import { finish } from '../src/core/job.ts';
import { CsrMatrix, type Matrix, matrixBytes, type Region, subMatrix } from '../src/core/matrix/index.ts';
import { statisticsSteps } from '../src/core/statistics/matrix-statistics.ts';
import type { BenchReport } from '../src/core/report.ts';
import { ledger } from '../src/core/encoded/ledger.ts';
import type { BaseRequest, BaseSource, ContainerRequest, OpenRequest } from '../src/engine/matrix/source-types.ts';
import type { FoundBest } from '../src/engine/matrix/verdict-types.ts';
import type { BenchRequest, SweepAxis, SweepShape, OnReport } from '../src/engine/bench/bench-types.ts';
import type {
  Comparison,
  EncodingSummary,
  FileContents,
  Marginals,
  MatrixSummary,
  PruningRanks,
  SpyTile,
  TileCounts,
  WindowCells,
} from '../src/engine/matrix/matrix-types.ts';
import type { DeviceStatus } from '../src/engine/device.ts';
import type { Engine, EngineDeath } from '../src/engine/bridge/engine.ts';
import type { KernelFile, KernelReading, KernelRequest } from '../src/engine/kernel-reading/kernel-reading-types.ts';
import type { MatrixPreview } from '../src/engine/matrix/preview.ts';
import type { Ranking } from '../src/engine/matrix/pruning-ranks.ts';
import type { ServiceJob } from '../src/engine/bridge/service-job.ts';
import { defineService, type ServiceOf, type ServiceOn, type Watch } from '../src/engine/bridge/service.ts';
import type { bench } from '../src/engine/bench-service.ts';
import type { device } from '../src/engine/device-service.ts';
import type { matrix } from '../src/engine/matrix-service.ts';
import type { compareFormats, OnSize, SizesRequest } from '../src/pages/compare/service/service.ts';
import type { kernels } from '../src/pages/code/service/service.ts';
import { localEngine } from './local-engine.ts';
import {
  type Catalog,
  createDocumentStore,
  defaultDocument,
  type DocumentStore,
  withStep,
} from '../src/state/document.ts';
import type { Preferences } from '../src/state/preferences.ts';
import type { SavedFiles } from '../src/state/session/saved-files.ts';
import type { SavedRun, RunStore } from '../src/state/session/run-store.ts';
import { createPlayer, type Player } from '../src/state/player.ts';
import { createSession, type Session } from '../src/state/session/session.ts';
import { PAGES } from './pages.ts';

/** A story with one step per entry of the window, times its parameter. */
function fakeStory(id: string): AnyStory {
  return {
    admits: (m: Matrix) =>
      m instanceof CsrMatrix && m.data.some(Number.isNaN)
        ? { ok: false, reason: 'values: found NaN.', remedy: 'Remove it.' }
        : { ok: true, notes: [] },
    trace: (window: Matrix, params: { repeat: number }) => {
      const stepCount = window.nnz * params.repeat;
      return {
        format: id,
        window,
        params,
        encoded: null,
        x: new Float32Array(window.cols),
        chapters: [{ id: 'only', title: 'Only', firstStep: 0, stepCount }],
        steps: Array.from({ length: stepCount }, () => ({ chapter: 0, effects: [], detail: null })),
      };
    },
    scene: () => ({ panels: [], links: [], narration: [], code: null }),
  };
}

/** A format that rejects windows with NaN; `load` is called before its story resolves. */
export function fakeFormat(id: string, load: () => Promise<void> = async () => {}): AnyListedFormat {
  return {
    id,
    title: id.toUpperCase(),
    summary: '',
    source: null,
    params: { repeat: { kind: 'integer', label: 'repeat', meaning: '', default: 1, min: 1, max: 3 } },
    story: async () => {
      await load();
      return fakeStory(id);
    },
    kernels: [],
  } as unknown as AnyListedFormat;
}

/** Matrices that the fake engine can open, by name or the last part of an address; 'broken' is not one. */
export const MATRICES: Readonly<Record<string, CsrMatrix>> = {
  diagonal: diagonal(8),
  wide: diagonal(200),
  bomb: diagonal(8),
  empty: new CsrMatrix({
    rows: 4,
    cols: 4,
    indptr: new Uint32Array(5),
    indices: new Uint32Array(0),
    data: new Float32Array(0),
  }),
  nan: new CsrMatrix({
    rows: 1,
    cols: 1,
    indptr: Uint32Array.of(0, 1),
    indices: Uint32Array.of(0),
    data: Float32Array.of(Number.NaN),
  }),
};

function diagonal(n: number): CsrMatrix {
  return new CsrMatrix({
    rows: n,
    cols: n,
    indptr: Uint32Array.from({ length: n + 1 }, (_, i) => i),
    indices: Uint32Array.from({ length: n }, (_, i) => i),
    data: new Float32Array(n).fill(1),
  });
}

/** A service whose methods a test may replace, with asynchronous answers, as from the engine's worker. */
type FakeService<S extends ServiceOn<never>> = {
  -readonly [Method in keyof ServiceOf<S>]: ServiceOf<S>[Method] extends (
    watch: Watch,
    ...args: infer Args
  ) => infer Answer
    ? (job: ServiceJob, ...args: Args) => Answer
    : never;
};

/**
 * An engine that stores a matrix like the real one, and whose every answer waits for `turn`, so that tests control the
 * order of events. Long jobs take three turns and check for cancellation after each.
 */
export class FakeEngine implements Engine {
  generation = 0;
  held: CsrMatrix | null = null;
  /** method and argument of every call, in order */
  readonly calls: string[] = [];
  benchError: Error | null = null;
  /** the partial report of a run */
  benchPart: BenchReport | null = null;
  /** the earlier reports that runs were resumed from */
  readonly before: (BenchReport | undefined)[] = [];
  /** the requests of each run, and their matrices */
  readonly requests: { readonly request: BenchRequest; readonly generation: number }[] = [];
  /** the generation (number) of the matrix from which the cells of a window were read, by the array of their values */
  readonly generationOf = new WeakMap<Float32Array, number>();
  readonly service: Engine['service'];
  readonly #turn: (label: string) => Promise<void>;
  readonly #listeners: ((death: EngineDeath) => void)[] = [];
  #lives = 1;

  /** `lab`: services besides those in src */
  constructor(
    turn: (label: string) => Promise<void> = async () => {},
    lab: (engine: FakeEngine) => readonly ServiceOn<{ now(): number }>[] = () => [],
  ) {
    this.#turn = async (label) => {
      const life = this.#lives;
      await turn(label);
      if (life !== this.#lives) throw new EngineDeathError('The engine died.');
    };
    const services = [
      defineService('matrix', () => this.matrix),
      defineService('device', () => this.device),
      defineService('bench', () => this.bench),
      defineService('kernels', () => this.kernels),
      defineService('compare', () => this.compare),
      ...lab(this),
    ];
    let ms = 0;
    // The clock advances a second per reading, so that no progress report is dropped for coming too soon after another.
    const clock = { now: () => (ms += 1000) };
    this.service = localEngine(services, clock, (cancel) => {
      this.calls.push('cancel');
      this.#turn('cancel').then(cancel, () => {});
    }).service;
  }

  onDeath(listener: (death: EngineDeath) => void): void {
    this.#listeners.push(listener);
  }

  onGpuSilence(listener: (ms: number) => void): void {
    this.silence = listener;
  }

  /** Reports for how long the GPU has not answered, as the ping of the worker does. */
  silence: (ms: number) => void = () => {};

  /** Ends the engine. A new one replaces it, whose matrices are counted from the beginning; with `isFinal` none does. */
  die(how = 'stopped by itself', isFinal = false): void {
    this.#lives++;
    this.generation = 0;
    this.held = null;
    for (const listener of this.#listeners) listener({ how, isFinal });
  }

  /** A long job of three turns. Throws CancelledError. */
  async work(job: ServiceJob, what: string): Promise<void> {
    const life = this.#lives;
    for (let done = 1; done <= 3; done++) {
      await this.#turn(`${what} ${done}`);
      if (life !== this.#lives) throw new EngineDeathError('The engine died.');
      job.throwIfCancelled();
      job.report({ what, done, total: 3 });
    }
  }

  #matrix(): CsrMatrix {
    if (!this.held) throw new ReadError('no matrix is open');
    return this.held;
  }

  readonly matrix: FakeService<typeof matrix> = {
    open: async (job: ServiceJob, request: OpenRequest): Promise<MatrixSummary> => {
      const base = request.kind === 'pruned' ? request.base : request;
      const name = nameOf(base);
      this.calls.push(request.kind === 'pruned' ? `prune ${name} ${request.pruning.way}` : `open ${name}`);
      await this.work(job, `open ${name}`);
      if (name === 'several' && !('tensor' in base)) {
        throw Object.assign(new Error('several'), { name: 'TensorChoiceError' });
      }
      if (name === 'bomb' && (!('maxDecompressedBytes' in base) || (base.maxDecompressedBytes ?? 0) < 2 ** 36)) {
        throw Object.assign(new Error('bomb: found more than is allowed'), { name: 'DecompressionLimitError' });
      }
      const [key = ''] = name.split('/').slice(-1);
      const matrix = MATRICES[name === 'several' && 'tensor' in base ? (base.tensor ?? '') : key];
      if (!matrix) throw new ReadError(`${name}: found 'x' in line 1, expected a banner`);
      this.held = matrix;
      const generation = ++this.generation;
      await this.#turn('open answers');
      const { rows, cols, nnz } = matrix;
      return {
        generation,
        baseNumber: request.kind === 'pruned' ? 1 : generation,
        name,
        source:
          request.kind === 'pruned'
            ? { kind: 'pruned', base: sourceOf(request.base), pruning: request.pruning }
            : sourceOf(request),
        rows,
        cols,
        nnz,
        density: nnz / (rows * cols),
        // Models are always treated as too large for all rows to be examined.
        ...(base.kind === 'model' ? { sampledRows: 4 } : {}),
        longestRow: 1,
        emptyRows: 0,
        absMax: 1,
        nanCount: 0,
        infCount: 0,
        firstEntry: nnz > 0 ? { row: 0, col: 0 } : null,
        notes: [],
      };
    },
    generation: async (): Promise<number> => this.generation,
    tensors: async (_job: ServiceJob, request: ContainerRequest): Promise<FileContents> => {
      this.calls.push(`tensors ${nameOf(request)}`);
      await this.#turn('tensors');
      const tensor = { shape: [8, 8], dtype: 'f32', bytes: 256, refused: null };
      return { format: 'npz', tensors: ['diagonal', 'wide'].map((name) => ({ ...tensor, name })), preferred: null };
    },
    preview: async (job: ServiceJob, request: ContainerRequest): Promise<MatrixPreview> => {
      await this.work(job, `preview ${request.tensor ?? ''}`);
      const histogram = { firstExponent: 0, counts: [8] };
      return { rows: 8, cols: 8, zeroShare: 7 / 8, histogram, patterns: [] };
    },
    encodingFile: async (job: ServiceJob, format: string, params: object, kind: string): Promise<Blob> => {
      this.calls.push(`encodingFile ${format} ${JSON.stringify(params)} ${kind}`);
      await this.work(job, 'Writing');
      return new Blob(['arrays']);
    },
    matrixFile: async (): Promise<Blob> => {
      this.#matrix();
      return new Blob(['matrix']);
    },
    spy: async (_job: ServiceJob, { region }: { region: Region }): Promise<SpyTile> => {
      const { generation } = this;
      await this.#turn('spy');
      const buckets = Float32Array.of(this.#matrix().nnz);
      return { generation, region, width: 1, height: 1, rowsPerBucket: 1, colsPerBucket: 1, kind: 'cells', buckets };
    },
    spyOn: async (
      _job: ServiceJob,
      _source: object,
      _pruning: object | null,
      { region }: { region: Region },
    ): Promise<SpyTile> => {
      const [rowsPerBucket, colsPerBucket] = [region.rows, region.cols];
      const buckets = Float32Array.of(0.5);
      return { generation: 0, region, width: 1, height: 1, rowsPerBucket, colsPerBucket, kind: 'density', buckets };
    },
    marginals: async (): Promise<Marginals> => {
      const { generation } = this;
      await this.#turn('marginals');
      return { generation, rowDensity: new Float32Array(1), colDensity: new Float32Array(1) };
    },
    cells: (): Promise<WindowCells> => Promise.reject(new Error('cells: found no format that requests them')),
    registerFormat: async (): Promise<void> => {},
    window: async (_job: ServiceJob, region: Region): Promise<WindowCells> => {
      this.calls.push(`window ${region.row},${region.col},${region.rows},${region.cols}`);
      await this.#turn('window asks');
      const { generation } = this;
      const matrix = this.#matrix();
      if (region.row + region.rows > matrix.rows || region.col + region.cols > matrix.cols) {
        throw new RangeError(`window: outside of ${matrix.rows} × ${matrix.cols}`);
      }
      const { rows, cols, indptr, indices, data } = subMatrix(matrix, region);
      this.generationOf.set(data, generation);
      await this.#turn('window answers');
      return { generation, rows, cols, indptr, indices, data };
    },
    pruningRanks: async (_job: ServiceJob, region: Region, { way }: Ranking): Promise<PruningRanks> => {
      this.calls.push(`ranks ${way}`);
      await this.#turn('ranks');
      const { rows, cols, indptr, indices, data } = subMatrix(this.#matrix(), region);
      const ranks = Uint32Array.from(data, (_, i) => i + 1);
      return { baseNumber: 1, rows, cols, indptr, indices, data, ranks };
    },
    text: async (_job: ServiceJob, { reference }: { reference: string }): Promise<string> => {
      this.calls.push(`text ${reference}`);
      await this.#turn('text');
      return '{}';
    },
    highlight: async (): Promise<{ generation: number; cut: null }> => {
      const { generation } = this;
      await this.#turn('highlight');
      return { generation, cut: null };
    },
    tileCounts: async (_job: ServiceJob, tileWidth: number): Promise<TileCounts> => {
      this.calls.push(`tileCounts ${tileWidth}`);
      const { generation } = this;
      await this.#turn('tileCounts');
      const rows = Uint32Array.of(this.#matrix().rows);
      return { generation, tileWidth, rows, tileRows: rows.slice(), fullest: rows.slice() };
    },
    encode: async (
      job: ServiceJob,
      format: string,
      params: Readonly<Record<string, unknown>>,
    ): Promise<EncodingSummary> => {
      this.calls.push(`encode ${format} ${JSON.stringify(params)}`);
      const { generation } = this;
      await this.work(job, `encode ${format}`);
      return {
        generation,
        format,
        params,
        support: { ok: true, notes: [] },
        ledger: ledger([], 0),
        reason: null,
        wholeFacts: [],
        facts: [],
        violations: [],
        validated: 'full',
        bounds: null,
        encodeMs: 1,
        digest: {},
      };
    },
    compare: async (
      job: ServiceJob,
      params: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    ): Promise<Comparison> => {
      const formats = Object.keys(params);
      this.calls.push(`compare ${formats.join(' ')}`);
      const { generation } = this;
      await this.work(job, 'compare');
      const stored = this.#matrix();
      const verdict = {
        why: 'It is as it is.',
        size: 'open',
        best: null,
        bytesOncePruned: null,
        notes: [],
        marks: [],
      } as const;
      return {
        generation,
        statistics: finish(statisticsSteps(stored, { groups: [], blocks: [] })),
        matrixBytes: matrixBytes(stored),
        verdicts: Object.fromEntries(formats.map((format) => [format, verdict])),
      };
    },
    bestParams: async (
      job: ServiceJob,
      format: string,
      params: Readonly<Record<string, unknown>>,
    ): Promise<FoundBest> => {
      this.calls.push(`bestParams ${format}`);
      const { generation } = this;
      await this.work(job, `bestParams ${format}`);
      return { generation, best: { params, bytes: 64, tried: 1 } };
    },
  };

  readonly device: FakeService<typeof device> = {
    status: async (): Promise<DeviceStatus> => {
      await this.#turn('device');
      return { kind: 'unavailable', reason: 'This browser has no WebGPU.' };
    },
  };

  readonly bench: FakeService<typeof bench> = {
    run: async (
      job: ServiceJob,
      request: BenchRequest,
      onReport?: OnReport,
      before?: BenchReport,
    ): Promise<BenchReport> => {
      this.calls.push('bench');
      this.requests.push({ request, generation: this.generation });
      this.before.push(before);
      if (this.benchPart) await onReport?.(this.benchPart, 0);
      await this.work(job, 'bench');
      if (this.benchError) throw this.benchError;
      return REPORT;
    },
    sweep: async (
      job: ServiceJob,
      request: BenchRequest,
      axis: SweepAxis,
      onReport: OnReport,
      before: readonly BenchReport[] = [],
    ): Promise<void> => {
      const parts = axis.of === 'non-zeros' ? axis.parts.length : 1;
      const values = axis.values.flatMap((v) => Array.from({ length: parts }, () => v));
      for (const [position, value] of values.entries()) {
        if (before[position] && !before[position].unfinished) continue;
        const report = await this.bench.run(job, request, (part) => onReport(part, position));
        const changed = changedBy(axis, value);
        await onReport({ ...report, workload: { ...report.workload, ...changed } }, position);
      }
    },
    forgetTuning: async (): Promise<void> => {},
    setHidden: async (): Promise<void> => {},
  };

  readonly kernels: FakeService<typeof kernels> = {
    source: () => new Promise(() => {}), // never: the other request answers with everything at once
    read: async (_job: ServiceJob, { kernel, params }: KernelRequest): Promise<KernelReading> => {
      this.calls.push(`kernel ${kernel}`);
      const { generation } = this;
      await this.#turn('kernel');
      const { rows, cols } = this.#matrix();
      const [format] = kernel.split('/');
      const common = {
        sizes: {},
        rows,
        cols,
        whySubstitute: null,
        needs: [],
        rejection: null,
        passedOver: [],
        instead: null,
      };
      const path = `${kernel}.wgsl`;
      const code = 'fn main() {}';
      const pass = { path, code, files: [{ path, code }], workgroups: [1, 1, 1] as const, bindings: [], overrides: [] };
      return { generation, kernel, format, params, ...common, passes: [pass] };
    },
    files: async (): Promise<readonly KernelFile[]> => {
      return [];
    },
  };

  readonly compare: FakeService<typeof compareFormats> = {
    pairs: () => Promise.resolve(null),
    lossless: () => Promise.resolve(null),
    choose: () => Promise.resolve(),
    sizes: async (job: ServiceJob, { matrices }: SizesRequest, onSize: OnSize): Promise<void> => {
      this.calls.push('sizes');
      await this.work(job, 'sizes');
      for (const matrix of matrices.keys()) await onSize({ matrix, bytes: 100, rejection: null });
    },
  };
}

/** The values that distinguish a run of a sweep. */
function changedBy(axis: SweepAxis, value: number | SweepShape): Partial<BenchReport['workload']> {
  const { rows, cols, density } = REPORT.workload;
  if (typeof value !== 'number') return { ...value, nnz: Math.round(value.rows * value.cols * density) };
  return axis.of === 'size'
    ? { sizes: { [axis.name]: value } }
    : { density: value, nnz: Math.round(value * rows * cols) };
}

function nameOf(request: BaseRequest): string {
  if (request.kind === 'generated') return request.spec.pattern;
  if (request.kind === 'model') return request.model;
  if (request.kind === 'cells') return cellsName(request);
  return request.kind === 'remote' ? request.reference : request.name;
}

function sourceOf(request: BaseRequest): BaseSource {
  const tensor = 'tensor' in request && request.tensor !== undefined ? { tensor: request.tensor } : {};
  switch (request.kind) {
    case 'generated':
    case 'cells':
    case 'model':
      return request;
    case 'example':
      return { kind: 'example', id: request.id };
    case 'file':
      return { kind: 'file', name: request.name, ...tensor };
    case 'remote':
      return { kind: 'remote', link: `${request.reference}@pinned`, ...tensor };
  }
}

export const REPORT: BenchReport = {
  schema: 1,
  createdAt: '2026-01-31T12:00:00.000Z',
  app: 'SparseScope 0.1.0',
  environment: {
    adapter: { vendor: 'acme', architecture: 'one', device: '', description: 'Acme "One", 8 GB' },
    isFallback: false,
    runtime: 'Chromium 156',
    features: ['timestamp-query'],
    limits: { maxBufferSize: 2 ** 28 },
    subgroupSize: { min: 32, max: 32 },
  },
  clock: { source: 'timestamp-query', quantumNs: 65_536 },
  readBandwidthGBps: 400.5,
  workload: {
    operation: 'spmv',
    rows: 64,
    cols: 32,
    nnz: 1000,
    density: 0.48828125,
    source: 'uniform',
    seed: 1,
    memory: 'cold',
    rounds: 3,
  },
  nullDispatchNs: 2000,
  rows: [
    {
      kernel: 'macko/spmv_subgroup',
      format: 'macko',
      title: 'one subgroup per row',
      where: 'gpu',
      params: { deltaBits: 4, valueType: 'f16' },
      bytes: 2500,
      verified: { ok: true, outputs: 64, worstShare: 0.25, failures: [], failureCount: 0, checkedAfterTiming: true },
      samplesNs: [1000, 1100, 1050],
      medianNs: 1050,
      p10Ns: 1010,
      p90Ns: 1090,
      GBps: 2.38,
      vsDense: { reference: 'dense/gemv_f16', ratio: 1.2, p10: 1.1, p90: 1.3 },
      cached: false,
      runsPerSample: 64,
      copies: 4,
      encodeMs: 1,
      uploadMs: 2,
      compileMs: 3,
      firstDispatchMs: 4,
    },
    {
      kernel: 'csr/spmv_scalar',
      format: 'csr',
      title: 'one lane per row',
      where: 'gpu',
      params: { valueType: 'f32' },
      bytes: 8000,
      verified: {
        ok: false,
        outputs: 64,
        worstShare: Number.MAX_VALUE,
        failures: [{ row: 3, found: 'unwritten', expected: 1.5, bound: 'Infinity' }],
        failureCount: 1,
        checkedAfterTiming: false,
      },
      samplesNs: [],
      medianNs: null,
      p10Ns: null,
      p90Ns: null,
      GBps: null,
      vsDense: null,
      cached: false,
      runsPerSample: 0,
      copies: 1,
      encodeMs: 1,
      uploadMs: 2,
      compileMs: 3,
      firstDispatchMs: 4,
    },
  ],
  refused: [{ kernel: 'dense/gemv_f16', format: 'dense', reason: 'needs 900 MB, the device binds 128 MB' }],
  notes: ['one round was dropped: the page was hidden'],
};

export const BENCH_REQUEST: BenchRequest = {
  operation: 'spmv',
  sizes: {},
  workload: { kind: 'stage' },
  entries: [{ format: 'macko', params: {}, kernels: 'auto' }],
  memory: 'cold',
  rounds: 3,
  seed: 1,
  where: 'gpu',
};

export const CATALOG: Catalog = {
  formats: [fakeFormat('csr'), fakeFormat('macko')],
  patterns: ['diagonal', 'wide', 'broken'].map((id) => ({ id, options: [] })),
  pages: PAGES,
  examples: [
    ...['diagonal', 'wide', 'empty', 'nan', 'broken'].map((id) => ({ id, title: id, url: `${id}.mtx` })),
    { id: 'part', title: 'wide', url: 'wide.mtx', window: { row: 2, col: 3, rows: 4, cols: 5 } },
  ],
  start: { source: { kind: 'example', id: 'diagonal' }, format: 'macko', formatB: 'csr' },
};

/** Allowed origins, stored in memory only. */
export function fakeOrigins(): Preferences['origins'] {
  const agreed = new Set<string>();
  return { has: (origin) => agreed.has(origin), agree: (origin) => void agreed.add(origin) };
}

/** A store of runs in memory, which lasts as long as the object, like a browser's storage across reloads. */
export function memoryRunStore(): RunStore {
  const runs = new Map<string, SavedRun>();
  let running: SavedRun | null = null;
  return {
    load: async () => [...runs],
    save: async (key, run) => void runs.set(key, run),
    remove: async (key) => void runs.delete(key),
    clear: async () => runs.clear(),
    setRunning(run) {
      running = run;
    },
    takeInterrupted() {
      const interrupted = running;
      running = null;
      return interrupted;
    },
  };
}

/** A session over a fake engine, not started. `loadStory` is called before a story resolves. */
export function fakeSession(
  engine = new FakeEngine(),
  loadStory: (id: string) => Promise<void> = async () => {},
  runStore: RunStore | (() => Promise<RunStore>) = memoryRunStore(),
  pause?: () => Promise<void>,
  savedFiles?: () => Promise<SavedFiles>,
): {
  engine: FakeEngine;
  session: Session;
  document: DocumentStore;
  player: Player;
  origins: Preferences['origins'];
} {
  // In the mode 'every step', since the fake stories have few steps.
  const document = createDocumentStore(withStep(defaultDocument(CATALOG), 0));
  const player = createPlayer(document);
  const origins = fakeOrigins();
  const formats = ['csr', 'macko'].map((id) => fakeFormat(id, () => loadStory(id)));
  const resolveUrl = (url: string): string => `https://example.org/${url}`;
  const session = createSession({
    engine,
    catalog: CATALOG,
    formats,
    document,
    player,
    origins,
    runStore: typeof runStore === 'function' ? runStore : async () => runStore,
    resolveUrl,
    loadTwoStories: async () => twoStories,
    ...(pause && { pause }),
    ...(savedFiles && { savedFiles }),
  });
  return { engine, session, document, player, origins };
}

/** Waits until all pending promises have settled. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 200; i++) await Promise.resolve();
}
