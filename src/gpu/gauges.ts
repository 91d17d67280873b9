import type { Timed } from '../core/bench/rounds.ts';
import type { Job } from '../core/job.ts';
import { indexOfSmallest, median } from '../core/number/statistics.ts';
import { type Arithmetic, ARITHMETICS, type BenchReport, PEAK_FIELDS } from '../core/report.ts';
import { LOADS, NULL_DISPATCH, prepareReadBandwidth, sinkPlan } from './bandwidth.ts';
import type { Buffers } from './buffers.ts';
import type { GpuContext } from './device.ts';
import { OutputBuffer, type PreparedKernel } from './prepared-kernel.ts';
import { TimedKernel, type Timer } from './timer.ts';
import type { DeviceFacts, KernelPlan, PassPlan } from '../core/kernel/kernel.ts';
import { prepareKernel } from './prepare.ts';
import peaks from '../../shaders/common/peaks.wgsl';
import { matricesPiece } from '../core/kernel/gemm-i8-plan.ts';
import { shaderFiles } from '../core/kernel/shader.ts';

/**
 * Kernels of nothing but one kind of arithmetic, whose speed is its peak. Each dispatches several times as many workgroups
 * as the largest devices run at once.
 */

const WORKGROUP_SIZE = 256;
/** A software adapter runs a few workgroups at once, and thousands for seconds: it dispatches this share of them. */
export const SOFTWARE_SHARE = 1 / 64;

const shareOf = ({ isFallback }: Pick<DeviceFacts, 'isFallback'>): number => (isFallback ? SOFTWARE_SHARE : 1);

/** The probe of each kind of arithmetic. */
interface PeakProbe {
  readonly id: string;
  readonly files: (device: DeviceFacts) => PassPlan['files'];
  readonly steps: number;
  readonly workgroups: number;
  /** multiply-adds of one invocation in one step */
  readonly perStep: number;
}

const SUBGROUP = 32;
const PEAK_PROBES: Readonly<Record<Arithmetic, PeakProbe>> = {
  /** Eight chains of vec4. */
  f32: {
    id: 'common/fma_peak',
    files: () => shaderFiles(peaks.variants.fma),
    steps: 512,
    workgroups: 4096,
    perStep: 32,
  },
  /** 16 dot products of two chains of vec4, with four multiply-adds each; sums in i32. */
  i8: {
    id: 'common/dot_peak',
    files: () => shaderFiles(peaks.variants.dot),
    steps: 64,
    workgroups: 4096,
    perStep: 16 * 8 * 4,
  },
  /** Eight products of 16 × 16 sums of 32 bytes by each subgroup. For devices that have such matrices. */
  'i8-matrix': {
    id: 'common/matrix_peak',
    files: (device) => shaderFiles(peaks.variants.matrix, [matricesPiece(device)]),
    steps: 512,
    workgroups: 2048,
    perStep: (8 * 16 * 16 * 32) / SUBGROUP,
  },
};

/** Multiply-adds of one run of `peakPlan` on a card. */
export function peakMultiplyAdds(arithmetic: Arithmetic): number {
  const { steps, workgroups, perStep } = PEAK_PROBES[arithmetic];
  return workgroups * WORKGROUP_SIZE * steps * perStep;
}

/**
 * A kernel of nothing but one kind of arithmetic. `shown`: for a smaller test run, the invocation whose sum is its
 * output, and its number of steps.
 */
export function peakPlan(
  arithmetic: Arithmetic,
  device: DeviceFacts,
  shown?: { readonly invocation: number; readonly steps: number },
): KernelPlan {
  const { files, steps, workgroups } = PEAK_PROBES[arithmetic];
  return sinkPlan(
    files(device),
    { WORKGROUP_SIZE, STEPS: shown?.steps ?? steps, ...(shown && { SHOWN: shown.invocation }) },
    shown ? Math.floor(shown.invocation / WORKGROUP_SIZE) + 1 : workgroups * shareOf(device),
  );
}

/** A kernel with only one kind of arithmetic. */
interface Peak {
  readonly arithmetic: Arithmetic;
  readonly kernel: PreparedKernel;
  /** of one run */
  readonly multiplyAdds: number;
}

/** The kernels that measure these kinds of arithmetic, each once. */
export function preparePeaks(
  context: GpuContext,
  buffers: Buffers,
  output: OutputBuffer,
  wanted: ReadonlySet<Arithmetic>,
  job: Job,
): Promise<readonly Peak[]> {
  return Promise.all(
    ARITHMETICS.filter((arithmetic) => wanted.has(arithmetic)).map(async (arithmetic) => {
      const { facts } = context;
      const plan = peakPlan(arithmetic, facts);
      const options = { buffers, output, coldBytes: 0, job };
      const kernel = await prepareKernel(context, PEAK_PROBES[arithmetic].id, plan, {}, options);
      return { arithmetic, kernel, multiplyAdds: peakMultiplyAdds(arithmetic) * shareOf(facts) };
    }),
  );
}

/** Their figures for a report, from the time of one run of each in nanoseconds. */
export function peakFields(
  peaks: readonly Peak[],
  timesNs: readonly number[],
): Pick<BenchReport, (typeof PEAK_FIELDS)[Arithmetic]> {
  return Object.fromEntries(
    peaks.map(({ arithmetic, multiplyAdds }, i) => [PEAK_FIELDS[arithmetic], multiplyAdds / timesNs[i]]),
  );
}

/** Rounds of the trial that chooses among read kernels. */
const TRIAL_ROUNDS = 3;
/** Below this the read bandwidth says more about the cache than about the memory. */
const SMALLEST_HONEST_READ_BYTES = 256 * 2 ** 20;

/** Most runs of a sample of the empty dispatch: more would take longer to encode than every kernel beside it. */
const EMPTY_RUNS = 4096;
/** Length of a pass of load, and most of its runs. */
const LOAD_MS = 4;
/** What takes longer to prepare is not worth the heat. */
const MAX_LOAD_MS = 3000;
const MAX_LOAD_RUNS = 64;
const LOAD_BYTES = 16;

/** The number of loads in flight with which a device reads fastest, once a run has tried all. */
const fastestLoads = new WeakMap<GPUDevice, number>();

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
  /** hears that the device has been busy until now */
  readonly busy: () => void;
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
  /** output of `whileBusy` */
  #load: OutputBuffer | null = null;
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
    if (!this.#nothing) {
      const options = { buffers, output, coldBytes: 0, job };
      const prepared = await prepareKernel(context, 'common/null_dispatch', NULL_DISPATCH, {}, options);
      this.#nothing = await this.#gauge(prepared);
      const { kernel } = this.#nothing;
      kernel.runs = Math.min(kernel.runs, EMPTY_RUNS);
    }
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
    const known = fastestLoads.get(context.device);
    const loads = known === undefined ? LOADS : [known];
    const reads: Gauge[] = [];
    for (const prepared of await prepareReadBandwidth(context, buffers, output, readBytes, loads)) {
      reads.push(await this.#gauge(prepared));
    }
    const kernels = reads.map(({ kernel }) => kernel);
    await warmUp(kernels);
    const isTrial = reads.length > 1;
    const times = isTrial ? await timer.trial(kernels, TRIAL_ROUNDS, 'how fast this device reads') : [1];
    const fastest = indexOfSmallest(times);
    fastestLoads.set(context.device, loads[fastest]);
    const read = reads[fastest];
    this.#read = read;
    if (read.kernel.kernel.rotatedBytes < SMALLEST_HONEST_READ_BYTES) {
      const mebibytes = read.kernel.kernel.rotatedBytes / 2 ** 20;
      this.#notes.push(`bandwidth was measured over ${mebibytes} MiB only: a cache may have helped`);
    }
  }

  /**
   * Runs arithmetic while `work` prepares something on the CPU: a GPU that has nothing to do lowers its clocks, and then
   * takes up to a second to raise them. A software adapter would take the CPU from the work. Resolves when the device has
   * nothing to do any more.
   */
  async whileBusy<T>(work: () => Promise<T>): Promise<T> {
    const { context, buffers, busy, job } = this.#deps;
    if (context.facts.isFallback) return work();
    const output = (this.#load ??= await OutputBuffer.create(buffers, LOAD_BYTES));
    const [{ kernel }] = await preparePeaks(context, buffers, output, new Set(['f32']), job);
    const { device } = context;
    let isOver = false;
    const submit = async (runs: number): Promise<void> => {
      const encoder = device.createCommandEncoder({ label: 'load' });
      const pass = encoder.beginComputePass({ label: 'load' });
      kernel.encode(pass, 0, runs);
      pass.end();
      device.queue.submit([encoder.finish()]);
      await context.alive(device.queue.onSubmittedWorkDone());
      busy();
    };
    const load = async (): Promise<void> => {
      const until = performance.now() + MAX_LOAD_MS;
      let before = submit(1);
      let endedMs = performance.now();
      for (let runs = 1; !isOver && performance.now() < until;) {
        // The next pass is there when one ends. What the preparation submits waits for two at most.
        const next = submit(runs);
        next.catch(() => {});
        await before;
        const ms = performance.now() - endedMs;
        endedMs += ms;
        runs = Math.max(1, Math.min(MAX_LOAD_RUNS, Math.round((runs * LOAD_MS) / Math.max(ms, 0.1))));
        before = next;
      }
      await before;
    };
    // A device that is lost meanwhile ends the work as well.
    const loaded = load().catch(() => {});
    try {
      return await work();
    } finally {
      isOver = true;
      await loaded;
    }
  }

  /** Their figures for a report; null for each that has not been measured. */
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
