import { TRIAL_ROUNDS_OF_SLOW_KERNELS } from '../core/bench/round-counts.ts';
import { throwIfCancelled } from '../core/pace.ts';
import { KernelError } from '../core/errors.ts';
import { ResourceError } from './guard.ts';
import type { Job } from '../core/job.ts';
import type { Random } from '../core/number/random.ts';
import { median, smallest } from '../core/number/statistics.ts';
import type { Clock, EncodeRuns } from './clock.ts';
import type { PreparedKernel } from './prepared-kernel.ts';

// Times samples of kernels: finds how often each has to run in a pass (its batch size), warms the device up, and compares
// kernels.

/** Target duration of a timed pass by timestamps, so that an error of one step of the clock is small. */
const PASS_MS = 15;
/** Target duration of the longer one of the two passes by the wall clock. */
const WALL_CLOCK_PASS_MS = 40;
/** After a pass longer than this, the kernel gets fewer runs per pass. */
const LONGEST_PASS_MS = 50;
/** Minimum duration of a pass from which a batch size is derived. */
const PROBE_MS = 2;
/** Maximum number of runs of a pass: encoding more would last longer than running them. */
const MAX_RUNS = 8192;
/** How often a pass is repeated if the clock measures no time: its steps are too coarse, or it jumped. */
const ATTEMPTS = 20;

/** A sample of random length has at least this share of a full sample's runs, and lasts this many steps of the clock. */
const MIN_SHARE = 1 / 8;
const MIN_STEPS = 128;

/** If the first pass took this many times as long as the last, the device has raised its frequency; noise is below this. */
const SPEED_UP = 1.1;
/** A batch size is derived only from a pass that lasts this many steps of the clock. */
const PROBE_STEPS = 16;

/** `timeInTurns` drops kernels that are this many times as slow as the fastest after some rounds. */
export const FAR_BEHIND = 1.3;

/**
 * What a timer needs of a prepared kernel. Consecutive runs use consecutive slots, each with a separate copy of the
 * arrays, and so alternate between `variants` sets of inputs.
 */
export type Runnable = Pick<PreparedKernel, 'id' | 'slots' | 'variants' | 'encode'>;

/** A sample of random length and first variant, which a kernel cannot foresee. */
export interface RandomSample {
  readonly runs: number;
  /** chooses the variant with which each pass begins */
  readonly random: Random;
}

/** Memory that the runs of a kernel write to. */
export interface WrittenMemory {
  /** Allocates memory for a pass of `runs` runs; returns how many runs a pass can have. Throws ResourceError. */
  reserve(runs: number): Promise<number>;
  /** Submits the work that clears the memory before each pass: no earlier result remains. */
  refill(): void;
}

/** A kernel with its batch size. */
export class TimedKernel<K extends Runnable = PreparedKernel> {
  readonly kernel: K;
  /** null: nothing is done before a pass */
  readonly memory: WrittenMemory | null;
  /** runs per sample */
  runs = 1;
  /** slot of the next run */
  nextSlot = 0;

  constructor(kernel: K, memory: WrittenMemory | null = null) {
    this.kernel = kernel;
    this.memory = memory;
  }
}

/** Measures samples; throws CancelledError before any of them if the job is cancelled. */
export class Timer {
  readonly #clock: Clock;
  readonly #job: Job;
  readonly #targetMs: number;
  readonly #longestMs: number;
  readonly #whenVisible: () => Promise<void>;

  /** `batchScale` below 1 shortens every pass by that factor; `whenVisible` is awaited before each sample. */
  constructor(clock: Clock, job: Job, batchScale: number, whenVisible: () => Promise<void> = async () => {}) {
    this.#whenVisible = whenVisible;
    this.#clock = clock;
    this.#job = job;
    const passMs = clock.source === 'wall-clock' ? WALL_CLOCK_PASS_MS : PASS_MS;
    const largestMultiple = clock.passMultiples[clock.passMultiples.length - 1];
    this.#targetMs = (passMs * batchScale) / largestMultiple;
    this.#longestMs = (LONGEST_PASS_MS * batchScale) / largestMultiple;
  }

  /** Sets `timedKernel.runs` for passes of the target length. Throws ResourceError if memory allows only too short ones. */
  async probe(timedKernel: TimedKernel<Runnable>): Promise<void> {
    const minMs = Math.max(PROBE_MS, (PROBE_STEPS * this.#clock.quantumNs) / 1e6);
    for (;;) {
      const ns = await this.#time(timedKernel);
      const ms = (ns * timedKernel.runs) / 1e6;
      if (ms >= minMs || timedKernel.runs === MAX_RUNS) {
        timedKernel.runs = runsFor(this.#targetMs, Math.max(ns, 1));
        const maxRuns = await this.#maxRuns(timedKernel, timedKernel.runs);
        const minRuns = Math.ceil(MIN_SHARE * timedKernel.runs);
        if (maxRuns >= minRuns) return;
        throw new ResourceError(
          `outputs and scratch are too large to time it: each run needs its own, and memory suffices for ${maxRuns} runs, expected ${minRuns}`,
        );
      }
      timedKernel.runs = Math.min(MAX_RUNS, timedKernel.runs * (ms > minMs / 4 ? 4 : 8));
    }
  }

  /** Nanoseconds per run. Throws KernelError if the clock measures no time at all, CancelledError, DeviceLostError. */
  async sample(timedKernel: TimedKernel<Runnable>, randomSample?: RandomSample): Promise<number> {
    let factor = 1;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const start = performance.now();
      const ns = await this.#time(timedKernel, randomSample, factor);
      if (ns <= 0) {
        // After a pause of the machine passes may be too short for the clock. Passes that are long already are only repeated.
        if (performance.now() - start < this.#longestMs) factor *= 2;
        continue;
      }
      const isLong = (ns * timedKernel.runs) / 1e6 > this.#longestMs && timedKernel.runs > 1;
      if (isLong || factor > 1) timedKernel.runs = runsFor(this.#targetMs, ns);
      return ns;
    }
    throw new KernelError(`${timedKernel.kernel.id}: this GPU’s clock stood still, ${ATTEMPTS} times in a row`);
  }

  /** Runs the beginning of a sample, of random length and untimed, for a check. Returns the slot of the last run. */
  async runPart(timedKernel: TimedKernel<Runnable>, randomSample: RandomSample): Promise<number> {
    await this.#whenVisible();
    throwIfCancelled(this.#job);
    const { kernel, memory } = timedKernel;
    const parts = partsOf(randomSample.runs, await this.#maxRuns(timedKernel, randomSample.runs));
    const runsOfPasses = parts.flatMap((part) => this.#clock.passMultiples.map((multiple) => multiple * part));
    let remaining = 1 + randomSample.random.below(runsOfPasses.reduce((sum, runs) => sum + runs, 0));
    for (const runs of runsOfPasses) {
      if (remaining <= 0) break;
      await this.#clock.run(kernel.id, Math.min(runs, remaining), encoderOf(timedKernel, randomSample.random), () =>
        memory?.refill(),
      );
      remaining -= runs;
    }
    return (timedKernel.nextSlot + kernel.slots - 1) % kernel.slots;
  }

  /** The fewest runs of a sample of random length that the clock can time, if a full sample has `runs`. */
  minRuns(runs: number): number {
    const share = Math.max(MIN_SHARE, (MIN_STEPS * this.#clock.quantumNs) / (this.#targetMs * 1e6));
    return Math.ceil(runs * Math.min(1, share));
  }

  /** Runs all kernels alternately for `ms`, so that the GPU's frequency is up, then sets the batch sizes again. */
  async warmUp(timedKernels: readonly TimedKernel<Runnable>[], ms: number): Promise<void> {
    const start = performance.now();
    const lastTimes = new Map<TimedKernel<Runnable>, number>();
    do {
      for (const timedKernel of timedKernels) {
        lastTimes.set(timedKernel, await this.#time(timedKernel));
        this.#job.report({ what: 'warm up, ms', done: Math.min(ms, performance.now() - start), total: ms });
      }
    } while (performance.now() - start < ms);
    for (const [timedKernel, ns] of lastTimes) if (ns > 0) timedKernel.runs = runsFor(this.#targetMs, ns);
  }

  /**
   * Median nanoseconds per run of all kernels over a few interleaved passes: enough to choose, not to report. After two
   * rounds a kernel slower than the fastest by FAR_BEHIND drops out. If the device raises its frequency, up to `rounds`
   * more rounds follow, and the last `rounds` count. `what` names the rounds for progress: 'trying 7 kernels'.
   */
  async timeInTurns(timedKernels: readonly TimedKernel<Runnable>[], rounds: number, what = 'trial'): Promise<number[]> {
    const samples = timedKernels.map((): number[] => []);
    let remainingIndices = timedKernels.map((_, i) => i);
    const hasSpedUp = (): boolean =>
      remainingIndices.some((i) => samples[i][0] > SPEED_UP * samples[i][samples[i].length - 1]);
    for (let round = 0; round < rounds || (round < 2 * rounds && hasSpedUp()); round++) {
      this.#job.report({ what, done: Math.min(round, rounds - 1), total: rounds });
      for (const i of remainingIndices) {
        samples[i].push(await this.sample(timedKernels[i]));
        if (round >= rounds) samples[i].shift();
      }
      if (round !== TRIAL_ROUNDS_OF_SLOW_KERNELS - 1) continue;
      const times = samples.map((s) => typical(s));
      const limit = FAR_BEHIND * smallest(times);
      remainingIndices = remainingIndices.filter((i) => times[i] <= limit);
    }
    return samples.map((s) => typical(s));
  }

  /** Nanoseconds per run, of `factor` times as many runs; 0 or less if the clock gave no time in some pass. */
  async #time(timedKernel: TimedKernel<Runnable>, randomSample?: RandomSample, factor = 1): Promise<number> {
    await this.#whenVisible();
    throwIfCancelled(this.#job);
    const { kernel, memory } = timedKernel;
    const runs = Math.min(MAX_RUNS, factor * (randomSample?.runs ?? timedKernel.runs));
    let sum = 0;
    for (const part of partsOf(runs, await this.#maxRuns(timedKernel, runs))) {
      const ns = await this.#clock.time(kernel.id, part, encoderOf(timedKernel, randomSample?.random), () =>
        memory?.refill(),
      );
      if (ns <= 0) return ns;
      sum += part * ns;
    }
    return sum / runs;
  }

  /** The number of runs, at most `runs`, for which there is memory; the clock's longest pass has several times as many. */
  async #maxRuns({ memory }: TimedKernel<Runnable>, runs: number): Promise<number> {
    const largestMultiple = this.#clock.passMultiples[this.#clock.passMultiples.length - 1];
    const reservedRuns = (await memory?.reserve(largestMultiple * runs)) ?? Number.POSITIVE_INFINITY;
    return Math.max(1, Math.min(runs, Math.floor(reservedRuns / largestMultiple)));
  }
}

/**
 * The time of a kernel by its samples: their median; the smaller one of two. If the driver has not run the kernel before, its
 * first sample is sometimes twice as long as the others; none is much shorter.
 */
export function typical(samples: readonly number[]): number {
  return samples.length < 3 ? smallest(samples) : median(samples);
}

/** `runs` runs in the fewest parts of at most `max` each, as equal as possible. */
function partsOf(runs: number, max: number): readonly number[] {
  const count = Math.ceil(runs / max);
  return Array.from({ length: count }, (_, i) => Math.floor(((i + 1) * runs) / count) - Math.floor((i * runs) / count));
}

/** How many runs of `ns` nanoseconds take about `targetMs`. */
function runsFor(targetMs: number, ns: number): number {
  return Math.max(1, Math.min(MAX_RUNS, Math.round((targetMs * 1e6) / ns)));
}

/** Encodes passes from the slot after the last run on; `random` skips some slots first, fewer than `variants`. */
function encoderOf(timedKernel: TimedKernel<Runnable>, random?: Random): EncodeRuns {
  const { kernel } = timedKernel;
  return (pass, runs) => {
    const first = (timedKernel.nextSlot + (random?.below(kernel.variants) ?? 0)) % kernel.slots;
    kernel.encode(pass, first, runs);
    timedKernel.nextSlot = (first + runs) % kernel.slots;
  };
}
