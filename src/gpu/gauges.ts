import { TRIAL_ROUNDS } from '../core/bench/round-counts.ts';
import type { TimedCase } from '../core/bench/rounds.ts';
import type { Job } from '../core/job.ts';
import { indexOfSmallest, median } from '../core/number/statistics.ts';
import type { Arithmetic, BenchReport } from '../core/report.ts';
import { LOADS, NULL_DISPATCH, prepareReadBandwidth } from './bandwidth.ts';
import type { Buffers } from './buffers.ts';
import { reasonOf } from './candidate.ts';
import type { GpuContext } from './device.ts';
import { OutputBuffer } from './output-buffer.ts';
import type { PreparedKernel } from './prepared-kernel.ts';
import { TimedKernel, type Timer } from './timer.ts';
import { type PreparedPeak, peakFields, preparePeaks } from './peaks.ts';
import { prepareKernel } from './prepare.ts';

// Gauges: kernels that measure the device itself in every round of a benchmark, such as its read bandwidth.

/** With fewer bytes, the read bandwidth measures the cache rather than the memory. */
const MIN_READ_BYTES = 256 * 2 ** 20;

/** Maximum runs in a sample of the empty dispatch: more would take longer to encode than all other kernels. */
const MAX_EMPTY_RUNS = 4096;
/** Duration of a pass that keeps the device busy, and thus its clock frequency high; and its maximum number of runs. */
const BUSY_PASS_MS = 4;
const MAX_BUSY_RUNS = 64;
/** The device is kept busy for at most this long: more would only heat it. */
const MAX_BUSY_MS = 3000;
const BUSY_BYTES = 16;

/** The number of loads in flight with which a device reads fastest, once a run has tried all. */
const fastestLoads = new WeakMap<GPUDevice, number>();

/** A gauge that is open. */
interface Gauge {
  readonly kernel: TimedKernel;
  readonly timing: TimedCase;
}

interface GaugeDeps {
  readonly context: GpuContext;
  readonly buffers: Buffers;
  readonly timer: Timer;
  /** bytes read for the read bandwidth; undefined: the default */
  readonly readBytes: number | undefined;
  readonly job: Job;
  /** turns a kernel into a participant of the rounds */
  readonly timingOf: (kernel: TimedKernel) => TimedCase;
  /** called when the device has been busy until now */
  readonly markBusy: () => void;
  /** warms up, depending on how long the device has been idle */
  readonly warmUp: (kernels: readonly TimedKernel[]) => Promise<void>;
}

/** The gauges of a run: the time of an empty dispatch, the speed of arithmetic, the read bandwidth. */
export class Gauges {
  readonly #deps: GaugeDeps;
  readonly #notes: string[] = [];
  #emptyDispatch: Gauge | null = null;
  #read: Gauge | null = null;
  /** output of `whileBusy` */
  #busyOutput: OutputBuffer | null = null;
  /** the gauges of arithmetic */
  readonly #peaks: (Gauge & { readonly peak: PreparedPeak })[] = [];

  constructor(deps: GaugeDeps) {
    this.#deps = deps;
  }

  /** All open gauges, as participants of the rounds. */
  get all(): readonly TimedCase[] {
    return [this.#emptyDispatch, this.#read, ...this.#peaks].flatMap((gauge) => (gauge ? [gauge.timing] : []));
  }

  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Opens the gauges of the empty dispatch and of these kinds of arithmetic, unless they are open. */
  async open(output: OutputBuffer, arithmetics: Iterable<Arithmetic>): Promise<void> {
    const { context, buffers, job } = this.#deps;
    if (!this.#emptyDispatch) {
      const options = { buffers, output, coldBytes: 0, job };
      const prepared = await prepareKernel(context, 'common/null_dispatch', NULL_DISPATCH, {}, options);
      this.#emptyDispatch = await this.#gauge(prepared);
      const { kernel } = this.#emptyDispatch;
      kernel.runs = Math.min(kernel.runs, MAX_EMPTY_RUNS);
    }
    const missing = new Set(arithmetics);
    for (const { peak } of this.#peaks) missing.delete(peak.arithmetic);
    for (const peak of await preparePeaks(context, buffers, output, missing, job)) {
      this.#peaks.push({ ...(await this.#gauge(peak.kernel)), peak });
    }
  }

  /** Opens the gauge of the read bandwidth, unless it is open or has no memory. Slow: callers do other things first. */
  openRead(output: OutputBuffer): Promise<void> {
    return this.#openRead(output).catch((error: unknown) => void this.#notes.push(reasonOf(error)));
  }

  async #openRead(output: OutputBuffer): Promise<void> {
    if (this.#read) return;
    const { context, buffers, timer, readBytes, warmUp } = this.#deps;
    const recorded = fastestLoads.get(context.device);
    const loads = recorded === undefined ? LOADS : [recorded];
    const reads: Gauge[] = [];
    for (const prepared of await prepareReadBandwidth(context, buffers, output, readBytes, loads)) {
      reads.push(await this.#gauge(prepared));
    }
    const kernels = reads.map(({ kernel }) => kernel);
    await warmUp(kernels);
    const fastest =
      reads.length === 1
        ? 0
        : indexOfSmallest(await timer.timeInTurns(kernels, TRIAL_ROUNDS.gpu, 'how fast this device reads'));
    fastestLoads.set(context.device, loads[fastest]);
    this.#read = reads[fastest];
    const { rotatedBytes } = this.#read.kernel.kernel;
    if (rotatedBytes < MIN_READ_BYTES)
      this.#notes.push(`bandwidth was measured over ${rotatedBytes / 2 ** 20} MiB only: a cache may have helped`);
  }

  /**
   * Runs arithmetic while `work` prepares something on the CPU: an idle GPU lowers its clock frequency, and then takes
   * up to a second to raise it. Not on a software adapter, which would compete with `work` for the CPU. Resolves when the
   * device is idle again.
   */
  async whileBusy<T>(work: () => Promise<T>): Promise<T> {
    const { context, buffers, markBusy, job } = this.#deps;
    if (context.facts.isFallback) return work();
    const output = (this.#busyOutput ??= await OutputBuffer.create(buffers, BUSY_BYTES));
    const [{ kernel }] = await preparePeaks(context, buffers, output, new Set(['f32']), job);
    const { device } = context;
    let isOver = false;
    const submit = async (runs: number): Promise<void> => {
      const encoder = device.createCommandEncoder({ label: 'load' });
      const pass = encoder.beginComputePass({ label: 'load' });
      kernel.encode(pass, 0, runs);
      pass.end();
      device.queue.submit([encoder.finish()]);
      await context.whileAlive(device.queue.onSubmittedWorkDone());
      markBusy();
    };
    const keepBusy = async (): Promise<void> => {
      const until = performance.now() + MAX_BUSY_MS;
      let current = submit(1);
      let endedMs = performance.now();
      for (let runs = 1; !isOver && performance.now() < until;) {
        // The next pass is queued before the current one ends. What `work` submits waits for at most two passes.
        const next = submit(runs);
        next.catch(() => {});
        await current;
        const ms = performance.now() - endedMs;
        endedMs += ms;
        runs = Math.max(1, Math.min(MAX_BUSY_RUNS, Math.round((runs * BUSY_PASS_MS) / Math.max(ms, 0.1))));
        current = next;
      }
      await current;
    };
    // If the device is lost meanwhile, `work` fails, too.
    const busyEnd = keepBusy().catch(() => {});
    try {
      return await work();
    } finally {
      isOver = true;
      await busyEnd;
    }
  }

  /** The medians of the gauges as fields of a report; null for each that has not been measured. */
  fields(): Pick<BenchReport, 'readBandwidthGBps' | 'nullDispatchNs' | 'peakGFMAps' | 'peakI8GMAps'> {
    const peaks = this.#peaks.filter(({ timing }) => timing.samplesNs.length > 0);
    const readNs = medianOf(this.#read);
    return {
      readBandwidthGBps: this.#read && readNs !== null ? this.#read.kernel.kernel.bytes / readNs : null,
      nullDispatchNs: medianOf(this.#emptyDispatch),
      ...peakFields(
        peaks.map(({ peak }) => peak),
        peaks.map(({ timing }) => median(timing.samplesNs)),
      ),
    };
  }

  async #gauge(prepared: PreparedKernel): Promise<Gauge> {
    const kernel = new TimedKernel(prepared);
    await this.#deps.timer.probe(kernel);
    return { kernel, timing: this.#deps.timingOf(kernel) };
  }
}

/** Median time of a run in nanoseconds; null before it has been measured. */
function medianOf(gauge: Gauge | null): number | null {
  return gauge && gauge.timing.samplesNs.length > 0 ? median(gauge.timing.samplesNs) : null;
}
