import type { BenchReport } from '../../../../core/report.ts';
import type { OnReport } from '../../../../engine/bench/bench-types.ts';
import type { ServiceJob } from '../../../../engine/bridge/job.ts';
import type { EngineHost } from '../../../../engine/host.ts';
import type { LiveRequest } from './live-types.ts';
import type { BenchCase } from '../../../../core/bench/cases.ts';
import { BenchOracle, type Reference } from '../../../../core/bench/oracle.ts';
import { CancelledError, FormatError, SparseScopeError } from '../../../../core/errors.ts';
import { type AnyFormat, type EncodedMatrix, resolvedParams } from '../../../../core/format.ts';
import type { Job } from '../../../../core/job.ts';
import type { Matrix } from '../../../../core/matrix/index.ts';
import { RotatedRows } from '../../../../core/matrix/repeated-rows.ts';
import { SPMV } from '../../../../core/operations/index.ts';
import type { Expected, Inputs } from '../../../../core/operations/operation.ts';
import { throwIfCancelled } from '../../../../core/pace.ts';
import { referenceFormat } from '../../../../formats/registry.ts';
import type { GpuContext } from '../../../../gpu/index.ts';
import { LiveGpu, type LiveOptions } from '../../../../gpu/live.ts';
import type { BenchHost } from '../../../../engine/bench/bench-host.ts';
import { finishPaced } from '../../../../engine/pace.ts';
import { Band } from './band.ts';
import {
  liveBand,
  liveEncoder,
  type LiveInput,
  type LiveOutput,
  type LivePattern,
  type LiveShape,
} from './live-task.ts';

const MAX_SIDE = 4096;
/** Formats with a slower encoder join once nothing newer was asked for during this time. */
const REST_MS = 400;
const REST_POLL_MS = 20;
/** Encodings still missing after this time, since threads take a while to start, are done here. */
const THREADS_LATE_MS = 60;
/** These value types hold the values exactly, so the stored matrix is the matrix itself. */
const EXACT: readonly unknown[] = ['f16', 'bf16', 'f32'];

/** A format that is measured against the reference. */
interface LiveEntry {
  readonly format: AnyFormat;
  readonly params: BenchCase['params'];
}

/** Encodings in progress. */
interface Encodings {
  /** all threads have finished */
  readonly done: Promise<void>;
  of(entry: LiveEntry): ReturnType<BenchCase['encode']>;
}

/** Whether rows of a band are encoded once and repeated, fast enough to follow a moving cursor. */
function isQuick({ format }: LiveEntry): boolean {
  return format.repeat !== undefined;
}

function isSearch({ format }: LiveEntry): boolean {
  return format.encoder === 'search';
}

/** Measures one density after another; keeps whatever they share until it is released. */
class LiveRuns {
  readonly #host: BenchHost;
  #shape: LiveShape | null = null;
  #band: Band | null = null;
  #encode: ((input: LiveInput) => LiveOutput) | null = null;
  #gpu: LiveGpu | null = null;
  /** each encoder's last time, by format */
  readonly #encodeMs = new Map<string, number>();
  /** patterns that formats required before, and will again */
  readonly #patterns = new Map<string, LivePattern | null>();
  /** for threads; the same object as long as the shape is the same */
  #shared: { readonly bytes: number; copy(): LiveShape } | null = null;

  constructor(host: BenchHost) {
    this.#host = host;
  }

  /**
   * See `live` of the service. Throws SparseScopeError with one sentence, NoDeviceError, CancelledError.
   */
  async measure(request: LiveRequest, job: Job, onReport: OnReport): Promise<BenchReport> {
    const shape = checked(request);
    const context = await this.#host.device.open();
    this.#open(shape);
    const entries = this.#entriesOf(request, shape);
    const quick = this.#startEncoding(entries.filter(isQuick), request.density, job);
    let rested: Encodings | null = null;
    const rest = entries.filter((entry) => !isQuick(entry) && !isSearch(entry));
    let resting: Promise<void> | null = null;
    const afterRest = async (): Promise<Encodings> => {
      await (resting ??= this.#rest(job));
      return (rested ??= this.#startEncoding(rest, request.density, job));
    };
    const caseOf = (entry: LiveEntry): BenchCase => ({
      ...entry,
      kernels: 'auto',
      encode: async () => {
        if (isQuick(entry)) return quick.of(entry);
        const encodings = await afterRest();
        return isSearch(entry) ? this.#encodePaced(entry, request.density, job) : encodings.of(entry);
      },
    });
    try {
      const options = this.#optionsFor(request, entries, shape, job, onReport);
      const gpu = await this.#gpuOf(context, request.density, shape, options, job);
      const batches = [entries.filter(isQuick), rest, ...entries.filter(isSearch).map((entry) => [entry])].filter(
        (batch) => batch.length > 0,
      );
      return await gpu.measure(
        batches.map((batch) => batch.map(caseOf)),
        options,
        job,
      );
    } finally {
      // Their threads do nothing else until then.
      await quick.done;
      await (rested as Encodings | null)?.done;
    }
  }

  /** Frees everything kept. */
  release(): void {
    this.#gpu?.destroy();
    this.#gpu = null;
    this.#band = null;
    this.#encode = null;
    this.#shape = null;
  }

  #open(shape: LiveShape): void {
    const { rows, cols, seed } = shape;
    const now = this.#shape;
    if (now && now.rows === rows && now.cols === cols && now.seed === seed) return;
    this.release();
    this.#shape = shape;
    this.#band = new Band(rows, cols, seed);
    this.#encode = null;
    this.#shared = { bytes: 8 * this.#band.rows * cols, copy: () => ({ ...shape }) };
  }

  /** The formats measured against the reference, those with the fastest encoder so far first. */
  #entriesOf({ entries }: LiveRequest, shape: LiveShape): readonly LiveEntry[] {
    const { formats } = this.#host;
    const all = entries ?? formats.map(({ id }) => ({ format: id, params: {} }));
    return all
      .flatMap(({ format: id, params }) => {
        const format = formats.find((one) => one.id === id);
        if (!format) {
          throw new SparseScopeError(`live: found '${id}', expected one of ${formats.map((one) => one.id).join(', ')}`);
        }
        const isRun = format.id !== referenceFormat.id && format.kernels.some(({ operation }) => operation === SPMV.id);
        return isRun ? [{ format, params: resolvedParams(format.params, params, shape) }] : [];
      })
      .toSorted((a, b) => (this.#encodeMs.get(a.format.id) ?? 0) - (this.#encodeMs.get(b.format.id) ?? 0));
  }

  /** Starts encoders on other threads, if any; `of` waits for one, or encodes here. */
  #startEncoding(entries: readonly LiveEntry[], density: number, job: Job): Encodings {
    const inputs = entries.map(({ format, params }): LiveInput => ({ format: format.id, params, density }));
    const outputs: unknown[] = inputs.map(() => undefined);
    const heard: (() => void)[] = [];
    const arrived = inputs.map((_, i) => new Promise<void>((resolve) => (heard[i] = resolve)));
    const shared = this.#shared ?? { bytes: 0, copy: () => ({}) };
    const done =
      this.#host.threads?.perform(
        { kind: 'live/encode', shared, inputs, outputs, short: true, onOutput: (i) => heard[i]() },
        job,
      ) ?? Promise.resolve();
    const late = this.#host.pause(THREADS_LATE_MS);
    return {
      done,
      of: async (entry) => {
        const place = entries.indexOf(entry);
        // Whatever is missing once all threads have ended is encoded here.
        await Promise.race([done, arrived[place], ...(isQuick(entry) ? [late] : [])]);
        await this.#host.pause();
        throwIfCancelled(job);
        const output = (outputs[place] as LiveOutput | undefined) ?? this.#encodeHere(inputs[place]);
        if (!output.ok) throw new FormatError(output.reason);
        this.#patterns.set(entry.format.id, output.pattern);
        this.#encodeMs.set(entry.format.id, output.encodeMs);
        return output;
      },
    };
  }

  /** Searches for an arrangement on this thread and its helpers until a newer density is requested. */
  async #encodePaced({ format, params }: LiveEntry, density: number, job: Job): ReturnType<BenchCase['encode']> {
    if (!this.#shape || !this.#band) throw new CancelledError();
    // Repeated rows would be alike, which an arranging encoder would exploit.
    const matrix = new RotatedRows(this.#band.at(density), this.#shape.rows);
    const admission = format.admits(matrix, params);
    if (!admission.ok) throw new FormatError(admission.reason);
    const start = this.#host.now();
    const encoded = await finishPaced<EncodedMatrix>(format.encodeSteps(matrix, params), job, this.#host);
    return { encoded, encodeMs: this.#host.now() - start };
  }

  /** Waits until no newer request has come for a while. Throws CancelledError. */
  async #rest(job: Job): Promise<void> {
    for (let waited = 0; waited < REST_MS; waited += REST_POLL_MS) {
      throwIfCancelled(job);
      await this.#host.pause(REST_POLL_MS);
    }
    throwIfCancelled(job);
  }

  #encodeHere(input: LiveInput): LiveOutput {
    if (!this.#shape) throw new CancelledError();
    this.#encode ??= liveEncoder(this.#host.formats, this.#shape);
    return this.#encode(input);
  }

  #optionsFor(
    { density, seed = 1 }: LiveRequest,
    entries: readonly LiveEntry[],
    { rows, cols }: LiveShape,
    job: Job,
    onReport: OnReport,
  ): LiveOptions {
    const band = this.#band ?? new Band(rows, cols, seed);
    const at = band.at(density);
    const nnz = Math.round((at.nnz / band.rows) * rows);
    const known = new Map<string, Promise<Reference['expected']>>();
    const inputs: Inputs = SPMV.inputs(at, {}, seed);
    const plain = new BenchOracle(SPMV, {}, seed, this.#host);
    const expectedOf = (pattern: LivePattern | null): Promise<Reference['expected']> => {
      const key = pattern ? `${pattern.kept}:${pattern.group}` : '';
      const found = known.get(key);
      if (found) return found;
      const expected = this.#expected(pattern ? liveBand(band, density, pattern) : at, inputs, rows, job);
      known.set(key, expected);
      return expected;
    };
    // This thread is idle while others encode. A failure is reported to later callers.
    for (const pattern of new Set([null, ...this.#patterns.values()])) expectedOf(pattern).catch(() => {});
    return {
      app: this.#host.app,
      workload: {
        operation: SPMV.id,
        rows,
        cols,
        nnz,
        density: at.nnz / (band.rows * cols),
        source: `random, density ${density}, seed ${seed}, ${band.rows} rows repeated`,
        seed,
      },
      oracle: {
        reference: async (bench, encoded) => {
          const isOwn = bench.format.encoder === 'search' || !EXACT.includes(bench.params.valueType ?? 'f16');
          if (isOwn) return plain.reference(bench, encoded, job);
          return { inputs, expected: await expectedOf(this.#patterns.get(bench.format.id) ?? null) };
        },
      },
      remarks: () =>
        entries.flatMap(({ format: { id, title } }) => {
          const pattern = this.#patterns.get(id);
          return pattern ? [`For ${title} the matrix is pruned to ${pattern.kept}:${pattern.group}.`] : [];
        }),
      onReport: (report) => onReport(report, 0),
    };
  }

  /** The oracle for the distinct rows, repeated. */
  async #expected(band: Matrix, inputs: Inputs, rows: number, job: Job): Promise<Reference['expected']> {
    const expected = await finishPaced(SPMV.expectedSteps(band, inputs, {}), job, this.#host);
    const repeated = (values: Float64Array): Float64Array =>
      Float64Array.from({ length: rows }, (_, r) => values[r % band.rows]);
    return (roundings): Expected => {
      const { output, bound } = expected(roundings);
      return { output: repeated(output), bound: repeated(bound) };
    };
  }

  async #gpuOf(
    context: GpuContext,
    density: number,
    shape: LiveShape,
    options: LiveOptions,
    job: Job,
  ): Promise<LiveGpu> {
    if (this.#gpu && !this.#gpu.isLost) return this.#gpu;
    const { formats } = this.#host;
    const format = formats.find(({ id }) => id === referenceFormat.id) ?? referenceFormat;
    const params: BenchCase['params'] = resolvedParams(format.params, {}, shape);
    const dense: BenchCase = {
      format,
      params,
      kernels: 'auto',
      encode: async () => {
        const output = this.#encodeHere({ format: format.id, params, density });
        if (!output.ok) throw new FormatError(output.reason);
        return output;
      },
    };
    const gpu = await LiveGpu.open(context, dense, options, job);
    if (!gpu)
      throw new SparseScopeError('live: found no dense kernel that is right here, expected one to compare with');
    this.#gpu = gpu;
    return gpu;
  }
}

function checked({ rows = MAX_SIDE, cols = MAX_SIDE, density, seed = 1 }: LiveRequest): LiveShape {
  for (const [name, side] of Object.entries({ rows, cols })) {
    if (!Number.isInteger(side) || side < 1 || side > MAX_SIDE) {
      throw new SparseScopeError(`live, ${name}: found ${side}, expected a whole number from 1 to ${MAX_SIDE}`);
    }
  }
  if (!(density >= 0 && density <= 1)) {
    throw new SparseScopeError(`live, density: found ${density}, expected a number from 0 to 1`);
  }
  return { rows, cols, seed };
}

/** Live measurements, one at a time: a newer one or a benchmark ends the current one. */
export class LiveMeasuring {
  readonly #host: EngineHost;
  readonly #runs: LiveRuns;
  /** the current measurement */
  #measuring: { readonly job: ServiceJob; readonly end: Promise<void> } | null = null;

  constructor(host: EngineHost) {
    this.#host = host;
    this.#runs = new LiveRuns(host);
    host.beforeBench(async () => {
      await this.#stop();
      this.#runs.release();
    });
  }

  async measure(request: LiveRequest, job: ServiceJob, onReport: OnReport): Promise<BenchReport> {
    const older = this.#measuring;
    older?.job.cancel();
    let ended = (): void => {};
    const measuring = { job, end: new Promise<void>((resolve) => (ended = resolve)) };
    this.#measuring = measuring;
    try {
      await older?.end;
      job.throwIfCancelled();
      const context = await this.#host.device.open();
      return await context.exclusively(() => this.#runs.measure(request, job, onReport));
    } finally {
      ended();
      if (this.#measuring === measuring) this.#measuring = null;
    }
  }

  /** Ends the current measurement and frees what densities share, unless a newer one has begun meanwhile. */
  async end(): Promise<void> {
    await this.#stop();
    if (!this.#measuring) this.#runs.release();
  }

  async #stop(): Promise<void> {
    this.#measuring?.job.cancel();
    await this.#measuring?.end;
  }
}
