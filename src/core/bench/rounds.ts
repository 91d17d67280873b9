import type { Job } from '../job.ts';
import { Random, shuffled } from '../number/random.ts';
import { type Pace, throwIfCancelled } from '../pace.ts';
import type { BenchOptions } from './cases.ts';
import { EARLY_END_RANGE, EARLY_END_ROUNDS } from './round-counts.ts';
import { ratiosByRound, type RoundSamples, roundsOf } from './shared-rounds.ts';

/** Something that is timed in rounds: a kernel, or a probe of the device that runs in every round like the kernels. */
export interface TimedCase {
  /** in nanoseconds per run, by round */
  readonly samplesNs: number[];
  /** the round of each sample, ascending */
  readonly rounds: number[];
  /** Measures one sample. */
  sample(): Promise<number>;
}

/** A case that `sample` times; `before`: samples that it already has, from an earlier session of the run. */
export function timedCase(sample: TimedCase['sample'], before: RoundSamples = { samplesNs: [] }): TimedCase {
  return { samplesNs: [...before.samplesNs], rounds: [...roundsOf(before)], sample };
}

/** A copy of the samples for a report; rounds are listed only if they are not 0, 1, 2 and so on. */
export function samplesOf({ samplesNs, rounds }: TimedCase): RoundSamples {
  const isPlain = rounds.every((round, i) => round === i);
  return { samplesNs: [...samplesNs], ...(isPlain ? {} : { rounds: [...rounds] }) };
}

/** Half the width of a normal distribution's middle 95 %, in standard deviations. */
const MIDDLE_95 = 1.96;

/**
 * The ranks, from 0, of the two of n sorted samples between which the median of their distribution lies with a
 * probability of about 95 %. For 6 samples or more; with fewer, the lower rank is negative.
 */
export function medianRanks(n: number): readonly [number, number] {
  const low = Math.floor((n - 1 - MIDDLE_95 * Math.sqrt(n)) / 2);
  return [low, n - 1 - low];
}

/**
 * Whether `a` takes longer than `b`: whether the 95 % range of the median of their ratios, over the rounds in which
 * both were timed, lies above 1. False with fewer than 6 common rounds, which have no such range. O(n log n).
 */
export function isSlower(a: RoundSamples, b: RoundSamples): boolean {
  const ratios = ratiosByRound(a, b).toSorted((x, y) => x - y);
  const [low] = medianRanks(ratios.length);
  return low >= 0 && ratios[low] > 1;
}

/** Whether there are 9 samples or more, and the two at `medianRanks` differ by at most 1 %. O(n log n). */
export function isPrecise(samplesNs: readonly number[]): boolean {
  if (samplesNs.length < EARLY_END_ROUNDS) return false;
  const [low, high] = medianRanks(samplesNs.length);
  const sorted = samplesNs.toSorted((a, b) => a - b);
  return sorted[high] - sorted[low] <= EARLY_END_RANGE * sorted[low];
}

/**
 * The rounds of a run. A round times each participant once, in a random order that follows from the seed of the
 * workload; kernels can join later. A round during which the page was hidden is repeated under the same number.
 */
export class Rounds {
  readonly #options: Pick<BenchOptions, 'isHidden' | 'workload'>;
  readonly #job: Job;
  readonly #pace: Pace;
  readonly #random: Random;
  #next: number;
  #dropped = 0;
  #endNotes: readonly string[] = [];

  /** `first`: the number of the first round; rounds of an earlier session of the run come before it. */
  constructor(options: Pick<BenchOptions, 'isHidden' | 'workload'>, job: Job, pace: Pace, first = 0) {
    this.#options = options;
    this.#job = job;
    this.#pace = pace;
    this.#random = new Random((options.workload.seed + first) >>> 0);
    this.#next = first;
  }

  /** The number of the round that comes next. */
  get next(): number {
    return this.#next;
  }

  /** The report's notes on dropped rounds, and on those that were not needed. */
  get notes(): readonly string[] {
    return [...droppedNotes(this.#dropped), ...this.#endNotes];
  }

  /** Adds the note that the rounds ended early, after `done` of them. */
  noteEarlyEnd(done: number): void {
    const { rounds } = this.#options.workload;
    this.#endNotes = [`rounds ended after ${done} of at most ${rounds}: the 95 % range of each median was within 1 %`];
  }

  /**
   * Runs one round: adds a sample to each participant. Throws the errors of `sample`, and CancelledError if the job is
   * cancelled while the page is hidden; then no participant gets a sample.
   */
  async measure(participants: readonly TimedCase[]): Promise<void> {
    const indices = participants.map((_, i) => i);
    for (;;) {
      await whenVisible(this.#options, this.#job, this.#pace);
      const times: number[] = [];
      let wasHidden = false;
      for (const i of shuffled(indices, this.#random)) {
        times[i] = await participants[i].sample();
        wasHidden ||= this.#options.isHidden?.() ?? false;
      }
      if (!wasHidden) {
        for (const i of indices) {
          participants[i].samplesNs.push(times[i]);
          participants[i].rounds.push(this.#next);
        }
        this.#next++;
        return;
      }
      this.#dropped++;
    }
  }
}

/** The report's note on rounds that were measured while the page was hidden; none without such rounds. */
function droppedNotes(rounds: number): readonly string[] {
  if (rounds === 0) return [];
  return [`${rounds} ${rounds === 1 ? 'round was' : 'rounds were'} dropped and repeated: the page was hidden`];
}

/** How often to check whether the page is still hidden. */
const HIDDEN_POLL_MS = 250;

/** Waits until the page is visible. Throws CancelledError. */
export async function whenVisible({ isHidden }: Pick<BenchOptions, 'isHidden'>, job: Job, pace: Pace): Promise<void> {
  while (isHidden?.()) {
    job.report({ what: 'waiting because the page is hidden', done: 0, total: 1 });
    await pace.pause(HIDDEN_POLL_MS);
    throwIfCancelled(job);
  }
}
