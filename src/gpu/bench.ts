import {
  type BenchCase,
  type BenchOptions,
  completeRows,
  type Measured,
  untilSeen,
  withVerification,
} from '../core/bench/cases.ts';
import { partOf, type Samples, timeRounds } from '../core/bench/rounds.ts';
import type { Job } from '../core/job.ts';
import type { BenchReport, Refusal } from '../core/report.ts';
import { median, smallest } from '../core/number/statistics.ts';
import { prepareNullDispatch, prepareReadBandwidth } from './bandwidth.ts';
import { Buffers } from './buffers.ts';
import { type Candidate, type CandidateGroup, prepareCandidates, verifyAgain } from './candidates.ts';
import { type Clock, openClock } from './clock.ts';
import { DeviceLostError, type GpuContext } from './device.ts';
import { FMA_PEAK_MULTIPLY_ADDS, prepareFmaPeak } from './fma-peak.ts';
import { threadPace, throwIfCancelled } from '../core/pace.ts';
import type { PreparedKernel } from './run.ts';
import { TimedKernel, Timer } from './timer.ts';

/** Sparse bytes that a cold run rotates through, unless the caller knows the last-level cache better. */
export const DEFAULT_COLD_BYTES = 256 * 2 ** 20;

/** GPUs raise their clocks under load; before that a kernel can take twice as long. */
const WARM_UP_MS = 500;
/** Rounds of the trial that chooses among variants. */
const TRIAL_ROUNDS = 5;
/** Below this the read bandwidth says more about the cache than about the memory. */
const SMALLEST_HONEST_READ_BYTES = 256 * 2 ** 20;

export interface GpuBenchOptions extends BenchOptions {
  /** Rotate copies of at least so many bytes in cold runs; four times the last-level cache where it is known. */
  readonly coldBytes?: number;
  /** Read for the read bandwidth: a power of two, far above the last-level cache. 512 MiB unless the caller knows better. */
  readonly readBytes?: number;
  /** Stop after the first verification: no times. */
  readonly verifyOnly?: boolean;
  /** Opens a new device after the old one was lost; the run then starts again with half as large batches, once. */
  readonly rebuild?: (reason: string) => Promise<GpuContext>;
}

/**
 * Verifies and times kernels on one GPU: every kernel against the f64 oracle, then interleaved rounds in seeded random
 * order with dense, the read bandwidth and an empty dispatch in every round, then verified again. On a software adapter
 * it only verifies. One run at a time per device.
 *
 * Where it breaks off in the rounds, `options.takePart` has had the complete ones; those that it had before a device was
 * opened again are replaced by the first ones after that. Everything on the device is freed at the end, whatever happens. Throws CancelledError, DeviceLostError when the device
 * is lost and cannot be rebuilt or is lost twice, and SparseScopeError when another run is going on. A kernel that does
 * not fit, compile or find memory is listed as refused; one whose output is wrong is listed without a time.
 */
export async function runBench(
  context: GpuContext,
  cases: readonly BenchCase[],
  options: GpuBenchOptions,
  job: Job,
): Promise<BenchReport> {
  try {
    return await context.exclusively(() => measure(context, cases, options, job, [], 1));
  } catch (error) {
    if (!(error instanceof DeviceLostError) || !options.rebuild) throw error;
    throwIfCancelled(job);
    const rebuilt = await options.rebuild(error.message);
    const note = `${error.message}; it was opened again, and everything was measured anew in batches half as large`;
    return rebuilt.exclusively(() => measure(rebuilt, cases, options, job, [note], 0.5));
  }
}

async function measure(
  context: GpuContext,
  cases: readonly BenchCase[],
  options: GpuBenchOptions,
  job: Job,
  notes: string[],
  batchScale: number,
): Promise<BenchReport> {
  const { workload } = options;
  const refused: Refusal[] = [];
  const buffers = new Buffers(context);
  try {
    const timed = !context.facts.isFallback && !options.verifyOnly;
    const coldBytes = timed && workload.memory === 'cold' ? (options.coldBytes ?? DEFAULT_COLD_BYTES) : 0;
    const { operation, seed } = workload;
    const groups = await prepareCandidates(
      context,
      buffers,
      cases,
      { operation, sizes: workload.sizes ?? {}, seed, coldBytes },
      refused,
      job,
    );
    const clock = await openClock(context, buffers);
    const untimed: Timing = {
      rows: groups.flatMap((group) => group.candidates.map((candidate) => measuredRow(candidate))),
      readBandwidthGBps: null,
      nullDispatchNs: null,
    };
    if (context.facts.isFallback) notes.push('software adapter: no performance shown');
    const reportOf = (timing: Timing): BenchReport => ({
      schema: 1,
      createdAt: new Date().toISOString(),
      app: options.app,
      environment: context.environment,
      clock: { source: clock.source, quantumNs: clock.quantumNs },
      readBandwidthGBps: timing.readBandwidthGBps,
      nullDispatchNs: timing.nullDispatchNs,
      ...(timing.peakGFMAps === undefined ? {} : { peakGFMAps: timing.peakGFMAps }),
      workload,
      rows: completeRows(timing.rows, timing.readBandwidthGBps, options.reference),
      refused,
      notes,
    });
    const takePart =
      options.takePart && ((timing: Timing, rounds: number) => options.takePart?.(partOf(reportOf(timing), rounds)));
    const isTimed = timed && groups.some((group) => group.candidates.length > 0);
    const timing = isTimed
      ? await timeAll(context, { buffers, groups, clock, options, coldBytes, batchScale, takePart }, notes, job)
      : untimed;
    throwIfCancelled(job);
    return reportOf(timing);
  } finally {
    buffers.destroy();
  }
}

interface Timing {
  readonly rows: readonly Measured[];
  readonly readBandwidthGBps: number | null;
  readonly nullDispatchNs: number | null;
  readonly peakGFMAps?: number;
}

interface TimingPlan {
  readonly buffers: Buffers;
  readonly groups: readonly CandidateGroup[];
  readonly clock: Clock;
  readonly options: GpuBenchOptions;
  readonly coldBytes: number;
  readonly batchScale: number;
  /** see `BenchOptions.takePart` */
  readonly takePart: ((timing: Timing, rounds: number) => void) | undefined;
}

async function timeAll(context: GpuContext, plan: TimingPlan, notes: string[], job: Job): Promise<Timing> {
  const { buffers, groups, clock, options, coldBytes, batchScale, takePart } = plan;
  const candidates = groups.flatMap((group) => group.candidates);
  const { output } = candidates[0];
  const timer = new Timer(clock, job, batchScale, () => untilSeen(options, job, threadPace));
  const nothing = new TimedKernel(await prepareNullDispatch(context, buffers, output, job));
  const reads = (await prepareReadBandwidth(context, buffers, output, options.readBytes)).map(
    (kernel) => new TimedKernel(kernel),
  );
  const peaks = candidates.some(({ multiplyAdds }) => multiplyAdds !== undefined)
    ? [new TimedKernel(await prepareFmaPeak(context, buffers, output, job))]
    : [];
  const timed = new Map<Candidate, TimedKernel>();
  for (const candidate of candidates) {
    if (candidate.verified.ok) timed.set(candidate, new TimedKernel(candidate.kernel));
  }
  const everything = [nothing, ...reads, ...peaks, ...timed.values()];
  for (const [done, one] of everything.entries()) {
    job.report({ what: 'batch sizes', done, total: everything.length });
    await timer.probe(one);
  }
  await timer.warmUp(everything, WARM_UP_MS);

  const read = reads[indexOfLeast(await timer.trial(reads, TRIAL_ROUNDS))];
  if (read.kernel.rotatedBytes < SMALLEST_HONEST_READ_BYTES) {
    const mebibytes = read.kernel.rotatedBytes / 2 ** 20;
    notes.push(`the read bandwidth was measured over ${mebibytes} MiB only: a cache may have helped`);
  }
  const kept = await chooseVariants(groups, timed, timer, notes);

  noteCopies(
    kept.map(([{ kernel }]) => kernel),
    coldBytes,
    notes,
  );
  const references = [nothing, read, ...peaks];
  const all = [...references, ...kept.map(([, one]) => one)];
  const places = new Map(kept.map(([candidate], i) => [candidate, references.length + i]));
  /** A row for every kernel that was timed or is wrong; the others were not chosen. */
  const rowsOf = (samples: Samples): (readonly [Candidate, Measured])[] =>
    candidates.flatMap((candidate) => {
      const place = places.get(candidate);
      if (place !== undefined) return [[candidate, measuredRow(candidate, samples[place], all[place].runs)] as const];
      return candidate.verified.ok ? [] : [[candidate, measuredRow(candidate)] as const];
    });
  const timingOf = (samples: Samples, rows: readonly Measured[]): Timing => ({
    rows,
    nullDispatchNs: median(samples[0]),
    readBandwidthGBps: read.kernel.bytes / median(samples[1]),
    ...(peaks.length === 0 ? {} : { peakGFMAps: FMA_PEAK_MULTIPLY_ADDS / median(samples[2]) }),
  });
  const rounds = {
    kernels: all.length,
    sample: (i: number) => timer.sample(all[i]),
    part(samples: Samples, done: number) {
      takePart?.(
        timingOf(
          samples,
          rowsOf(samples).map(([, row]) => row),
        ),
        done,
      );
    },
  };
  const samples = await timeRounds(rounds, options, notes, job, threadPace);
  const rows: Measured[] = [];
  for (const [candidate, row] of rowsOf(samples)) {
    if (candidate.verified.ok) {
      throwIfCancelled(job);
      job.report({ what: 'verify again', done: rows.length, total: kept.length });
      rows.push(withVerification(row, await verifyAgain(candidate)));
    } else rows.push(row);
  }
  return timingOf(samples, rows);
}

/** Of each case with 'auto' the fastest kernel by a short trial, of every other case all that are right. */
async function chooseVariants(
  groups: readonly CandidateGroup[],
  timed: ReadonlyMap<Candidate, TimedKernel>,
  timer: Timer,
  notes: string[],
): Promise<(readonly [Candidate, TimedKernel])[]> {
  const kept: (readonly [Candidate, TimedKernel])[] = [];
  for (const { bench, candidates } of groups) {
    const right = candidates.flatMap((candidate) => {
      const one = timed.get(candidate);
      return one ? [[candidate, one] as const] : [];
    });
    if (bench.kernels !== 'auto' || right.length < 2) {
      for (const one of right) kept.push(one);
      continue;
    }
    const times = await timer.trial(
      right.map(([, one]) => one),
      TRIAL_ROUNDS,
    );
    const best = indexOfLeast(times);
    kept.push(right[best]);
    const relative = right
      .map(([candidate], i) => ({ id: candidate.spec.id, share: times[best] / times[i] }))
      .filter((_, i) => i !== best)
      .toSorted((a, b) => b.share - a.share)
      .map(({ id, share }) => `${id} ${share.toFixed(2)}`);
    notes.push(
      `${right[best][0].spec.id} was chosen by a trial; the others' speeds relative to it: ${relative.join(', ')}`,
    );
  }
  return kept;
}

function noteCopies(kernels: readonly PreparedKernel[], coldBytes: number, notes: string[]): void {
  const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toPrecision(3)} MiB`;
  const resident = kernels.filter((kernel) => kernel.rotatedBytes === 0 && kernel.bytes < coldBytes);
  if (resident.length > 0) {
    const ids = resident.map((kernel) => `${kernel.id} ${mebibytes(kernel.bytes)}`).join(', ');
    notes.push(`only inputs are read, the same in every run, and they may come from a cache: ${ids}`);
  }
  const few = kernels
    .filter((kernel) => kernel.rotatedBytes > 0 && kernel.rotatedBytes < coldBytes)
    .map((kernel) => `${kernel.id} ${mebibytes(kernel.rotatedBytes)}`);
  if (few.length === 0) return;
  notes.push(
    `a cold run rotates ${mebibytes(coldBytes)}, but a matrix this small would need too many copies and may have been read from a cache: ${few.join(', ')}`,
  );
}

function measuredRow(candidate: Candidate, samplesNs: readonly number[] = [], runsPerSample = 0): Measured {
  const { bench, spec, kernel, multiplyAdds, verified, encodeMs, firstDispatchMs } = candidate;
  return {
    kernel: spec.id,
    format: bench.format.id,
    title: spec.title,
    where: 'gpu',
    params: bench.params,
    bytes: kernel.bytes,
    ...(multiplyAdds === undefined ? {} : { multiplyAdds }),
    verified,
    samplesNs,
    runsPerSample,
    copies: kernel.copies,
    encodeMs,
    uploadMs: kernel.uploadMs,
    compileMs: kernel.compileMs,
    firstDispatchMs,
  };
}

function indexOfLeast(values: readonly number[]): number {
  return values.indexOf(smallest(values));
}
