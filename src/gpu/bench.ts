import { type BenchCase, type BenchOptions, specialKernels, withSpecialCase } from '../core/bench/cases.ts';
import { completeRows, firstTime, type MeasuredRow, withVerification } from '../core/bench/report-rows.ts';
import { type EarlierSession, earlierSession, casesWithoutRows } from '../core/bench/earlier-session.ts';
import { isSlower, Rounds, samplesOf, type TimedCase, timedCase, whenVisible } from '../core/bench/rounds.ts';
import { TRIAL_ROUNDS } from '../core/bench/round-counts.ts';
import { ratiosByRound, type RoundSamples } from '../core/bench/shared-rounds.ts';
import { type CaseRunner, runSchedule } from '../core/bench/schedule.ts';
import type { Job } from '../core/job.ts';
import { storedKey } from '../core/format.ts';
import { operationById } from '../core/operations/index.ts';
import type { Operation } from '../core/operations/operation.ts';
import type { BenchReport, BenchRow, FirstTime, Rejection } from '../core/report.ts';
import { indexOfSmallest, median, smallest } from '../core/number/statistics.ts';
import { Random } from '../core/number/random.ts';
import { Buffers } from './buffers.ts';
import { rejectedCase, type Candidate, type CandidateGroup, verifyAgain, verifyTimed } from './candidate.ts';
import { Candidates } from './candidates.ts';
import { type Clock, openClock } from './clock.ts';
import { DeviceLostError, type GpuContext } from './device.ts';
import { threadPace, throwIfCancelled } from '../core/pace.ts';
import { Gauges } from './gauges.ts';
import { copyNotes, measuredRow, SOFTWARE_NOTE } from './report-parts.ts';
import { Noise } from './noise.ts';
import { type RandomSample, TimedKernel, Timer } from './timer.ts';
import { ResourceError } from './guard.ts';
import { Tuner, type TuningMemory } from './tuning.ts';

// A benchmark on a GPU: kernels are verified, timed in rounds, and verified again. A case is a format with its
// parameters, in which the matrix is stored. Run: a kernel computes once; also the whole benchmark. Sample: many runs
// in a compute pass (two by the wall clock), in ns per run. Batch size: runs of a sample. Round: a sample of every
// kernel. Trial: a few samples of some kernels, to choose one. Search: of other kernels of a case and tuning numbers.

/** Bytes of copies of the matrix that cold runs rotate through, unless the caller knows the last-level cache. */
const DEFAULT_COLD_BYTES = 256 * 2 ** 20;
/** The same on a software adapter, also for its read bandwidth: memory and caches belong to a CPU. */
const SOFTWARE_BYTES = 64 * 2 ** 20;

/** Length of the warm-up: GPUs raise their clock frequency under load; before, a kernel can take twice as long. */
const WARM_UP_MS = 400;
/** Length of the warm-up of a device that was busy until now. */
const MIN_WARM_UP_MS = 150;
/** How long a GPU has to be busy, with pauses of at most PAUSE_MS, until its clock frequency is up. */
const RAMP_MS = 1100;
const PAUSE_MS = 500;
/**
 * Kernels of a case within this factor of the fastest are timed in the rounds, until they are found to be slower: after
 * a search in its trial, and after the trial in the rounds.
 */
const MAX_SLOWDOWN = 1.15;
/** At the end, another kernel replaces the recorded one below this share of its time. */
const CLEARLY_FASTER_SHARE = 0.99;
/** A sample has up to this share of extra runs, at random, so that a kernel cannot know which run is the last. */
const EXTRA_RUN_SHARE = 0.125;
/** One sample in this many, at random, is shorter, so that a kernel cannot recognise untimed samples by their length. */
const SHORT_ONE_IN = 8;
/**
 * One sample in this many, at random, is compared instead of timed: `often` with outputs of at most `OFTEN_READ_BYTES`,
 * else `seldom`. If chance has chosen fewer, more are compared after the rounds.
 */
const CHECK_ONE_IN = { often: 2, seldom: 4 };
const OFTEN_READ_BYTES = 2 ** 20;

/** Options of a run on a GPU. */
export interface GpuBenchOptions extends BenchOptions {
  /** Bytes of copies of the matrix that cold runs rotate through; four times the last-level cache if it is known. */
  readonly coldBytes?: number;
  /** Bytes read to measure the read bandwidth: a power of two, far above the last-level cache; default: 512 MiB. */
  readonly readBytes?: number;
  /** Stores what searches and trials found; absent: every run searches again. 'off': neither search nor trial. */
  readonly tuning?: TuningMemory | 'off';
  /** Measure the speed of arithmetic in f32 even if no kernel counts its multiply-adds. */
  readonly roofs?: boolean;
  /** Chooses the inputs of timed runs and which of them are compared, for tests; default: random. */
  readonly secret?: number;
  /** Runs of a full sample of a kernel, for tests; default: as many as fill a compute pass. */
  readonly sampleRuns?: number;
  /** Clock, in milliseconds, of the time limit of searches, for tests; default: performance.now. */
  readonly now?: () => number;
  /** Stop after the first verification: no times. */
  readonly verifyOnly?: boolean;
  /** Time kernels on a software adapter as well, where they are otherwise only verified. */
  readonly timeSoftware?: boolean;
  /** Opens a new device after the old one was lost; the run then restarts with half as large batches, once. */
  readonly rebuild?: (reason: string) => Promise<GpuContext>;
}

/**
 * Verifies and times kernels on one GPU: every kernel against the oracle (the product in f64), then interleaved rounds
 * in seeded random order, then verified again. Every round has an empty dispatch and the reference, if it is a case;
 * the read bandwidth joins after the first rounds. Runs of a pass alternate between two sets of inputs, unless a second
 * set needs over 256 MiB or the format rejects it. Samples at random are broken off and their outputs compared. Each
 * case is timed as soon as it is encoded (`runSchedule`), and nothing is encoded meanwhile. On a software adapter it
 * only verifies, unless `timeSoftware` is set; no kernel is tuned there. One run at a time per device.
 *
 * `options.onReport` receives the report so far; after a device was opened again the report starts over. Everything on
 * the device is always freed at the end. Throws CancelledError, DeviceLostError if the device is lost and
 * cannot be rebuilt or is lost twice, and SparseScopeError if another run is in progress or `options.before` belongs to
 * another run. A kernel that does not fit or compile, or that runs out of memory, is listed in `refused`; one whose
 * output is wrong is listed without a time.
 */
export async function runBench(
  context: GpuContext,
  cases: readonly BenchCase[],
  options: GpuBenchOptions,
  job: Job,
): Promise<BenchReport> {
  const { operation } = options.workload;
  const allCases = cases.flatMap((benchCase) => withSpecialCase(benchCase, operation));
  return runBenchOf(operationById(operation), context, allCases, options, job);
}

/** `runBench` with the operation that the workload names: for programs that do not contain all of them. */
export async function runBenchOf(
  operation: Operation,
  context: GpuContext,
  cases: readonly BenchCase[],
  options: GpuBenchOptions,
  job: Job,
): Promise<BenchReport> {
  const run = (on: GpuContext, notes: readonly string[], batchScale: number): Promise<BenchReport> =>
    on.exclusively(() => measure(operation, on, cases, options, job, notes, batchScale));
  try {
    return await run(context, [], 1);
  } catch (error) {
    if (!(error instanceof DeviceLostError) || !options.rebuild) throw error;
    throwIfCancelled(job);
    const rebuilt = await options.rebuild(error.message);
    return run(rebuilt, [`${error.message}; measured again in batches half the size`], 0.5);
  }
}

/** Whether a run with these options times kernels; otherwise it only verifies them. */
function takesTimes({ facts }: GpuContext, { verifyOnly = false, timeSoftware = false }: GpuBenchOptions): boolean {
  return !verifyOnly && (!facts.isFallback || timeSoftware);
}

/** Runs the benchmark on one device, and frees its buffers. `batchScale`: factor for the runs of a sample. */
async function measure(
  operation: Operation,
  context: GpuContext,
  cases: readonly BenchCase[],
  options: GpuBenchOptions,
  job: Job,
  notes: readonly string[],
  batchScale: number,
): Promise<BenchReport> {
  const buffers = new Buffers(context);
  try {
    const clock = await openClock(context, buffers);
    const { workload, reference } = options;
    const isTimed = takesTimes(context, options);
    const device = { environment: context.environment, clock };
    const session = earlierSession(cases, workload, reference, device, options.before, isTimed);
    const rounds = new Rounds(options, job, threadPace, session.nextRound);
    const run = new GpuRun({ context, operation, buffers, clock, options, batchScale, session, rounds, job }, notes);
    const incomplete = session.cases.filter(({ isIncomplete }) => isIncomplete).map(({ benchCase }) => benchCase);
    await runSchedule(incomplete, options, run, rounds, job, threadPace);
    throwIfCancelled(job);
    return run.report();
  } finally {
    buffers.destroy();
  }
}

interface RunDeps {
  readonly context: GpuContext;
  readonly operation: Operation;
  readonly buffers: Buffers;
  readonly clock: Clock;
  readonly options: GpuBenchOptions;
  readonly batchScale: number;
  /** the session that this run continues, or one without measurements */
  readonly session: EarlierSession;
  readonly rounds: Rounds;
  readonly job: Job;
}

/** A kernel that passed verification. */
interface VerifiedKernel {
  readonly candidate: Candidate;
  readonly kernel: TimedKernel;
}

/** A kernel that is timed in the rounds. */
interface TimedCandidate extends VerifiedKernel {
  /** its samples, and how to take the next */
  readonly timing: TimedCase;
}

/** Samples of a kernel that are compared instead of timed. */
interface Comparisons {
  done: number;
  /** how many are expected for each timed sample */
  readonly perSample: number;
  readonly compare: () => Promise<void>;
}

/** Kernels of one case that are timed in the same rounds until the fastest is determined. */
interface Contest {
  readonly group: CandidateGroup;
  readonly kernels: readonly TimedCandidate[];
  readonly droppedKernels: Set<TimedCandidate>;
  /** kernels that were too slow for the rounds, with their speeds in the trial relative to the fastest */
  readonly slowKernels: readonly { readonly id: string; readonly share: number }[];
}

/** A search for faster kernels of a case and for their tuning numbers, such as the workgroup size; not begun yet. */
interface Search {
  readonly group: CandidateGroup;
  readonly search: NonNullable<CandidateGroup['search']>;
}

/** A run on one device: the cases that have joined it, and their measurements. */
class GpuRun implements CaseRunner {
  readonly #deps: RunDeps;
  readonly #notes: string[];
  readonly #rejected: Rejection[];
  readonly #candidates: Candidates;
  readonly #timer: Timer;
  readonly #coldBytes: number;
  readonly #isTimed: boolean;
  /** rows of the report, of the cases that have joined; null for a kernel without a complete round */
  readonly #rows = new Map<BenchCase, (() => MeasuredRow | null)[]>();
  /** the kernels in the rounds */
  #timedKernels: TimedCandidate[] = [];
  /** failed comparisons of timed kernels, and the verification after the rounds */
  readonly #reverified = new Map<TimedCase, MeasuredRow['verified']>();
  readonly #comparisons = new Map<TimedCase, Comparisons>();
  readonly #random: Random;
  readonly #inputsSeed: number;
  #noise: Noise | null = null;
  /** searches of cases whose kernels are in the rounds with preliminary tuning numbers */
  readonly #searches = new Map<BenchCase, Search>();
  /** times before a search, by format and parameters */
  readonly #firstTimes = new Map<string, FirstTime>();
  /** notes about the choice of a kernel, by case */
  readonly #trialNotes = new Map<BenchCase, string>();
  readonly #contests = new Map<BenchCase, Contest>();
  /** kernels that measure the device */
  readonly #gauges: Gauges;
  /** the time in which the device was last busy, but for pauses of at most PAUSE_MS */
  #busySinceMs = Number.NEGATIVE_INFINITY;
  #busyUntilMs = Number.NEGATIVE_INFINITY;

  constructor(deps: RunDeps, notes: readonly string[]) {
    const { context, operation, buffers, clock, options, batchScale, session, job } = deps;
    const { seed, sizes = {}, memory } = options.workload;
    this.#deps = deps;
    this.#notes = [...notes, ...session.notes];
    this.#rejected = [...session.refused];
    const { isFallback } = context.facts;
    this.#isTimed = takesTimes(context, options);
    const coldBytes = options.coldBytes ?? (isFallback ? SOFTWARE_BYTES : DEFAULT_COLD_BYTES);
    this.#coldBytes = this.#isTimed && memory === 'cold' ? coldBytes : 0;
    const { tuning = null, now = () => performance.now() } = options;
    const isTuned = this.#isTimed && !isFallback;
    const tuner =
      isTuned && tuning !== 'off' ? new Tuner(context, buffers, { clock, memory: tuning, seed, job, now }) : null;
    // A kernel sees its inputs and might guess their seed: random choices have another one.
    const [secret, inputsSeed] =
      options.secret === undefined
        ? crypto.getRandomValues(new Uint32Array(2))
        : [options.secret, new Random(options.secret).u32()];
    this.#random = new Random(secret);
    this.#inputsSeed = inputsSeed;
    const candidateOptions = {
      operation,
      sizes,
      seed,
      coldBytes: this.#coldBytes,
      tuner,
      perform: options.perform,
      byRows: options.reference, // dense: its rows can be sent to other threads, which compute expected outputs
      timeline: options.timeline,
      ...(this.#isTimed && { secret: inputsSeed }),
    };
    this.#candidates = new Candidates(context, buffers, candidateOptions, this.#rejected, job);
    this.#timer = new Timer(clock, job, batchScale, () => whenVisible(options, job, threadPace));
    this.#gauges = new Gauges({
      context,
      buffers,
      timer: this.#timer,
      readBytes: options.readBytes ?? (isFallback ? SOFTWARE_BYTES : undefined),
      job,
      timingOf: (kernel) => this.#gaugeTiming(kernel),
      markBusy: () => this.#markBusy(),
      warmUp: (kernels) => this.#warmUp(kernels, Math.min(WARM_UP_MS, threadPace.now() - this.#busyUntilMs)),
    });
    if (isFallback && !this.#isTimed) this.#notes.push(SOFTWARE_NOTE);
  }

  // The members of `CaseRunner` are described in core/bench/schedule.ts.

  async join(bench: BenchCase, next?: BenchCase): Promise<readonly TimedCase[]> {
    const prepare = (): Promise<CandidateGroup> => this.#candidates.prepare(bench, next);
    // A GPU in software has no frequency to raise, and the load would take the processor from the preparation.
    const isLoaded = this.#isTimed && !this.#deps.context.environment.isFallback;
    const group = await (isLoaded ? this.#gauges.whileBusy(prepare) : prepare());
    const isTimed = ({ verified }: Candidate): boolean => this.#isTimed && verified.ok;
    const untimed = group.candidates.filter((candidate) => !isTimed(candidate));
    this.#rows.set(
      bench,
      untimed.map((candidate) => () => measuredRow(candidate)),
    );
    const verifiedKernels: VerifiedKernel[] = [];
    for (const candidate of group.candidates)
      if (isTimed(candidate)) verifiedKernels.push(await this.#verifiedKernel(candidate));
    if (verifiedKernels.length === 0) return [];
    // Finding batch sizes keeps the device busy as well, and is part of the warm-up.
    const idleMs = threadPace.now() - this.#busyUntilMs;
    const probesMs = threadPace.now();
    await this.#openGauges(verifiedKernels);
    const timeable = await this.#probed(verifiedKernels, bench);
    if (timeable.length === 0) return [];
    const kernels = timeable.map(({ kernel }) => kernel);
    this.#markBusy();
    const warmUpMs = Math.min(WARM_UP_MS, Math.max(MIN_WARM_UP_MS, idleMs)) - (threadPace.now() - probesMs);
    // Only the last case waits for the full frequency: first times of the others show sooner, and common rounds follow.
    const rampMs = isLoaded && next === undefined ? RAMP_MS - (threadPace.now() - this.#busySinceMs) : 0;
    const allKernels = [...this.#timedKernels.map(({ kernel }) => kernel), ...kernels];
    await this.#warmUp(rampMs > warmUpMs ? allKernels : kernels, Math.max(warmUpMs, rampMs));
    if (group.search && this.#isTimed) this.#searches.set(bench, { group, search: group.search });
    this.#markBusy();
    return this.#enter(bench, timeable).map(({ timing }) => timing);
  }

  async search(bench: BenchCase): Promise<readonly TimedCase[] | null> {
    const pending = this.#searches.get(bench);
    if (!pending) return null;
    const { group, search } = pending;
    const previous = this.#timedKernels.filter(({ candidate }) => candidate.bench === bench);
    const previousOf = (candidate: Candidate): VerifiedKernel | undefined =>
      previous.find(({ kernel }) => kernel.kernel === candidate.kernel);
    const candidates = await search();
    const correct = candidates.filter(({ verified }) => verified.ok);
    const fastestNs = smallest(correct.map(({ trialNs = Number.POSITIVE_INFINITY }) => trialNs));
    const isFast = ({ trialNs = fastestNs }: Candidate): boolean =>
      bench.kernels !== 'auto' || trialNs <= MAX_SLOWDOWN * fastestNs;
    const fast: VerifiedKernel[] = [];
    for (const candidate of correct.filter(isFast)) {
      const alreadyTimed = previousOf(candidate);
      if (alreadyTimed) fast.push({ ...alreadyTimed, candidate });
      else for (const probed of await this.#probed([await this.#verifiedKernel(candidate)], bench)) fast.push(probed);
    }
    this.#markBusy();
    const slow = correct.filter((candidate) => !isFast(candidate));
    const { chosenKernels, slowerKernels } = await this.#choose(group, fast, slow);
    this.#searches.delete(bench);
    this.#timedKernels = this.#timedKernels.filter((timedKernel) => !previous.includes(timedKernel));
    const wrongCandidates = candidates.filter(({ verified }) => !verified.ok);
    this.#rows.set(
      bench,
      wrongCandidates.map((candidate) => () => measuredRow(candidate)),
    );
    const entered = this.#enter(bench, chosenKernels, previous);
    if (bench.kernels === 'auto' && chosenKernels.length + slowerKernels.length > 1) {
      this.#contests.set(bench, { group, kernels: entered, droppedKernels: new Set(), slowKernels: slowerKernels });
    }
    return entered.map(({ timing }) => timing);
  }

  async narrow(isLast: boolean): Promise<readonly TimedCase[]> {
    const dropped: TimedCase[] = [];
    for (const [bench, contest] of this.#contests) {
      const remaining = contest.kernels.filter((contestant) => !contest.droppedKernels.has(contestant));
      const best = fastestOf(remaining, bench.recordedKernel?.kernel);
      for (const contestant of remaining) {
        if (contestant === best || !(isLast || isSlower(contestant.timing, best.timing))) continue;
        contest.droppedKernels.add(contestant);
        dropped.push(contestant.timing);
      }
      if (!isLast) continue;
      this.#contests.delete(bench);
      const otherKernels = contest.kernels.filter((contestant) => contestant !== best);
      this.#noteChoice(best.candidate.spec.id, bench, [
        ...otherKernels.map(({ candidate, timing }) => ({
          id: candidate.spec.id,
          share: median(ratiosByRound(best.timing, timing)),
        })),
        ...contest.slowKernels,
      ]);
      await contest.group.keep(best.candidate);
    }
    this.#timedKernels = this.#timedKernels.filter(({ timing }) => !dropped.includes(timing));
    return dropped;
  }

  #noteChoice(chosenId: string, bench: BenchCase, otherKernels: Contest['slowKernels']): void {
    const speeds = otherKernels
      .toSorted((a, b) => b.share - a.share)
      .map(({ id, share }) => `${id} ${share.toFixed(2)}`);
    const where = this.#deps.context.facts.isFallback ? ', in software' : '';
    this.#trialNotes.set(
      bench,
      `${chosenId} was chosen by a trial; the others' speeds relative to it${where}: ${speeds.join(', ')}`,
    );
  }

  /**
   * A kernel to time. A draft (a kernel that a user wrote) might reuse results, so `reserve` gives each of its runs
   * separate memory; it does nothing for others (`hasOwnMemory` in case-kernels.ts).
   */
  async #verifiedKernel(candidate: Candidate): Promise<VerifiedKernel> {
    const { kernel, output } = candidate;
    const noise = (this.#noise ??= await Noise.create(this.#deps.buffers, this.#inputsSeed));
    const memory = {
      reserve: (runs: number) => kernel.reserve(runs, Math.ceil((1 + EXTRA_RUN_SHARE) * runs)),
      refill: () => kernel.refill(output, noise),
    };
    return { candidate, kernel: new TimedKernel(kernel, memory) };
  }

  /** The kernels whose batch size can be found; the others are listed in `refused` of the report. */
  async #probed(kernels: readonly VerifiedKernel[], { format }: BenchCase): Promise<readonly VerifiedKernel[]> {
    const timeable: VerifiedKernel[] = [];
    for (const [done, verifiedKernel] of kernels.entries()) {
      this.#deps.job.report({
        what: `warming up ${format.title}: counting how many runs fit into a pass`,
        done,
        total: kernels.length,
      });
      try {
        await this.#timer.probe(verifiedKernel.kernel);
        timeable.push(verifiedKernel);
      } catch (error) {
        if (!(error instanceof ResourceError)) throw error;
        const { spec, bench } = verifiedKernel.candidate;
        this.#rejected.push({ kernel: spec.id, ...rejectedCase(bench), reason: error.message });
      }
    }
    return timeable;
  }

  /** Adds kernels to the rounds; kernels of `previous` with the same tuning numbers keep their samples. */
  #enter(
    bench: BenchCase,
    kernels: readonly VerifiedKernel[],
    previous: readonly TimedCandidate[] = [],
  ): readonly TimedCandidate[] {
    return kernels.map(({ candidate, kernel }) => {
      // With a search, an earlier session of the run may have used other tuning numbers.
      const isSearched = this.#searches.has(bench) || previous.length > 0;
      const samples = isSearched ? undefined : this.#deps.session.samplesOf(bench, candidate.spec.id);
      const same = previous.find((entered) => entered.kernel === kernel);
      const added = { candidate, kernel, timing: same?.timing ?? this.#checkedTiming(candidate, kernel, samples) };
      this.#timedKernels.push(added);
      this.#rows.get(bench)?.push(() => (this.#timedKernels.includes(added) ? this.#rowOf(added) : null));
      return added;
    });
  }

  references(): readonly TimedCase[] {
    const { reference } = this.#deps.options;
    const kernels = this.#timedKernels.filter(({ candidate }) => candidate.bench.format.id === reference);
    return [...this.#gauges.all, ...kernels.map(({ timing }) => timing)];
  }

  async openReferences(): Promise<void> {
    const [first] = this.#timedKernels;
    if (first) await this.#gauges.openRead(first.candidate.output);
  }

  async verifyAgain(complete: readonly TimedCase[]): Promise<void> {
    const { job } = this.#deps;
    const finished = this.#timedKernels.filter(({ timing }) => complete.includes(timing));
    for (const [done, { candidate, timing }] of finished.entries()) {
      throwIfCancelled(job);
      job.report({ what: 'verify again', done, total: finished.length });
      await this.#compareRest(timing);
      if (this.#reverified.get(timing)?.ok !== false) this.#reverified.set(timing, await verifyAgain(candidate));
    }
  }

  async publish(waitingCases: readonly BenchCase[]): Promise<void> {
    const report = this.report(waitingCases);
    if (report.rows.length + report.refused.length > 0) await this.#deps.options.onReport?.(report);
  }

  /** The report so far; `waitingCases` are those that have not joined, if there are more to come. */
  report(waitingCases?: readonly BenchCase[]): BenchReport {
    const { context, clock, options, session, rounds } = this.#deps;
    const gauges = this.#gauges.fields();
    const rows = session.cases.flatMap(({ benchCase, rows: earlierRows }): readonly MeasuredRow[] => {
      const joined = this.#rows.get(benchCase)?.flatMap((row) => row() ?? []);
      return joined ?? earlierRows;
    });
    const kernels = this.#timedKernels.map(({ candidate }) => candidate.kernel);
    const special = session.cases.flatMap(({ benchCase }) => specialKernels(benchCase, options.workload.operation));
    return {
      schema: 1,
      createdAt: new Date().toISOString(),
      app: options.app,
      environment: context.environment,
      clock: { source: clock.source, quantumNs: clock.quantumNs },
      ...gauges,
      workload: options.workload,
      rows: completeRows(rows, gauges.readBandwidthGBps, options.reference, options.comparedWith, special).map((row) =>
        this.#withFirst(row),
      ),
      refused: [...this.#rejected],
      notes: [
        ...new Set([
          ...this.#notes,
          ...this.#gauges.notes,
          ...this.#trialNotes.values(),
          ...copyNotes(kernels, this.#coldBytes),
          ...rounds.notes,
        ]),
      ],
      ...(waitingCases && { unfinished: { waiting: casesWithoutRows(session, waitingCases) } }),
    };
  }

  /** A row with `first`, the time of its format and parameters in the earliest report that had one. */
  #withFirst(row: BenchRow): BenchRow {
    const key = storedKey(row.format, row.params);
    const first = this.#firstTimes.get(key) ?? firstTime(row);
    if (!first || row.draft) return row;
    this.#firstTimes.set(key, first);
    return { ...row, first };
  }

  /** A kernel in the rounds whose output is not compared: it measures the device. */
  #gaugeTiming(kernel: TimedKernel): TimedCase {
    return timedCase(async () => {
      const ns = await this.#timer.sample(kernel);
      this.#markBusy();
      return ns;
    });
  }

  /**
   * A kernel in the rounds. Every pass begins with noise in outputs and scratch and has a random number of runs, which
   * alternate between inputs, beginning at random. Before a sample is timed, a random number of samples, often none,
   * are broken off after a random number of runs, and the output of the last run is compared. So a kernel can never
   * know that the output of its next run will not be compared.
   */
  #checkedTiming(candidate: Candidate, kernel: TimedKernel, earlierSamples?: RoundSamples): TimedCase {
    const outputBytes = kernel.kernel.outputs.reduce((sum, { bytes }) => sum + bytes, 0);
    const oneIn = outputBytes <= OFTEN_READ_BYTES ? CHECK_ONE_IN.often : CHECK_ONE_IN.seldom;
    const next = (): RandomSample => {
      const random = new Random(this.#random.u32());
      return { runs: this.#randomRuns(kernel, random), random };
    };
    const compare = async (): Promise<void> => {
      const verified = await verifyTimed(candidate, await this.#timer.runPart(kernel, next()));
      comparisons.done++;
      if (!verified.ok) this.#reverified.set(timing, verified);
    };
    const comparisons: Comparisons = { done: 0, perSample: 1 / (oneIn - 1), compare };
    const timing = timedCase(async () => {
      while (this.#random.below(oneIn) === 0) await compare();
      const ns = await this.#timer.sample(kernel, next());
      this.#markBusy();
      return ns;
    }, earlierSamples);
    this.#comparisons.set(timing, comparisons);
    return timing;
  }

  /** Compares more samples if chance has chosen fewer than expected: without any, a wrong kernel would get a time. */
  async #compareRest(timing: TimedCase): Promise<void> {
    const comparisons = this.#comparisons.get(timing);
    if (!comparisons) return;
    const expected = Math.ceil(comparisons.perSample * timing.samplesNs.length);
    while (comparisons.done < expected && this.#reverified.get(timing)?.ok !== false) await comparisons.compare();
  }

  /** The number of runs of a sample: a full one with up to EXTRA_RUN_SHARE more, or, one time in SHORT_ONE_IN, fewer. */
  #randomRuns(kernel: TimedKernel, random: Random): number {
    const full = this.#deps.options.sampleRuns ?? kernel.runs;
    const min = this.#timer.minRuns(full);
    if (random.below(SHORT_ONE_IN) === 0) return min + random.below(full - min + 1);
    return full + random.below(Math.ceil(EXTRA_RUN_SHARE * full) + 1);
  }

  /** The row of a timed kernel in the report; null before its first complete round. */
  #rowOf({ candidate, kernel, timing }: TimedCandidate): MeasuredRow | null {
    if (timing.samplesNs.length === 0) return null;
    const row: MeasuredRow = {
      ...measuredRow(candidate, samplesOf(timing), kernel.runs),
      ...(this.#searches.has(candidate.bench) && { searching: true }),
    };
    const verified = this.#reverified.get(timing);
    const checkedWhileTimed = this.#comparisons.get(timing)?.done ?? 0;
    return verified ? withVerification(row, { ...verified, checkedWhileTimed }) : row;
  }

  /** Records that the device has been busy until now. */
  #markBusy(): void {
    const now = threadPace.now();
    if (now - this.#busyUntilMs > PAUSE_MS) this.#busySinceMs = now;
    this.#busyUntilMs = now;
  }

  /** Adds to the rounds the gauges that these kernels need. */
  async #openGauges(kernels: readonly VerifiedKernel[]): Promise<void> {
    const { output } = kernels[0].candidate;
    // One dispatch of the arithmetic gauge, sized for a GPU, would keep a CPU busy for seconds.
    const { isFallback } = this.#deps.context.facts;
    const counting = isFallback ? [] : kernels.filter(({ candidate }) => candidate.multiplyAdds !== undefined);
    await this.#gauges.open(output, [
      ...((this.#deps.options.roofs && !isFallback) || counting.length > 0 ? ['f32' as const] : []),
      ...counting.map(({ candidate }) => candidate.spec.arithmetic ?? 'f32'),
    ]);
  }

  /** Runs these kernels untimed for `ms` milliseconds, RAMP_MS at most. */
  async #warmUp(kernels: readonly TimedKernel[], ms: number): Promise<void> {
    await this.#timer.warmUp(kernels, Math.max(0, Math.min(RAMP_MS, ms)));
    this.#markBusy();
  }

  /**
   * Chooses by a short trial. `chosenKernels` are those that may be the fastest of the case; without 'auto', all of them;
   * in software, whose times scatter, the fastest alone. `slowerKernels` are the others, with their speeds relative to the
   * fastest. `slow`: kernels that are left out of the trial.
   */
  async #choose({ bench }: CandidateGroup, timeable: readonly VerifiedKernel[], slow: readonly Candidate[]) {
    if (bench.kernels !== 'auto' || timeable.length === 0) return { chosenKernels: timeable, slowerKernels: [] };
    const { isFallback } = this.#deps.context.facts;
    const kernels = timeable.map(({ kernel }) => kernel);
    const what = `trying ${timeable.length} kernels of ${bench.format.title}`;
    const rounds = isFallback ? TRIAL_ROUNDS.software : TRIAL_ROUNDS.gpu;
    const times = timeable.length === 1 ? [1] : await this.#timer.timeInTurns(kernels, rounds, what);
    this.#markBusy();
    const fastest = indexOfSmallest(times);
    const limit = isFallback ? times[fastest] : MAX_SLOWDOWN * times[fastest];
    const { trialNs = 0 } = timeable[fastest].candidate;
    return {
      chosenKernels: timeable.filter((_, i) => (isFallback ? i === fastest : times[i] <= limit)),
      slowerKernels: [
        ...timeable.flatMap(({ candidate }, i) =>
          times[i] <= limit ? [] : [{ id: candidate.spec.id, share: times[fastest] / times[i] }],
        ),
        ...slow.map((candidate) => ({ id: candidate.spec.id, share: trialNs / (candidate.trialNs ?? trialNs) })),
      ],
    };
  }
}

/**
 * The kernel with the smallest median of its last samples, of which the same number is used for every kernel. `recorded`,
 * the id of the kernel that was the fastest on a similar GPU, is preferred unless another is clearly faster.
 */
function fastestOf(contestants: readonly TimedCandidate[], recorded: string | undefined): TimedCandidate {
  const count = smallest(contestants.map(({ timing }) => timing.samplesNs.length));
  const times = contestants.map(({ timing }) => median(timing.samplesNs.slice(timing.samplesNs.length - count)));
  const fastest = indexOfSmallest(times);
  const recordedIndex = contestants.findIndex(({ candidate }) => candidate.spec.id === recorded);
  const isRecordedBest = recordedIndex >= 0 && times[fastest] > CLEARLY_FASTER_SHARE * times[recordedIndex];
  return contestants[isRecordedBest ? recordedIndex : fastest];
}
