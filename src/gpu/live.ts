import { type BenchCase, completeRows, type Measured, shuffled } from '../core/bench/cases.ts';
import type { Job } from '../core/job.ts';
import { Random } from '../core/number/random.ts';
import { smallest } from '../core/number/statistics.ts';
import { threadPace, throwIfCancelled } from '../core/pace.ts';
import type { BenchReport, Refusal, Workload } from '../core/report.ts';
import { Buffers } from './buffers.ts';
import { type Candidate, Candidates, type RunOracle } from './candidates.ts';
import { type Clock, openClock } from './clock.ts';
import type { GpuContext } from './device.ts';
import { measuredRow } from './measured-row.ts';
import { TimedKernel, Timer } from './timer.ts';

/** A pass is that much shorter than in a run: three rounds of five kernels then take less than a tenth of a second. */
const PASS_SCALE = 0.2;
/** Rounds of a density: enough for a median that one disturbed pass does not move. */
const ROUNDS = 3;
/** Rounds of the trial that chooses among the variants of a format, the first time that it is measured. */
const TRIAL_ROUNDS = 2;
/** Copies of at least so many bytes take turns: more than the last-level caches of most devices hold. */
const COLD_BYTES = 128 * 2 ** 20;
/**
 * A device that has had nothing to do for so long may have lowered its clocks. Without the warm-up, kernels took up to
 * three times as long on an H200, and ratios were up to a seventh off: formats do not suffer alike.
 */
const IDLE_MS = 200;
const WARM_UP_MS = 60;

/** What is told of a density. */
export interface LiveOptions {
  readonly app: string;
  /** of the matrix of this density */
  readonly workload: Omit<Workload, 'rounds' | 'memory'>;
  readonly oracle: RunOracle;
  readonly takePart: (report: BenchReport) => void | Promise<void>;
}

/** Kernels with their arrays on the device, timed in short rounds beside dense. */
interface Entrant {
  readonly candidate: Candidate;
  readonly kernel: TimedKernel;
  readonly samplesNs: number[];
}

/**
 * Times formats at one density after the other within a fraction of a second each. What does not depend on the density is
 * made once: the clock, the dense kernel with its arrays and its batch size, inputs and outputs, pipelines, and which
 * variant of a format is the fastest. Times are of few short passes: they have a wider spread than those of a run.
 */
export class LiveGpu {
  readonly #context: GpuContext;
  readonly #kept: Buffers;
  readonly #clock: Clock;
  readonly #dense: Candidate;
  readonly #denseKernel: TimedKernel;
  /** the chosen variant of a format with its parameters, and how many runs made a pass of it */
  readonly #chosen = new Map<string, { readonly kernel: string; readonly runs: number }>();
  #busyUntilMs = Number.NEGATIVE_INFINITY;

  private constructor(context: GpuContext, kept: Buffers, clock: Clock, dense: Candidate, kernel: TimedKernel) {
    this.#context = context;
    this.#kept = kept;
    this.#clock = clock;
    this.#dense = dense;
    this.#denseKernel = kernel;
  }

  /**
   * Prepares what all densities share. `dense` is measured in every round; `oracle` is that of the matrix that it
   * encodes. Null where the case has no kernel that is right. Throws CancelledError and DeviceLostError.
   */
  static async open(context: GpuContext, dense: BenchCase, options: LiveOptions, job: Job): Promise<LiveGpu | null> {
    const kept = new Buffers(context);
    try {
      const clock = await openClock(context, kept);
      const candidates = new Candidates(context, kept, candidateOptions(options), [], job);
      const right = (await candidates.of(dense)).candidates.filter(({ verified }) => verified.ok);
      const timer = new Timer(clock, job, PASS_SCALE);
      const kernels = right.map(({ kernel }) => new TimedKernel(kernel));
      if (right.length === 0) {
        kept.destroy();
        return null;
      }
      const isTimed = !context.facts.isFallback;
      if (isTimed) for (const kernel of kernels) await timer.probe(kernel);
      const best = isTimed ? indexOfLeast(await timer.trial(kernels, TRIAL_ROUNDS)) : 0;
      return new LiveGpu(context, kept, clock, right[best], kernels[best]);
    } catch (error) {
      kept.destroy();
      throw error;
    }
  }

  get isLost(): boolean {
    return this.#context.lostReason !== null;
  }

  /**
   * One density: each batch of cases is put on the device, verified and timed together, in rounds with dense; nothing of
   * a batch is encoded while it is timed. On a software adapter they are only verified. `takePart` has the report after the first round and at the end of each batch.
   * Frees what is of this density alone, whatever happens. Throws CancelledError and DeviceLostError.
   */
  async measure(batches: readonly (readonly BenchCase[])[], options: LiveOptions, job: Job): Promise<BenchReport> {
    const own = new Buffers(this.#context, this.#kept);
    const refused: Refusal[] = [];
    const wrong: Candidate[] = [];
    const entrants: Entrant[] = [];
    const { output } = this.#dense;
    const candidates = new Candidates(this.#context, own, { ...candidateOptions(options), output }, refused, job);
    const timer = new Timer(this.#clock, job, PASS_SCALE);
    const random = new Random(options.workload.seed);
    const dense: Entrant = { candidate: this.#dense, kernel: this.#denseKernel, samplesNs: [] };
    const roundsOf = new Map<Entrant, number[]>();
    const isTimed = !this.#context.facts.isFallback;
    let round = 0;
    const report = (waiting: readonly BenchCase[] | null): BenchReport => {
      const rows: Measured[] = [
        measuredRow(dense.candidate, { samplesNs: [...dense.samplesNs] }, dense.kernel.runs),
        ...entrants.map((one) =>
          measuredRow(
            one.candidate,
            { samplesNs: [...one.samplesNs], rounds: [...(roundsOf.get(one) ?? [])] },
            one.kernel.runs,
          ),
        ),
        ...wrong.map((candidate) => measuredRow(candidate)),
      ];
      return {
        schema: 1,
        createdAt: new Date().toISOString(),
        app: options.app,
        environment: this.#context.environment,
        clock: { source: this.#clock.source, quantumNs: this.#clock.quantumNs },
        readBandwidthGBps: null,
        nullDispatchNs: null,
        workload: { ...options.workload, memory: 'cold', rounds: ROUNDS },
        rows: completeRows(rows, null, this.#dense.bench.format.id),
        refused: [...refused],
        notes: [
          isTimed
            ? 'live: few short passes, dense timed on the matrix that it was prepared with'
            : 'software adapter: no performance shown',
        ],
        ...(waiting && {
          unfinished: { waiting: waiting.map(({ format, params }) => ({ format: format.id, params })) },
        }),
      };
    };
    try {
      for (const [place, batch] of batches.entries()) {
        const waiting = batches.slice(place + 1).flat();
        const right: { readonly bench: BenchCase; readonly those: readonly Candidate[] }[] = [];
        for (const bench of batch) {
          throwIfCancelled(job);
          const { candidates: those } = await candidates.of(this.#withChoice(bench));
          for (const candidate of those) if (!candidate.verified.ok) wrong.push(candidate);
          right.push({ bench, those: those.filter(({ verified }) => verified.ok) });
        }
        // All of the batch are encoded by now.
        const mine: Entrant[] = [];
        for (const { bench, those } of right) {
          const entrant = await this.#choose(bench, those, timer);
          if (entrant) mine.push(entrant);
        }
        const all = [dense, ...mine];
        if (isTimed) await this.#warmUp(all, timer);
        for (const one of mine) {
          entrants.push(one);
          roundsOf.set(one, []);
        }
        for (let i = 0; isTimed && mine.length > 0 && i < ROUNDS; i++) {
          for (const one of shuffled(all, random)) one.samplesNs.push(await timer.sample(one.kernel));
          for (const one of mine) roundsOf.get(one)?.push(round);
          round++;
          if (i === 0) void options.takePart(report([...waiting]));
        }
        this.#busyUntilMs = threadPace.now();
        for (const { candidate, kernel } of isTimed ? mine : []) {
          this.#chosen.set(keyOf(candidate.bench), { kernel: candidate.spec.id, runs: kernel.runs });
        }
        if (waiting.length > 0) await options.takePart(report(waiting));
      }
      return report(null);
    } finally {
      own.destroy();
    }
  }

  /** Frees everything. */
  destroy(): void {
    this.#kept.destroy();
  }

  /** Of a format that was measured before the variant that was the fastest then. */
  #withChoice(bench: BenchCase): BenchCase {
    const chosen = this.#chosen.get(keyOf(bench));
    return chosen && bench.kernels === 'auto' ? { ...bench, kernels: [chosen.kernel] } : bench;
  }

  async #choose(bench: BenchCase, right: readonly Candidate[], timer: Timer): Promise<Entrant | null> {
    if (right.length === 0) return null;
    if (this.#context.facts.isFallback) {
      return { candidate: { ...right[0], bench }, kernel: new TimedKernel(right[0].kernel), samplesNs: [] };
    }
    const kernels = right.map(({ kernel }) => new TimedKernel(kernel));
    const chosen = this.#chosen.get(keyOf(bench));
    for (const kernel of kernels) {
      if (chosen) kernel.runs = chosen.runs;
      else await timer.probe(kernel);
    }
    const best = kernels.length === 1 ? 0 : indexOfLeast(await timer.trial(kernels, TRIAL_ROUNDS));
    // The case as it was asked for, not with the variant that was chosen for it.
    return { candidate: { ...right[best], bench }, kernel: kernels[best], samplesNs: [] };
  }

  async #warmUp(all: readonly Entrant[], timer: Timer): Promise<void> {
    if (threadPace.now() - this.#busyUntilMs < IDLE_MS) return;
    await timer.warmUp(
      all.map(({ kernel }) => kernel),
      WARM_UP_MS,
    );
  }
}

function candidateOptions({ workload, oracle }: LiveOptions): ConstructorParameters<typeof Candidates>[2] {
  const { operation, sizes = {}, seed } = workload;
  return { operation, sizes, seed, coldBytes: COLD_BYTES, oracle };
}

function keyOf({ format, params }: BenchCase): string {
  return `${format.id} ${JSON.stringify(Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
}

function indexOfLeast(values: readonly number[]): number {
  return values.indexOf(smallest(values));
}
