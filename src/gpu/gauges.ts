import type { Timed } from '../core/bench/rounds.ts';
import type { Job } from '../core/job.ts';
import { indexOfSmallest, median } from '../core/number/statistics.ts';
import type { Arithmetic, BenchReport } from '../core/report.ts';
import { prepareNullDispatch, prepareReadBandwidth } from './bandwidth.ts';
import type { Buffers } from './buffers.ts';
import type { GpuContext } from './device.ts';
import { type Peak, peakFields, preparePeaks } from './peaks.ts';
import type { OutputBuffer, PreparedKernel } from './prepared-kernel.ts';
import { TimedKernel, type Timer } from './timer.ts';

/** Rounds of the trial that chooses among read kernels. */
const TRIAL_ROUNDS = 5;
/** Below this the read bandwidth says more about the cache than about the memory. */
const SMALLEST_HONEST_READ_BYTES = 256 * 2 ** 20;

interface Gauge {
  readonly kernel: TimedKernel;
  readonly timed: Timed;
}

interface GaugeDeps {
  readonly context: GpuContext;
  readonly buffers: Buffers;
  readonly timer: Timer;
  /** of `GpuBenchOptions` */
  readonly readBytes: number | undefined;
  readonly job: Job;
  /** turns a kernel into a participant of the rounds */
  readonly timed: (kernel: TimedKernel) => Timed;
  /** warms up, depending on how long the device has been idle */
  readonly warmUp: (kernels: readonly TimedKernel[]) => Promise<void>;
}

/**
 * The probes that accompany kernels in every round: an empty dispatch, the speed of arithmetic, and the read bandwidth.
 */
export class Gauges {
  readonly #deps: GaugeDeps;
  readonly #notes: string[] = [];
  #nothing: Gauge | null = null;
  #read: Gauge | null = null;
  readonly #peaks: (Gauge & { readonly peak: Peak })[] = [];

  constructor(deps: GaugeDeps) {
    this.#deps = deps;
  }

  /** The probes in the rounds. */
  get all(): readonly Timed[] {
    return [this.#nothing, this.#read, ...this.#peaks].flatMap((one) => (one ? [one.timed] : []));
  }

  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Opens the empty dispatch, and those of these kinds of arithmetic that are missing. */
  async open(output: OutputBuffer, arithmetics: Iterable<Arithmetic>): Promise<void> {
    const { context, buffers, job } = this.#deps;
    this.#nothing ??= await this.#gauge(await prepareNullDispatch(context, buffers, output, job));
    const wanted = new Set(arithmetics);
    for (const { peak } of this.#peaks) wanted.delete(peak.arithmetic);
    for (const peak of await preparePeaks(context, buffers, output, wanted, job)) {
      this.#peaks.push({ ...(await this.#gauge(peak.kernel)), peak });
    }
  }

  /** Opens the read bandwidth, once. It takes a while, so it is deferred until nothing else waits. */
  async openRead(output: OutputBuffer): Promise<void> {
    if (this.#read) return;
    const { context, buffers, timer, readBytes, warmUp } = this.#deps;
    const reads: Gauge[] = [];
    for (const prepared of await prepareReadBandwidth(context, buffers, output, readBytes)) {
      reads.push(await this.#gauge(prepared));
    }
    const kernels = reads.map(({ kernel }) => kernel);
    await warmUp(kernels);
    const read = reads[indexOfSmallest(await timer.trial(kernels, TRIAL_ROUNDS))];
    this.#read = read;
    if (read.kernel.kernel.rotatedBytes < SMALLEST_HONEST_READ_BYTES) {
      const mebibytes = read.kernel.kernel.rotatedBytes / 2 ** 20;
      this.#notes.push(`the read bandwidth was measured over ${mebibytes} MiB only: a cache may have helped`);
    }
  }

  /** Their figures for a report; null for what has not been measured. */
  fields(): Pick<BenchReport, 'readBandwidthGBps' | 'nullDispatchNs' | 'peakGFMAps' | 'peakI8GMAps'> {
    const peaks = this.#peaks.filter((one) => one.timed.samplesNs.length > 0);
    const readNs = medianOf(this.#read);
    return {
      readBandwidthGBps: this.#read && readNs !== null ? this.#read.kernel.kernel.bytes / readNs : null,
      nullDispatchNs: medianOf(this.#nothing),
      ...peakFields(
        peaks.map(({ peak }) => peak),
        peaks.map((one) => median(one.timed.samplesNs)),
      ),
    };
  }

  async #gauge(prepared: PreparedKernel): Promise<Gauge> {
    const kernel = new TimedKernel(prepared);
    await this.#deps.timer.probe(kernel);
    return { kernel, timed: this.#deps.timed(kernel) };
  }
}

/** In nanoseconds; null before it has been measured. */
function medianOf(gauge: Gauge | null): number | null {
  return gauge && gauge.timed.samplesNs.length > 0 ? median(gauge.timed.samplesNs) : null;
}
