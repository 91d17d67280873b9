import { median } from '../core/number/statistics.ts';
import { checksum } from '../core/encoded/checksum.ts';
import type { EncodedMatrix } from '../core/encoded/encoded.ts';
import { CancelledError, SparseScopeError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import { type Choice, type Chosen, type Race, searchChoices, startOf } from '../core/kernel/choices.ts';
import type { KernelPlan, KernelSpec } from '../core/kernel/kernel.ts';
import type { Sizes } from '../core/operations/operation.ts';
import { shuffled } from '../core/bench/cases.ts';
import { Random } from '../core/number/random.ts';
import type { TunedChoices } from '../core/report.ts';
import { Buffers } from './buffers.ts';
import type { Clock } from './clock.ts';
import { DeviceLostError, type GpuContext } from './device.ts';
import type { PreparedKernel } from './prepared-kernel.ts';
import { TimedKernel, Timer } from './timer.ts';

/** What a trial found for a kernel on a device. */
export interface TuningResult {
  readonly chosen: Chosen;
  /** time without a trial over the time of the choice, in a last race between the two; 1 if nothing changed */
  readonly gain: number;
  /** settings that ran, the start included */
  readonly tried: number;
}

/** Stores results between runs. If it throws, a run continues without it. */
export interface TuningMemory {
  recall(key: string): Promise<TuningResult | null>;
  keep(key: string, result: TuningResult): Promise<void>;
}

/** Time limit of the search for one kernel. */
const MAX_MS = 2000;
/** How long it waits for compilers: what they have compiled by then still has to run. */
const PREPARED_MS = 1800;
/** Warm-up before the first race: GPUs lower their clocks while a matrix is encoded. */
const WARM_UP_MS = 400;
/** Rounds of a race: the maximum, and the minimum whatever the time, since one alone decides nothing. */
const ROUNDS = 6;
const MIN_ROUNDS = 2;
/** Rounds of the trial that decides which kernels are worth a search. */
const TRIAL_ROUNDS = 3;
/** After the first two rounds, settings slower than the fastest by this factor drop out. */
const OUT = 1.04;
/** A gain within the noise is not worth a change: in a race, and in the last one, of long passes. */
const NOISE = 0.995;
const LAST_NOISE = 0.99;
/** Fraction of a pass that is enough here, if the clock's step allows. */
const SHORT_PASS = 0.25;
/** A matrix that needs more copies to fill a cold run is so small that a run takes no longer than an empty dispatch. */
const MAX_COPIES = 256;
/** With 'auto', kernels slower than the fastest by this factor are not worth a search. */
const WORTH_IT = 1.3;

/** A kernel that is on the device with the start of its choices, or with remembered ones. */
export interface Tunable {
  readonly kernel: PreparedKernel;
  readonly choices: readonly Choice[];
  /** null if it uses the start: then there is something to search for */
  readonly tuned: TunedChoices | null;
  readonly key: string;
  /**
   * Compiles the kernel with other numbers, concurrently. The returned function waits for that and puts it on the
   * device. Both throw SparseScopeError if it does not fit or compile.
   */
  compile(chosen: Chosen): (buffers: Buffers) => Promise<PreparedKernel>;
}

/** Searches the numbers of kernels by trial, and stores the results. */
export class Tuner {
  readonly #context: GpuContext;
  readonly #buffers: Buffers;
  readonly #timer: Timer;
  /** passes as long as those of a measurement */
  readonly #longTimer: Timer;
  readonly #memory: TuningMemory | null;
  readonly #job: Job;
  readonly #random: Random;
  readonly #now: () => number;

  constructor(
    context: GpuContext,
    buffers: Buffers,
    options: {
      readonly clock: Clock;
      readonly memory: TuningMemory | null;
      readonly seed: number;
      readonly job: Job;
      readonly now: () => number;
    },
  ) {
    const { clock, memory, seed, job, now } = options;
    this.#context = context;
    this.#buffers = buffers;
    // A browser's clock has steps of 65,536 ns, of which a pass has to hold a few hundred.
    this.#timer = new Timer(clock, job, clock.quantumNs > 1000 ? 1 : SHORT_PASS);
    this.#longTimer = new Timer(clock, job, 1);
    this.#memory = memory;
    this.#job = job;
    this.#random = new Random(seed);
    this.#now = now;
  }

  /** The result of an earlier run, with its key. */
  async recall(key: string, choices: readonly Choice[]): Promise<TunedChoices | null> {
    const kept = await this.#memory?.recall(key).catch(() => null);
    if (!kept || !isOf(kept.chosen, choices)) return null;
    return { ...kept, start: startOf(choices), remembered: true };
  }

  /** Whether there is anything to search for. */
  isOpen({ kernel, choices, tuned }: Tunable): boolean {
    return tuned === null && choices.length > 0 && kernel.copies <= MAX_COPIES;
  }

  /**
   * The result for each kernel, by index; null if there is nothing to search for. With 'auto' only those that come
   * close to the fastest are searched.
   */
  async tune(kernels: readonly Tunable[], auto: boolean): Promise<readonly (TunedChoices | null)[]> {
    const found: (TunedChoices | null)[] = kernels.map(() => null);
    const open = kernels.map((one) => this.isOpen(one));
    if (!open.includes(true)) return found;
    const timed = kernels.map(({ kernel }) => new TimedKernel(kernel));
    for (const one of timed) await this.#timer.probe(one);
    await this.#timer.warmUp(timed, WARM_UP_MS);
    const times = auto && timed.length > 1 ? await this.#timer.trial(timed, TRIAL_ROUNDS) : timed.map(() => 1);
    const min = times.reduce((a, b) => Math.min(a, b));
    for (const [i, one] of kernels.entries()) {
      if (open[i] && times[i] <= WORTH_IT * min) found[i] = await this.#search(one, timed[i]);
    }
    return found;
  }

  async #search({ choices, key, compile }: Tunable, start: TimedKernel): Promise<TunedChoices> {
    const began = this.#now();
    const preparedBy = began + PREPARED_MS;
    let incumbent = start;
    let tried = 1;
    /** the incumbent's own buffers, apart from the arrays that all kernels share; empty while it is the start */
    let own: Buffers | null = null;
    const race: Race = async (settings) => {
      const runners: { index: number; one: TimedKernel; buffers: Buffers | null }[] = [
        { index: 0, one: incumbent, buffers: own },
      ];
      const compiling: { index: number; prepare: (buffers: Buffers) => Promise<PreparedKernel> }[] = [];
      for (const [index, setting] of settings.entries()) {
        if (index === 0 || this.#now() > preparedBy) continue;
        try {
          compiling.push({ index, prepare: compile(setting) });
        } catch (error) {
          throwUnlessUnfit(error);
        }
      }
      for (const { index, prepare } of compiling) {
        if (this.#now() > preparedBy) break;
        this.#job.report({ what: `try ${start.kernel.id}`, done: index, total: settings.length });
        const buffers = new Buffers(this.#context, this.#buffers);
        try {
          const one = new TimedKernel(await prepare(buffers));
          one.runs = incumbent.runs;
          runners.push({ index, one, buffers });
          tried++;
        } catch (error) {
          buffers.destroy();
          throwUnlessUnfit(error);
        }
      }
      if (runners.length === 1) return [0];
      const { times, decided } = await this.#run(
        runners.map(({ one }) => one),
        began + MAX_MS,
      );
      let best = 0;
      for (const i of decided) if (times[i] < times[0] * NOISE && times[i] < times[best]) best = i;
      for (const [i, { buffers }] of runners.entries()) if (i !== best) buffers?.destroy();
      if (best > 0) {
        incumbent = runners[best].one;
        own = runners[best].buffers;
      }
      const others = [...runners.keys()].filter((i) => i !== best);
      return [best, ...others.toSorted((a, b) => times[a] - times[b])].map((i) => runners[i].index);
    };
    let chosen: Chosen;
    let gain = 1;
    try {
      chosen = await searchChoices(choices, race);
      if (incumbent !== start) {
        // The start may have run while the GPU was still slow, and short passes are less reliable than long ones.
        const last = [start, incumbent];
        for (const one of last) await this.#longTimer.probe(one);
        const [before, after] = await this.#longTimer.trial(last, ROUNDS);
        if (after < before * LAST_NOISE) gain = before / after;
        else chosen = startOf(choices);
      }
    } finally {
      (own as Buffers | null)?.destroy();
    }
    const result: TuningResult = { chosen, gain, tried };
    await this.#memory?.keep(key, result).catch(() => {});
    return { ...result, start: startOf(choices), remembered: false };
  }

  /**
   * Median times in interleaved rounds, at least two, and which of them stayed to the end: clearly slower ones drop
   * out.
   */
  async #run(all: readonly TimedKernel[], deadline: number): Promise<{ times: number[]; decided: readonly number[] }> {
    const samples = all.map((): number[] => []);
    let running = all.map((_, i) => i);
    for (let round = 0; round < ROUNDS && running.length > 1; round++) {
      if (round >= MIN_ROUNDS && this.#now() > deadline) break;
      for (const i of shuffled(running, this.#random)) samples[i].push(await this.#timer.sample(all[i]));
      const times = samples.map((s) => median(s));
      const min = running.map((i) => times[i]).reduce((a, b) => Math.min(a, b));
      // The first is the reference, even if it is far behind.
      if (round > 0) running = running.filter((i) => i === 0 || times[i] <= OUT * min);
    }
    return { times: samples.map((s) => median(s)), decided: running };
  }
}

/** A setting that does not fit is skipped; every other error ends the run. */
function throwUnlessUnfit(error: unknown): void {
  if (!(error instanceof SparseScopeError || error instanceof RangeError)) throw error;
  if (error instanceof CancelledError || error instanceof DeviceLostError) throw error;
}

/** Whether it holds a value for each choice and no other, of the kind that the choice may have. */
function isOf(chosen: Chosen, choices: readonly Choice[]): boolean {
  if (Object.keys(chosen).length !== choices.length) return false;
  return choices.every((choice) => {
    const value = chosen[choice.name];
    return choice.kind === 'one-of'
      ? choice.values.includes(value)
      : Number.isInteger(value) && value >= choice.min && value <= choice.max;
  });
}

/**
 * The key of a stored result: the device, the browser with its version, the shape, and the text of the kernel with
 * everything else that determines its plan.
 */
export function tuningKey(
  { environment }: GpuContext,
  spec: Pick<KernelSpec<EncodedMatrix>, 'id'>,
  { rows, cols }: EncodedMatrix,
  about: {
    readonly plan: KernelPlan;
    readonly choices: readonly Choice[];
    readonly sizes: Sizes;
    readonly coldBytes: number;
  },
): string {
  const { adapter, runtime } = environment;
  const { plan, choices, sizes, coldBytes } = about;
  const text = JSON.stringify([plan.passes.map(({ files, constants }) => [files, constants]), choices]);
  return JSON.stringify([
    [adapter.vendor, adapter.architecture, adapter.device, adapter.description],
    runtime,
    spec.id,
    [rows, cols, Object.entries(sizes)],
    // The best numbers also depend on the density; a tenth more or less does not matter.
    Number(plan.bytes.toPrecision(2)),
    coldBytes > 0 ? 'cold' : 'warm',
    checksum(new TextEncoder().encode(text)),
  ]);
}
