import { smallest } from '../core/number/statistics.ts';
import { TRIAL_ROUNDS } from '../core/bench/round-counts.ts';
import { checksum } from '../core/encoded/checksum.ts';
import type { EncodedMatrix } from '../core/encoded/encoded.ts';
import { storedKey } from '../core/format.ts';
import type { Job } from '../core/job.ts';
import { type Choice, type Chosen, startOf } from '../core/kernel/choices.ts';
import type { KernelPlan, KernelSpec } from '../core/kernel/kernel.ts';
import type { Sizes } from '../core/operations/operation.ts';
import { Random } from '../core/number/random.ts';
import type { TunedChoices } from '../core/report.ts';
import type { Buffers } from './buffers.ts';
import type { Clock } from './clock.ts';
import type { GpuContext } from './device.ts';
import { KernelSearch, type SearchEnvironment, type SearchLimits, type Tunable } from './kernel-search.ts';
import { FAR_BEHIND, TimedKernel, Timer } from './timer.ts';

// Tuning: searches for the fastest numbers (tuning parameters) of a kernel, such as its workgroup size. A setting has a value
// for each of them. The start of a search: the kernel's defaults, or the fastest setting on a similar GPU. A race times
// several settings of one kernel (kernel-search.ts), a trial several kernels.

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
/** Warm-up before the first race: GPUs lower their frequency while kernels are compiled. */
const WARM_UP_MS = 200;
/**
 * The fraction of a pass that is enough for a race. More is used if the clock's steps are coarse, such as a browser's
 * 65,536 ns: a pass then has to last a hundred steps.
 */
const SHORT_PASS = 0.25;
const COARSE_SHORT_PASS = 0.5;
/** A matrix so small that more copies are needed to exceed the caches is not searched: an empty dispatch is as slow. */
const MAX_COPIES = 256;

interface SearchResult {
  /** null if there was nothing to search for, or no time */
  readonly tuned: TunedChoices | null;
  /** nanoseconds per run with the best numbers so far; null if it was not timed */
  readonly ns: number | null;
}

/** Searches the numbers of kernels by races, chooses kernels by trials, and stores the results. */
export class Tuner {
  readonly #environment: SearchEnvironment;
  readonly #memory: TuningMemory | null;

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
    this.#memory = memory;
    this.#environment = {
      context,
      buffers,
      timer: new Timer(clock, job, clock.quantumNs > 1000 ? COARSE_SHORT_PASS : SHORT_PASS),
      longTimer: new Timer(clock, job, 1),
      job,
      random: new Random(seed),
      now,
    };
  }

  /** The stored result for a key; null if none fits the choices. */
  async recall(key: string, choices: readonly Choice[]): Promise<TunedChoices | null> {
    const storedResult = await this.#memory?.recall(key).catch(() => null);
    if (!storedResult || !fitsChoices(storedResult.chosen, choices)) return null;
    return { ...storedResult, start: startOf(choices), remembered: true };
  }

  /** The kernel that an equal trial of an earlier run chose; null if there was none. */
  async recallTrial(trial: Trial): Promise<string | null> {
    const storedResult = await this.#memory?.recall(trialKey(this.#environment.context, trial)).catch(() => null);
    return trial.kernels.find(({ id }) => id === storedResult?.kernel)?.id ?? null;
  }

  /** Stores the kernel that a trial chose. */
  async keepTrial(trial: Trial, kernel: string): Promise<void> {
    const result = { chosen: {}, gain: 1, tried: trial.kernels.length, kernel };
    await this.#memory?.keep(trialKey(this.#environment.context, trial), result).catch(() => {});
  }

  /** Stores the numbers that a search found, under `tuningKey`. */
  async keepNumbers(key: string, { chosen, gain, tried }: TuningResult): Promise<void> {
    await this.#memory?.keep(key, { chosen, gain, tried }).catch(() => {});
  }

  /** Whether a kernel has numbers to search, no stored result, and is large enough. */
  needsSearch({ kernel, choices, tuned }: Tunable): boolean {
    return tuned === null && choices.length > 0 && kernel.copies <= MAX_COPIES;
  }

  /** Searches for each kernel; with `isAuto` only for those close to the fastest, in `budgetMs` together. */
  async tune(kernels: readonly Tunable[], isAuto: boolean, budgetMs: number): Promise<readonly SearchResult[]> {
    const { timer, now } = this.#environment;
    const results: SearchResult[] = kernels.map(() => ({ tuned: null, ns: null }));
    const needSearch = kernels.map((tunable) => this.needsSearch(tunable));
    if (!needSearch.includes(true)) return results;
    const timedKernels = kernels.map(({ kernel }) => new TimedKernel(kernel));
    for (const kernel of timedKernels) await timer.probe(kernel);
    await timer.warmUp(timedKernels, WARM_UP_MS);
    const startMs = now();
    const isTrial = isAuto && timedKernels.length > 1;
    const what = `trying ${timedKernels.length} kernels`;
    const times = isTrial ? await timer.timeInTurns(timedKernels, TRIAL_ROUNDS.gpu, what) : timedKernels.map(() => 1);
    const limit = FAR_BEHIND * smallest(times);
    if (isTrial) for (const [i, ns] of times.entries()) results[i] = { tuned: null, ns };
    const searchedIndices = [...kernels.keys()].filter((i) => needSearch[i] && times[i] <= limit);
    // The fastest kernels first, so that the search for a slower one ends early.
    searchedIndices.sort((a, b) => times[a] - times[b]);
    let bestNs = smallest(times.filter((_, i) => isTrial && kernels[i].isKnown));
    for (const [done, i] of searchedIndices.entries()) {
      // Each kernel gets twice its share of the remaining time: the fastest get more, and the last still gets some, since
      // a kernel that was not searched may be the fastest.
      const remainingMs = budgetMs - (now() - startMs);
      const maxMs = isAuto ? Math.max(MIN_MS, (2 * remainingMs) / (searchedIndices.length - done + 1)) : MAX_MS;
      const progress = {
        what: `searching the numbers of ${searchedIndices.length} kernels`,
        done,
        total: searchedIndices.length,
      };
      results[i] = await this.#search(kernels[i], timedKernels[i], {
        best: isAuto ? bestNs : Number.POSITIVE_INFINITY,
        maxMs: Math.min(MAX_MS, maxMs),
        progress,
      });
      bestNs = Math.min(bestNs, results[i].ns ?? bestNs);
    }
    return results;
  }

  /** Searches for one kernel. If the search ends early, because another kernel is far faster, it stores nothing. */
  async #search(tunable: Tunable, timedKernel: TimedKernel, limits: SearchLimits): Promise<SearchResult> {
    const search = new KernelSearch(this.#environment, tunable, timedKernel, limits);
    const { ns, isBehind, ...result } = await search.run();
    // Without a race, a later run searches.
    if (!isBehind && result.tried > 1) await this.keepNumbers(tunable.key, result);
    return { tuned: { ...result, start: tunable.start, remembered: false }, ns };
  }
}

/** Whether a setting has an allowed value for each choice, and nothing else. */
export function fitsChoices(setting: Chosen, choices: readonly Choice[]): boolean {
  if (Object.keys(setting).length !== choices.length) return false;
  return choices.every((choice) => {
    const value = setting[choice.name];
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
