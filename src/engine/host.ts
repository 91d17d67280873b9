import { SparseScopeError } from '../core/errors.ts';
import { busyText } from '../core/error-messages.ts';
import type { AnyFormat } from '../core/format.ts';
import type { Job } from '../core/job.ts';
import type { Matrix } from '../core/matrix/index.ts';
import type { FormatRegistration } from '../core/sandboxed-format.ts';
import { RemoteCache } from '../io/index.ts';
import type { BenchMatrix, DraftGate } from './bench/bench-host.ts';
import type { TuningStore } from './bench/tuning-store.ts';
import { DeviceHolder, type GpuSource } from './device.ts';
import type { LoadingContext, WorkerEnvironment, ModelReader } from './matrix/loading.ts';
import { MatrixHolder } from './matrix/open-matrix.ts';

/** Makes formats whose code runs in a sandbox of the page: the engine gets their descriptions and encodings as data. */
export interface FormatProvider {
  /**
   * The registered format, with its encoding of `matrix` if that is not null. `isNew`: the id now belongs to
   * another format, so the old format's encodings of the open matrix are dropped.
   */
  replaceFormat(
    sent: FormatRegistration,
    matrix: Matrix | null,
  ): { readonly format: AnyFormat; readonly isNew: boolean };
  /** Stores such a format's encoding of a matrix other than the open matrix. */
  storeResult(format: string, matrix: Matrix, result: unknown): void;
}

/** What the engine runs in: a worker of a browser, or a test. */
export interface EngineEnvironment extends WorkerEnvironment, GpuSource {
  /** name and version of the application, for reports */
  readonly app: string;
  readonly formats: readonly AnyFormat[];
  /** absent: trial results for kernels are forgotten with the run */
  readonly tuning?: TuningStore;
  /** bytes read from remote files; absent: a new, empty cache */
  readonly cache?: RemoteCache;
  /** absent: weights of models are random numbers in a matrix of the same size */
  readonly models?: ModelReader | undefined;
  /** checks drafts (kernels that the user changed) before benchmarks; absent: drafts are rejected */
  readonly drafts?: DraftGate | undefined;
  /** makes formats for `registerFormat`, which throws without it */
  readonly provider?: FormatProvider | undefined;
  /** memory of the machine, as the browser reports it; null or left out where it does not */
  readonly deviceBytes?: number | null;
}

/** What the services of an engine share; see createHost. */
export type EngineHost = ReturnType<typeof createHost>;

/** What the services of an engine share: the open matrix, the GPU device, and the rule that benchmarks run alone. */
export function createHost(environment: EngineEnvironment) {
  const { app, runtime, tuning, threads, provider, drafts } = environment;
  const { deviceBytes = null, cache = new RemoteCache(), models = null } = environment;
  // `registerFormat` adds to these.
  const formats = [...environment.formats];
  const pace = {
    now: () => environment.now(),
    pause: (ms?: number) => environment.pause(ms),
    ...(threads && { threads }),
  };
  const fetch = (url: string, init: RequestInit) => environment.fetch(url, init);
  const loading: LoadingContext = { ...pace, fetch, cache, models };
  const matrix = new MatrixHolder(loading, formats, deviceBytes);
  const backgroundStops: (() => Promise<void>)[] = [];
  let isHidden = false;
  let isRunning = false;

  const rejectIfBusy = (what: string): void => {
    if (isRunning) throw new SparseScopeError(busyText(what));
  };
  return {
    ...pace,
    app,
    runtime,
    formats,
    matrix,
    loading,
    device: new DeviceHolder(environment),
    ...(tuning && { tuning }),
    drafts,
    /** Forgets the results of trials for kernels. Rejects where the browser's storage does. */
    async forgetTuning(): Promise<void> {
      await tuning?.forget();
    },
    isHidden: (): boolean => isHidden,
    /** Sets whether the page is hidden: rounds measured meanwhile are dropped and repeated. */
    setHidden(hidden: boolean): void {
      isHidden = hidden;
    },
    /** The format of this id. Throws RangeError. */
    format(id: string): AnyFormat {
      const format = formats.find((f) => f.id === id);
      if (format) return format;
      throw new RangeError(`format: found '${id}', expected one of ${formats.map((f) => f.id).join(', ')}`);
    },
    /** Adds a format whose code runs elsewhere, and its encoding of the matrix if that matrix is still open. */
    async registerFormat(sent: FormatRegistration, job: Job): Promise<void> {
      if (!provider) throw new Error('registerFormat: found nothing that makes formats, expected a provider');
      const opened = sent.matrix ? matrix.current : null;
      if (sent.matrix && opened?.generation !== sent.matrix.generation) return;
      const whole = opened && (await matrix.whole(opened, job));
      const { format, isNew } = provider.replaceFormat(sent, whole?.matrix ?? null);
      const index = formats.findIndex(({ id }) => id === format.id);
      if (index < 0) formats.push(format);
      else formats[index] = format;
      if (isNew) matrix.forget(format.id);
      else whole?.encodings.forget(format.id);
    },
    /** Stores the encoding of another matrix by a format whose code runs elsewhere. */
    storeResult: (format: string, encoded: Matrix, result: unknown): void =>
      provider?.storeResult(format, encoded, result),
    /** The open matrix, whole, for a benchmark. */
    async openMatrix(job: Job): Promise<BenchMatrix> {
      const { current } = matrix;
      const { matrix: open, encodings } = await matrix.whole(current, job);
      return {
        matrix: open,
        source: current.name,
        encode: (format, params, encodeJob) => encodings.encoding(format, params, encodeJob),
        isEncoded: (format, params) => encodings.has(format, params),
      };
    },
    /** Throws SparseScopeError during a benchmark, whose times other work would spoil. `what` follows 'before you'. */
    throwIfBusy: rejectIfBusy,
    /** Waits for a matrix that is being opened, then runs a benchmark. Throws SparseScopeError during another one. */
    async exclusively<T>(work: () => Promise<T>): Promise<T> {
      rejectIfBusy('start another');
      // Opening a matrix meanwhile would spoil the times.
      while (matrix.isOpening) await matrix.settled;
      rejectIfBusy('start another');
      isRunning = true;
      try {
        for (const stop of backgroundStops) await stop();
        return await work();
      } finally {
        isRunning = false;
      }
    },
    /** `stop` ends a measurement in the background: called before each benchmark, which waits for it. */
    beforeBench: (stop: () => Promise<void>): void => void backgroundStops.push(stop),
  };
}
