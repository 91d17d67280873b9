import { type BenchCase, completeRows, type Measured, shuffled } from '../core/bench/cases.ts';
import type { Job } from '../core/job.ts';
import { Random } from '../core/number/random.ts';
import { indexOfSmallest } from '../core/number/statistics.ts';
import { threadPace, throwIfCancelled } from '../core/pace.ts';
import type { BenchReport, Refusal, Workload } from '../core/report.ts';
import { storedKey } from '../core/format.ts';
import { BufferPool } from './buffer-pool.ts';
import { Buffers } from './buffers.ts';
import { type Candidate, type CandidateGroup, Candidates, type RunOracle } from './candidates.ts';
import { type Clock, openClock } from './clock.ts';
import type { GpuContext } from './device.ts';
import { measuredRow, SOFTWARE_NOTE } from './measured-row.ts';
import { OutputBuffer } from './prepared-kernel.ts';
import { TimedKernel, Timer } from './timer.ts';

/** Length of a pass relative to a run's: three rounds of five kernels then take less than a tenth of a second. */
const PASS_SCALE = 0.2;
/** Rounds of a density: enough for a median that one disturbed pass does not move. */
const ROUNDS = 3;
/** Rounds of the trial that chooses among the variants of a format, the first time that it is measured. */
const TRIAL_ROUNDS = 2;
/** Bytes of the copies that rotate: more than the last-level caches of most devices. */
const COLD_BYTES = 128 * 2 ** 20;
/**
 * A device that has been idle for this long may be lowering its clocks. Without the warm-up, kernels took up to three
 * times as long on an H200, and ratios were up to a seventh off: formats are not affected equally.
 */
const IDLE_MS = 30;
const WARM_UP_MS = 60;
/** Length of a pass that only keeps the clocks up, relative to a timed one: others wait for it. */
const WARM_SCALE = 0.05;
/** How many of them are in flight. */
const WARM_PASSES = 3;
/** How long to wait for others like that at most. */
const MAX_WARM_MS = 1000;
/** Buffers kept for the next density: about the size of one density's formats. */
const MAX_POOLED_BYTES = 2 ** 30;

/** The facts about a density. */
export interface LiveOptions {
  readonly app: string;
  /** of the matrix of this density */
  readonly workload: Omit<Workload, 'rounds' | 'memory'>;
  readonly oracle: RunOracle;
  /** further notes about the formats, in sentences, when they are encoded */
  readonly remarks?: () => readonly string[];
  readonly onReport: (report: BenchReport) => void | Promise<void>;
}

/** Kernels with their arrays on the device, timed in short rounds with dense. */
interface Entrant {
  readonly candidate: Candidate;
  readonly kernel: TimedKernel;
  readonly samplesNs: number[];
}

/**
 * Times formats at one density after the other within a fraction of a second each. Whatever does not depend on the
 * density is made once: the clock, the dense kernel with its arrays and its batch size, inputs and outputs, pipelines,
 * and which variant of a format is the fastest. Times are from a few short passes: they have a wider spread than those
 * of a run.
 */
export class LiveGpu {
  readonly #context: GpuContext;
  readonly #kept: Buffers;
  readonly #clock: Clock;
  readonly #dense: Candidate;
  readonly #denseKernel: TimedKernel;
  /** the chosen variant of a format with its parameters, and the batch size of its passes */
  readonly #chosen = new Map<string, { readonly kernel: string; readonly runs: number }>();
  /** the output buffer of each case, so that several are verified at the same time */
  readonly #outputs = new Map<string, OutputBuffer>();
  readonly #pool = new BufferPool(MAX_POOLED_BYTES);
  #busyUntilMs = Number.NEGATIVE_INFINITY;
  /** how long it has been kept busy since then */
  #warmedMs = 0;

  private constructor(context: GpuContext, kept: Buffers, clock: Clock, dense: Candidate, kernel: TimedKernel) {
    this.#context = context;
    this.#kept = kept;
    this.#clock = clock;
    this.#dense = dense;
    this.#denseKernel = kernel;
  }

  /**
   * Prepares what all densities share. `dense` is measured in every round; `oracle` is that of the matrix that it
   * encodes. Null if the case has no correct kernel. Throws CancelledError and DeviceLostError.
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
      const best = isTimed ? indexOfSmallest(await timer.trial(kernels, TRIAL_ROUNDS)) : 0;
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
   * One density: each batch of cases is put on the device, verified and timed together, in rounds with dense; nothing
   * of a batch is encoded while it is timed. Meanwhile the device is kept busy. On a software adapter they are only
   * verified. `onReport` receives the report after the first round and at the end of each batch. Frees everything of
   * this density, whatever happens. Throws CancelledError and DeviceLostError.
   */
  async measure(batches: readonly (readonly BenchCase[])[], options: LiveOptions, job: Job): Promise<BenchReport> {
    const own = new Buffers(this.#context, this.#kept, this.#pool);
    const refused: Refusal[] = [];
    const wrong: Candidate[] = [];
    const entrants: Entrant[] = [];
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
          isTimed ? 'live: few short passes, dense timed on the matrix that it was prepared with' : SOFTWARE_NOTE,
          ...(options.remarks?.() ?? []),
        ],
        ...(waiting && {
          unfinished: { waiting: waiting.map(({ format, params }) => ({ format: format.id, params })) },
        }),
      };
    };
    try {
      for (const [index, batch] of batches.entries()) {
        const waiting = batches.slice(index + 1).flat();
        const groups = await this.#prepare(batch, own, options, refused, index === 0, job);
        // All of the batch are encoded by now.
        const mine: Entrant[] = [];
        for (const [i, bench] of batch.entries()) {
          const those = groups[i].candidates;
          for (const candidate of those) if (!candidate.verified.ok) wrong.push(candidate);
          const right = those.filter(({ verified }) => verified.ok);
          const entrant = await this.#choose(bench, right, timer);
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
          if (i === 0) void options.onReport(report([...waiting]));
        }
        this.#busyUntilMs = threadPace.now();
        for (const { candidate, kernel } of isTimed ? mine : []) {
          this.#chosen.set(keyOf(candidate.bench), { kernel: candidate.spec.id, runs: kernel.runs });
        }
        if (waiting.length > 0) await options.onReport(report(waiting));
      }
      return report(null);
    } finally {
      own.destroy();
    }
  }

  /** Frees everything. */
  destroy(): void {
    this.#kept.destroy();
    this.#pool.destroy();
  }

  /** Cases on the device and verified, all at the same time, since each repeatedly waits for the device. */
  async #prepare(
    batch: readonly BenchCase[],
    own: Buffers,
    options: LiveOptions,
    refused: Refusal[],
    isFirst: boolean,
    job: Job,
  ): Promise<readonly CandidateGroup[]> {
    const outputs: OutputBuffer[] = [];
    for (const bench of batch) outputs.push(await this.#outputOf(bench));
    const prepared = Promise.allSettled(
      batch.map((bench, i) => {
        const those = new Candidates(
          this.#context,
          own,
          { ...candidateOptions(options), output: outputs[i] },
          refused,
          job,
        );
        return those.of(this.#withChoice(bench));
      }),
    );
    // An error in one ends the others as well.
    if (isFirst) await this.#keepWarmUntil(prepared, job).catch(() => {});
    // A failed one must not leave others behind that still use what is freed then.
    const groups: CandidateGroup[] = [];
    for (const result of await prepared) {
      if (result.status === 'rejected') throw result.reason;
      groups.push(result.value);
    }
    throwIfCancelled(job);
    return groups;
  }

  async #outputOf(bench: BenchCase): Promise<OutputBuffer> {
    const key = keyOf(bench);
    let output = this.#outputs.get(key);
    if (!output) {
      output = await OutputBuffer.create(this.#kept, this.#dense.output.buffer.size);
      this.#outputs.set(key, output);
    }
    return output;
  }

  /**
   * Runs dense while others are prepared, since an idle device lowers its clocks. A few short passes are always in
   * flight: the device never idles, and callers that wait for it do not wait for long.
   */
  async #keepWarmUntil(done: Promise<unknown>, job: Job): Promise<void> {
    const { device, facts } = this.#context;
    if (facts.isFallback) return;
    const { kernel, runs } = this.#denseKernel;
    const each = Math.max(1, Math.round((runs * WARM_SCALE) / PASS_SCALE));
    const start = threadPace.now();
    const passes: Promise<unknown>[] = [];
    let isDone = false;
    void done.then(() => (isDone = true));
    for (let i = 0; !isDone && threadPace.now() - start < MAX_WARM_MS; i++) {
      throwIfCancelled(job);
      const encoder = device.createCommandEncoder({ label: 'warm up' });
      const pass = encoder.beginComputePass({ label: 'warm up' });
      kernel.encode(pass, (i * each) % kernel.slots, each);
      pass.end();
      device.queue.submit([encoder.finish()]);
      passes.push(this.#context.alive(device.queue.onSubmittedWorkDone()));
      if (passes.length >= WARM_PASSES) await passes.shift();
      this.#warmedMs = threadPace.now() - start;
    }
    await Promise.all(passes);
  }

  /** For a format that was measured before, the variant that was the fastest then. */
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
    const best = kernels.length === 1 ? 0 : indexOfSmallest(await timer.trial(kernels, TRIAL_ROUNDS));
    // The case as requested, not with the variant that was chosen for it.
    return { candidate: { ...right[best], bench }, kernel: kernels[best], samplesNs: [] };
  }

  async #warmUp(all: readonly Entrant[], timer: Timer): Promise<void> {
    const isIdle = threadPace.now() - this.#busyUntilMs >= IDLE_MS;
    const leftMs = WARM_UP_MS - this.#warmedMs;
    this.#warmedMs = 0;
    if (!isIdle || leftMs <= 0) return;
    await timer.warmUp(
      all.map(({ kernel }) => kernel),
      leftMs,
    );
  }
}

function candidateOptions({ workload, oracle }: LiveOptions): ConstructorParameters<typeof Candidates>[2] {
  const { operation, sizes = {}, seed } = workload;
  return { operation, sizes, seed, coldBytes: COLD_BYTES, oracle };
}

function keyOf({ format, params }: BenchCase): string {
  return storedKey(format.id, params);
}
