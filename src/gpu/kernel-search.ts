import { RACE_ROUNDS } from '../core/bench/round-counts.ts';
import { CancelledError, SparseScopeError } from '../core/errors.ts';
import type { Job, Progress } from '../core/job.ts';
import { type Choice, type Chosen, searchChoices } from '../core/kernel/choices.ts';
import { type Random, shuffled } from '../core/number/random.ts';
import { indexOfSmallest, median } from '../core/number/statistics.ts';
import type { TunedChoices } from '../core/report.ts';
import { Buffers } from './buffers.ts';
import { DeviceLostError, type GpuContext } from './device.ts';
import type { PreparedKernel } from './prepared-kernel.ts';
import { TimedKernel, type Timer, typical } from './timer.ts';

// Searches for the tuning numbers of one kernel. Settings, each with a value for every number, race against the fastest
// setting so far (the incumbent) in short passes; a last race in long passes decides between the fastest.

/** The share of the time of a search in which kernels may still be compiled, since they have to run afterwards. */
const PREPARED_SHARE = 0.9;
/**
 * Maximum number of settings of the last race in addition to the start: those that were fastest in short passes, at most
 * this factor slower than the incumbent.
 */
const FINALISTS = 3;
const FINALIST_SLOWDOWN = 1.02;
/** After a race, the search for a kernel ends if the kernel is this many times as slow as one that was searched before. */
const BEHIND = 1.05;
/** After the first two rounds, settings slower than the fastest by this factor drop out. */
const DROP_OUT = 1.04;
/** New numbers win a race below this share of the old time, since times scatter. */
const FASTER_SHARE = 0.995;

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

/** What all searches of a run share. */
export interface SearchEnvironment {
  readonly context: GpuContext;
  readonly buffers: Buffers;
  /** for short passes */
  readonly timer: Timer;
  /** for passes as long as in a measurement */
  readonly longTimer: Timer;
  readonly job: Job;
  readonly random: Random;
  readonly now: () => number;
}

/** When a search ends, and what it reports. */
export interface SearchLimits {
  /** nanoseconds of the fastest other kernel: the search ends early once its kernel is far slower */
  readonly best: number;
  readonly maxMs: number;
  readonly progress: Progress;
}

/** The result of a search. */
interface SearchOutcome {
  readonly chosen: Chosen;
  /** time of the start over the time of the result, in the last race; 1 if nothing changed */
  readonly gain: number;
  /** settings that ran, the start included */
  readonly tried: number;
  /** nanoseconds per run with the best numbers; null if nothing was timed */
  readonly ns: number | null;
  /** the kernel is so much slower than another one that the search ended early */
  readonly isBehind: boolean;
}

/** A setting in a race. */
interface Runner {
  /** its number among the settings of the race */
  readonly index: number;
  readonly timedKernel: TimedKernel;
  /** its buffers, which no other kernel shares; null for the start */
  readonly buffers: Buffers | null;
}

type Prepare = (buffers: Buffers) => Promise<PreparedKernel>;

/** One search, for one kernel. */
export class KernelSearch {
  readonly #environment: SearchEnvironment;
  readonly #tunable: Tunable;
  readonly #start: TimedKernel;
  readonly #limits: SearchLimits;
  readonly #startMs: number;
  /** the fastest setting so far */
  #incumbent: Omit<Runner, 'index'>;
  /** time of the incumbent, as a share of the time of the start */
  #incumbentShare = 1;
  /** buffers of all settings, also of those that a cancel or an error keeps from racing */
  readonly #allBuffers: Buffers[] = [];
  /** the time of each setting that ran, as a share of the time of the start */
  readonly #shares = new Map<Chosen, number>();
  #tried = 1;
  #ns: number | null = null;
  #isBehind = false;

  /** `start`: the kernel with the setting from which the search starts. */
  constructor(environment: SearchEnvironment, tunable: Tunable, start: TimedKernel, limits: SearchLimits) {
    this.#environment = environment;
    this.#tunable = tunable;
    this.#start = start;
    this.#limits = limits;
    this.#startMs = environment.now();
    this.#incumbent = { timedKernel: start, buffers: null };
  }

  /** Runs the search, and frees all of its buffers. */
  async run(): Promise<SearchOutcome> {
    const { choices, start } = this.#tunable;
    try {
      const chosen = await searchChoices(choices, (settings) => this.#race(settings), start);
      const last = this.#isBehind ? { chosen, gain: 1 } : await this.#lastRace(chosen);
      return { ...last, tried: this.#tried, ns: this.#ns, isBehind: this.#isBehind };
    } finally {
      for (const buffers of this.#allBuffers) buffers.destroy();
    }
  }

  /** Races the incumbent, settings[0], against the others. Returns indices of those that ran, the fastest first. */
  async #race(settings: readonly Chosen[]): Promise<readonly number[]> {
    if (this.#isBehind) return [0];
    // The incumbent may be a runner of an earlier race, with its number there.
    const runners = [{ ...this.#incumbent, index: 0 }, ...(await this.#challengers(settings))];
    if (runners.length === 1) return [0];
    const { timer } = this.#environment;
    const deadline = this.#startMs + this.#limits.maxMs;
    const { times, remaining } = await this.#time(timer, runners, deadline);
    for (const [i, { index }] of runners.entries()) {
      this.#shares.set(settings[index], (this.#incumbentShare * times[i]) / times[0]);
    }
    // A clearly faster setting replaces the incumbent.
    let first = 0;
    for (const i of remaining) if (times[i] < times[0] * FASTER_SHARE && times[i] < times[first]) first = i;
    for (const [i, { buffers }] of runners.entries()) if (i !== first) buffers?.destroy();
    if (first > 0) {
      this.#incumbent = runners[first];
      this.#incumbentShare *= times[first] / times[0];
    }
    this.#ns = times[first];
    this.#isBehind = this.#ns > BEHIND * this.#limits.best;
    const others = [...runners.keys()].filter((i) => i !== first);
    return [first, ...others.toSorted((a, b) => times[a] - times[b])].map((i) => runners[i].index);
  }

  /** Puts all settings but the first on the device, as far as they fit and there is time. */
  async #challengers(settings: readonly Chosen[]): Promise<readonly Runner[]> {
    const { job, now } = this.#environment;
    const { maxMs, progress } = this.#limits;
    const preparedBy = this.#startMs + PREPARED_SHARE * maxMs;
    const compiling: { index: number; prepare: Prepare }[] = [];
    for (const [index, setting] of settings.entries()) {
      if (index === 0 || now() > preparedBy) continue;
      try {
        compiling.push({ index, prepare: this.#tunable.compile(setting) });
      } catch (error) {
        throwUnlessUnfit(error);
      }
    }
    const challengers: Runner[] = [];
    for (const { index, prepare } of compiling) {
      if (now() > preparedBy) break;
      job.report(progress);
      const prepared = await this.#onDevice(prepare);
      if (!prepared) continue;
      challengers.push({ index, ...prepared });
      this.#tried++;
    }
    return challengers;
  }

  /**
   * Decides between the start, the incumbent and the next fastest settings in long passes: short passes hardly distinguish
   * the fastest settings, and the start may have run while the GPU was still slow.
   */
  async #lastRace(incumbentSetting: Chosen): Promise<{ readonly chosen: Chosen; readonly gain: number }> {
    const { job, longTimer } = this.#environment;
    const { start } = this.#tunable;
    const isFound = this.#incumbent.timedKernel !== this.#start;
    const finalists = [
      { setting: start, timedKernel: this.#start },
      ...(isFound ? [{ setting: incumbentSetting, timedKernel: this.#incumbent.timedKernel }] : []),
    ];
    const nextFastest = [...this.#shares]
      .filter(
        ([setting, share]) =>
          setting !== start && setting !== incumbentSetting && share <= FINALIST_SLOWDOWN * this.#incumbentShare,
      )
      .toSorted(([, x], [, y]) => x - y)
      .slice(0, FINALISTS - Number(isFound));
    for (const [setting] of nextFastest) {
      job.report(this.#limits.progress);
      const prepared = await this.#onDevice(this.#tunable.compile(setting));
      if (prepared) finalists.push({ setting, timedKernel: prepared.timedKernel });
    }
    if (finalists.length === 1) return { chosen: incumbentSetting, gain: 1 };
    for (const { timedKernel } of finalists) await longTimer.probe(timedKernel);
    const { times } = await this.#time(longTimer, finalists, Number.POSITIVE_INFINITY);
    const fastest = indexOfSmallest(times);
    const isBetter = times[fastest] < times[0] * FASTER_SHARE;
    return isBetter
      ? { chosen: finalists[fastest].setting, gain: times[0] / times[fastest] }
      : { chosen: finalists[0].setting, gain: 1 };
  }

  /** Puts a kernel on the device, with as many runs per pass as the incumbent; null if it does not fit there. */
  async #onDevice(prepare: Prepare): Promise<{ readonly timedKernel: TimedKernel; readonly buffers: Buffers } | null> {
    const { context, buffers: parentBuffers } = this.#environment;
    const buffers = new Buffers(context, parentBuffers);
    this.#allBuffers.push(buffers);
    try {
      const timedKernel = new TimedKernel(await prepare(buffers));
      timedKernel.runs = this.#incumbent.timedKernel.runs;
      return { timedKernel, buffers };
    } catch (error) {
      buffers.destroy();
      throwUnlessUnfit(error);
      return null;
    }
  }

  /** Median times in interleaved rounds, at least two, and the indices of those that did not drop out as too slow. */
  async #time(
    timer: Timer,
    runners: readonly Pick<Runner, 'timedKernel'>[],
    deadline: number,
  ): Promise<{ times: readonly number[]; remaining: readonly number[] }> {
    const { now, random } = this.#environment;
    const samples = runners.map((): number[] => []);
    let remaining = runners.map((_, i) => i);
    for (let round = 0; round < RACE_ROUNDS.max && remaining.length > 1; round++) {
      if (round >= RACE_ROUNDS.min && now() > deadline) break;
      for (const i of shuffled(remaining, random)) samples[i].push(await timer.sample(runners[i].timedKernel));
      const times = samples.map((s) => typical(s));
      const min = remaining.map((i) => times[i]).reduce((a, b) => Math.min(a, b));
      // The first is the reference, even if it is far behind.
      if (round > 0) remaining = remaining.filter((i) => i === 0 || times[i] <= DROP_OUT * min);
    }
    return { times: samples.map((s) => median(s)), remaining };
  }
}

/** Ignores the error of a setting that does not fit, which is skipped; every other error ends the run. */
function throwUnlessUnfit(error: unknown): void {
  if (!(error instanceof SparseScopeError || error instanceof RangeError)) throw error;
  if (error instanceof CancelledError || error instanceof DeviceLostError) throw error;
}
