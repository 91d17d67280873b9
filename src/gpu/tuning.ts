import { indexOfSmallest, median, smallest } from '../core/number/statistics.ts';
import { RACE_ROUNDS, TRIAL_ROUNDS } from '../core/bench/round-counts.ts';
import { checksum } from '../core/encoded/checksum.ts';
import type { EncodedMatrix } from '../core/encoded/encoded.ts';
import { CancelledError, SparseScopeError } from '../core/errors.ts';
import { storedKey } from '../core/format.ts';
import type { Job, Progress } from '../core/job.ts';
import { type Choice, type Chosen, type Race, searchChoices, startOf } from '../core/kernel/choices.ts';
import type { KernelPlan, KernelSpec } from '../core/kernel/kernel.ts';
import type { Sizes } from '../core/operations/operation.ts';
import { Random, shuffled } from '../core/number/random.ts';
import type { TunedChoices } from '../core/report.ts';
import { Buffers } from './buffers.ts';
import type { Clock } from './clock.ts';
import { DeviceLostError, type GpuContext } from './device.ts';
import type { PreparedKernel } from './prepared-kernel.ts';
import { FAR_BEHIND, TimedKernel, Timer, typical } from './timer.ts';

// Tuning: searches for the fastest numbers (tuning parameters) of a kernel, such as its workgroup size. A setting has a value
// for each of them. The start of a search: the kernel's defaults, or the fastest setting on a similar GPU. A race times
// several settings of one kernel, a trial several kernels.

/** The numbers that a search found for a kernel or, with `kernel`, the result of a trial. */
export interface TuningResult {
  readonly chosen: Chosen;
  /** time of the start over the time of the result, in a last race between the two; 1 if nothing changed */
  readonly gain: number;
  /** settings that ran, the start included; of a trial: its kernels */
  readonly tried: number;
  /** of a trial: id of the chosen kernel */
  readonly kernel?: string;
}

/** Stores results between runs. If it throws, a run continues without it. */
export interface TuningMemory {
  recall(key: string): Promise<TuningResult | null>;
  keep(key: string, result: TuningResult): Promise<void>;
}

/** Time limit of the search for one kernel, and its minimum even if the time for all is up. */
const MAX_MS = 2000;
const MIN_MS = 300;
/** The share of that time in which kernels may still be compiled, since they have to run afterwards. */
const PREPARED_SHARE = 0.9;
/** Warm-up before the first race: GPUs lower their frequency while kernels are compiled. */
const WARM_UP_MS = 200;
/** Settings of the last race besides the start: those that were fastest in short passes, up to this factor apart. */
const FINALISTS = 3;
const FINALIST_SLOWDOWN = 1.02;
/** After a race, the search for a kernel ends if it is this many times as slow as another that has been searched. */
const BEHIND = 1.05;
/** After the first two rounds, settings slower than the fastest by this factor drop out. */
const DROP_OUT = 1.04;
/** New numbers win a race below this share of the old time, since times scatter. */
const FASTER_SHARE = 0.995;
/**
 * The fraction of a pass that is enough for a race. More is used if the clock's steps are coarse, such as a browser's
 * 65,536 ns: a pass then has to last a hundred steps.
 */
const SHORT_PASS = 0.25;
const COARSE_SHORT_PASS = 0.5;
/** A matrix so small that more copies are needed to exceed the caches is not searched: an empty dispatch is as slow. */
const MAX_COPIES = 256;

/** A kernel on the device, with remembered numbers or those that a search starts from. */
export interface Tunable {
  readonly kernel: PreparedKernel;
  readonly choices: readonly Choice[];
  readonly start: Chosen;
  /** the start has the numbers that were the fastest on a similar GPU */
  readonly isKnown: boolean;
  /** the stored result, with which it runs; null: none, it runs with the start */
  readonly tuned: TunedChoices | null;
  readonly key: string; // of the stored result
  /** Compiles the kernel with other numbers; the returned function puts it on the device. Both can throw. */
  compile(chosen: Chosen): (buffers: Buffers) => Promise<PreparedKernel>;
}

interface SearchResult {
  /** null if there was nothing to search for, or no time */
  readonly tuned: TunedChoices | null;
  /** nanoseconds per run with the best numbers so far; null if it was not timed */
  readonly ns: number | null;
}

/** Searches the numbers of kernels by races, chooses kernels by trials, and stores the results. */
export class Tuner {
  readonly #context: GpuContext;
  readonly #buffers: Buffers;
  readonly #timer: Timer;
  /** passes as long as in a measurement */
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
    this.#timer = new Timer(clock, job, clock.quantumNs > 1000 ? COARSE_SHORT_PASS : SHORT_PASS);
    this.#longTimer = new Timer(clock, job, 1);
    this.#memory = memory;
    this.#job = job;
    this.#random = new Random(seed);
    this.#now = now;
  }

  /** The stored result for a key; null if none fits the choices. */
  async recall(key: string, choices: readonly Choice[]): Promise<TunedChoices | null> {
    const stored = await this.#memory?.recall(key).catch(() => null);
    if (!stored || !fitsChoices(stored.chosen, choices)) return null;
    return { ...stored, start: startOf(choices), remembered: true };
  }

  /** The kernel that an equal trial of an earlier run chose; null if there was none. */
  async recallTrial(trial: Trial): Promise<string | null> {
    const stored = await this.#memory?.recall(trialKey(this.#context, trial)).catch(() => null);
    return trial.kernels.find(({ id }) => id === stored?.kernel)?.id ?? null;
  }

  /** Stores the kernel that a trial chose. */
  async keepTrial(trial: Trial, kernel: string): Promise<void> {
    const result = { chosen: {}, gain: 1, tried: trial.kernels.length, kernel };
    await this.#memory?.keep(trialKey(this.#context, trial), result).catch(() => {});
  }

  /** Stores the numbers that a search found, under `tuningKey`. */
  async keepNumbers(key: string, { chosen, gain, tried }: TuningResult): Promise<void> {
    await this.#memory?.keep(key, { chosen, gain, tried }).catch(() => {});
  }

  /** Whether a kernel has numbers to search, no stored result, and is large enough. */
  needsSearch({ kernel, choices, tuned }: Tunable): boolean {
    return tuned === null && choices.length > 0 && kernel.copies <= MAX_COPIES;
  }

  /** Searches for each kernel; with `auto` only for those close to the fastest, in `budgetMs` together. */
  async tune(kernels: readonly Tunable[], auto: boolean, budgetMs: number): Promise<readonly SearchResult[]> {
    const results: SearchResult[] = kernels.map(() => ({ tuned: null, ns: null }));
    const open = kernels.map((tunable) => this.needsSearch(tunable));
    if (!open.includes(true)) return results;
    const timed = kernels.map(({ kernel }) => new TimedKernel(kernel));
    for (const kernel of timed) await this.#timer.probe(kernel);
    await this.#timer.warmUp(timed, WARM_UP_MS);
    const startMs = this.#now();
    const isTrial = auto && timed.length > 1;
    const what = `trying ${timed.length} kernels`;
    const times = isTrial ? await this.#timer.timeInTurns(timed, TRIAL_ROUNDS.gpu, what) : timed.map(() => 1);
    const limit = FAR_BEHIND * smallest(times);
    if (isTrial) for (const [i, ns] of times.entries()) results[i] = { tuned: null, ns };
    const searched = [...kernels.keys()].filter((i) => open[i] && times[i] <= limit);
    // The fastest first: slower ones are given up early.
    searched.sort((a, b) => times[a] - times[b]);
    let best = smallest(times.filter((_, i) => isTrial && kernels[i].isKnown));
    for (const [done, i] of searched.entries()) {
      // Each kernel gets twice its share of the remaining time: the fastest get more, and the last still gets some, since
      // a kernel that was not searched may be the fastest.
      const remainingMs = budgetMs - (this.#now() - startMs);
      const maxMs = auto ? Math.max(MIN_MS, (2 * remainingMs) / (searched.length - done + 1)) : MAX_MS;
      const progress = { what: `searching the numbers of ${searched.length} kernels`, done, total: searched.length };
      results[i] = await this.#search(kernels[i], timed[i], {
        best: auto ? best : Number.POSITIVE_INFINITY,
        maxMs: Math.min(MAX_MS, maxMs),
        progress,
      });
      best = Math.min(best, results[i].ns ?? best);
    }
    return results;
  }

  /** Searches for one kernel. Ends early, storing nothing, once it is BEHIND `best`, ns of the fastest other kernel. */
  async #search(
    { choices, start: from, key, compile }: Tunable,
    start: TimedKernel,
    { best, maxMs, progress }: { readonly best: number; readonly maxMs: number; readonly progress: Progress },
  ): Promise<SearchResult> {
    const startMs = this.#now();
    let ns: number | null = null;
    let isBehind = false;
    const preparedBy = startMs + PREPARED_SHARE * maxMs;
    let incumbent = start;
    let tried = 1;
    /** buffers of the incumbent (the fastest setting so far) that no other kernel shares; null while it is the start */
    let incumbentBuffers: Buffers | null = null;
    const made: Buffers[] = []; // also of settings that a cancel or an error keeps from racing
    /** the time of each setting that ran, as a share of the start's */
    const shares = new Map<Chosen, number>();
    let incumbentShare = 1;
    /** Puts a kernel on the device; null if it does not fit there. */
    const prepared = async (prepare: (buffers: Buffers) => Promise<PreparedKernel>, runs: number) => {
      const buffers = new Buffers(this.#context, this.#buffers);
      made.push(buffers);
      try {
        const timed = new TimedKernel(await prepare(buffers));
        timed.runs = runs;
        return { timed, buffers };
      } catch (error) {
        buffers.destroy();
        throwUnlessUnfit(error);
        return null;
      }
    };
    /** Times the incumbent, settings[0], and the others. Indices of those that ran, the fastest first. */
    const race: Race = async (settings) => {
      if (isBehind) return [0];
      const runners: { index: number; timed: TimedKernel; buffers: Buffers | null }[] = [
        { index: 0, timed: incumbent, buffers: incumbentBuffers },
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
        this.#job.report(progress);
        const runner = await prepared(prepare, incumbent.runs);
        if (!runner) continue;
        runners.push({ index, ...runner });
        tried++;
      }
      // Times all settings together, and replaces the incumbent by a clearly faster one.
      if (runners.length === 1) return [0];
      const { times, remaining } = await this.#run(
        this.#timer,
        runners.map(({ timed }) => timed),
        startMs + maxMs,
      );
      for (const [i, { index }] of runners.entries()) {
        shares.set(settings[index], (incumbentShare * times[i]) / times[0]);
      }
      let first = 0;
      for (const i of remaining) if (times[i] < times[0] * FASTER_SHARE && times[i] < times[first]) first = i;
      for (const [i, { buffers }] of runners.entries()) if (i !== first) buffers?.destroy();
      if (first > 0) {
        incumbent = runners[first].timed;
        incumbentBuffers = runners[first].buffers;
        incumbentShare *= times[first] / times[0];
      }
      ns = times[first];
      isBehind = ns > BEHIND * best;
      const others = [...runners.keys()].filter((i) => i !== first);
      return [first, ...others.toSorted((a, b) => times[a] - times[b])].map((i) => runners[i].index);
    };
    let chosen: Chosen;
    let gain = 1;
    try {
      chosen = await searchChoices(choices, race, from);
      if (!isBehind) {
        // Short passes hardly distinguish the fastest settings, and the start may have run while the GPU was still slow.
        const isFound = incumbent !== start;
        const others = [...shares]
          .filter(
            ([setting, share]) => setting !== from && setting !== chosen && share <= FINALIST_SLOWDOWN * incumbentShare,
          )
          .toSorted(([, x], [, y]) => x - y)
          .slice(0, FINALISTS - Number(isFound));
        const finalists = [
          { setting: from, timed: start },
          ...(isFound ? [{ setting: chosen, timed: incumbent }] : []),
        ];
        for (const [setting] of others) {
          this.#job.report(progress);
          const runner = await prepared(compile(setting), incumbent.runs);
          if (runner) finalists.push({ setting, timed: runner.timed });
        }
        if (finalists.length > 1) {
          const finalistKernels = finalists.map(({ timed }) => timed);
          for (const kernel of finalistKernels) await this.#longTimer.probe(kernel);
          const { times } = await this.#run(this.#longTimer, finalistKernels, Number.POSITIVE_INFINITY);
          const fastest = indexOfSmallest(times);
          const isBetter = times[fastest] < times[0] * FASTER_SHARE;
          chosen = finalists[isBetter ? fastest : 0].setting;
          if (isBetter) gain = times[0] / times[fastest];
        }
      }
    } finally {
      for (const buffers of made) buffers.destroy();
    }
    const result: TuningResult = { chosen, gain, tried };
    // Without a race, a later run searches.
    if (!isBehind && tried > 1) await this.keepNumbers(key, result);
    return { tuned: { ...result, start: from, remembered: false }, ns };
  }

  /** Median times in interleaved rounds, at least two, and the indices of those that did not drop out as too slow. */
  async #run(
    timer: Timer,
    all: readonly TimedKernel[],
    deadline: number,
  ): Promise<{ times: number[]; remaining: number[] }> {
    const samples = all.map((): number[] => []);
    let running = all.map((_, i) => i);
    for (let round = 0; round < RACE_ROUNDS.max && running.length > 1; round++) {
      if (round >= RACE_ROUNDS.min && this.#now() > deadline) break;
      for (const i of shuffled(running, this.#random)) samples[i].push(await timer.sample(all[i]));
      const times = samples.map((s) => typical(s));
      const min = running.map((i) => times[i]).reduce((a, b) => Math.min(a, b));
      // The first is the reference, even if it is far behind.
      if (round > 0) running = running.filter((i) => i === 0 || times[i] <= DROP_OUT * min);
    }
    return { times: samples.map((s) => median(s)), remaining: running };
  }
}

/** Ignores the error of a setting that does not fit, which is skipped; every other error ends the run. */
function throwUnlessUnfit(error: unknown): void {
  if (!(error instanceof SparseScopeError || error instanceof RangeError)) throw error;
  if (error instanceof CancelledError || error instanceof DeviceLostError) throw error;
}

/** Whether `chosen` has an allowed value for each choice, and nothing else. */
export function fitsChoices(chosen: Chosen, choices: readonly Choice[]): boolean {
  if (Object.keys(chosen).length !== choices.length) return false;
  return choices.every((choice) => {
    const value = chosen[choice.name];
    return choice.kind === 'one-of'
      ? choice.values.includes(value)
      : Number.isInteger(value) && value >= choice.min && value <= choice.max;
  });
}

/** Kernels that compute the same product, among which a trial chooses the fastest. */
export interface Trial {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly encoded: EncodedMatrix;
  readonly sizes: Sizes;
  readonly coldBytes: number;
  /** each with its plan before any search */
  readonly kernels: readonly { readonly id: string; readonly plan: KernelPlan }[];
}

/** The key of a trial's result: like `tuningKey`, with all its kernels. */
function trialKey(context: GpuContext, { format, params, encoded, sizes, coldBytes, kernels }: Trial): string {
  const passes = kernels.flatMap(({ id, plan }) => [
    id,
    ...plan.passes.map(({ files, constants }) => [files, constants]),
  ]);
  // Not the bytes of a plan, which may be rounded up.
  const density = Number((encoded.nnz / Math.max(1, encoded.rows * encoded.cols)).toPrecision(2));
  return JSON.stringify([
    ...deviceKey(context),
    storedKey(format, params),
    [encoded.rows, encoded.cols, Object.entries(sizes)],
    density,
    coldBytes > 0 ? 'cold' : 'warm',
    checksum(new TextEncoder().encode(JSON.stringify(passes))),
  ]);
}

/** The device, with its driver if known, and the browser with its version. */
function deviceKey({ environment: { adapter, runtime } }: GpuContext): readonly unknown[] {
  return [[adapter.vendor, adapter.architecture, adapter.device, adapter.description], runtime];
}

/** The key of a search's result: device, browser with version, shape, and what determines the kernel's plan. */
export function tuningKey(
  context: GpuContext,
  spec: Pick<KernelSpec<EncodedMatrix>, 'id'>,
  { rows, cols }: EncodedMatrix,
  options: Pick<Trial, 'sizes' | 'coldBytes'> & { readonly plan: KernelPlan; readonly choices: readonly Choice[] },
): string {
  const { plan, choices, sizes, coldBytes } = options;
  const text = JSON.stringify([plan.passes.map(({ files, constants }) => [files, constants]), choices]);
  return JSON.stringify([
    ...deviceKey(context),
    spec.id,
    [rows, cols, Object.entries(sizes)],
    // The best numbers also depend on the density; a tenth more or less does not matter.
    Number(plan.bytes.toPrecision(2)),
    coldBytes > 0 ? 'cold' : 'warm',
    checksum(new TextEncoder().encode(text)),
  ]);
}
