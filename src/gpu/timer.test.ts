import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CancelledError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import { Random } from '../core/number/random.ts';
import type { Clock, EncodeRuns } from './clock.ts';
import { type Runnable, TimedKernel, Timer, type WrittenMemory } from './timer.ts';

/** A job that is not cancelled and whose progress nobody reads. */
const idle: Job = { report: () => {}, cancelled: false };

/**
 * A GPU on which one run takes `runNs`, observed through timestamps that are rounded down to `quantumNs`. The wall clock
 * runs each pass twice, the second time with twice the runs.
 */
class FakeClock implements Clock {
  readonly source: Clock['source'];
  readonly passMultiples: readonly number[];
  readonly quantumNs: number;
  readonly passesNs: number[] = [];
  runNs: number;
  /** how many of the next times are negative, as if timestamps ran backwards */
  negativeTimes = 0;
  #now = 1_000_003;

  constructor(runNs: number, quantumNs = 1, source: Clock['source'] = 'timestamp-query') {
    this.runNs = runNs;
    this.quantumNs = quantumNs;
    this.source = source;
    this.passMultiples = source === 'wall-clock' ? [1, 2] : [1];
  }

  time(_label: string, runs: number, encode: EncodeRuns, before?: () => void): Promise<number> {
    for (const multiple of this.passMultiples) {
      before?.();
      encode({} as GPUComputePassEncoder, multiple * runs);
    }
    const begin = this.#tick();
    this.#now += runs * this.runNs;
    this.passesNs.push(runs * this.runNs * this.passMultiples[this.passMultiples.length - 1]);
    const end = this.#tick();
    if (this.negativeTimes-- > 0) return Promise.resolve(-1);
    return Promise.resolve((end - begin) / runs);
  }

  run(_label: string, runs: number, encode: EncodeRuns, before?: () => void): Promise<void> {
    before?.();
    encode({} as GPUComputePassEncoder, runs);
    return Promise.resolve();
  }

  #tick(): number {
    return Math.floor(this.#now / this.quantumNs) * this.quantumNs;
  }
}

/** A kernel with `slots` copies of its buffers, which records the copies (slots) on which it ran. */
function fakeKernel(slots = 1): Runnable & { readonly ranOn: number[] } {
  const ranOn: number[] = [];
  return {
    id: 'toy/spmv',
    slots,
    variants: 1,
    ranOn,
    encode: (_pass, first, runs) => {
      for (let i = 0; i < runs; i++) ranOn.push((first + i) % slots);
    },
  };
}

describe('probe', () => {
  test('chooses the runs of a pass of 10 to 20 ms, with no longer pass than 50 ms before', async () => {
    const runNs = fc.integer({ min: 2000, max: 10_000_000 });
    await fc.assert(
      fc.asyncProperty(runNs, fc.constantFrom(1, 32, 65_536), async (ns, quantum) => {
        const clock = new FakeClock(ns, quantum);
        const timedKernel = new TimedKernel(fakeKernel());
        await new Timer(clock, idle, 1).probe(timedKernel);
        const passMs = (timedKernel.runs * ns) / 1e6;
        // A pass has at most 8192 runs, so that it may be shorter than 10 ms.
        expect(passMs).toBeGreaterThanOrEqual(Math.min(10, 1e-6 * 8192 * ns - 1e-9));
        expect(passMs).toBeLessThanOrEqual(20);
        expect(Math.max(...clock.passesNs)).toBeLessThanOrEqual(50e6);
      }),
    );
  });

  test('chooses one run if a run takes longer than a pass should', async () => {
    const timedKernel = new TimedKernel(fakeKernel());
    await new Timer(new FakeClock(300e6), idle, 1).probe(timedKernel);
    expect(timedKernel.runs).toBe(1);
  });

  test('chooses 8192 runs for a kernel that takes no time', async () => {
    const timedKernel = new TimedKernel(fakeKernel());
    await new Timer(new FakeClock(0), idle, 1).probe(timedKernel);
    expect(timedKernel.runs).toBe(8192);
  });

  test('multiplies the length of the pass by the scale of the timer', async () => {
    const runsOf = async (clock: Clock, scale: number): Promise<number> => {
      const timedKernel = new TimedKernel(fakeKernel());
      await new Timer(clock, idle, scale).probe(timedKernel);
      return timedKernel.runs;
    };
    expect(await runsOf(new FakeClock(100_000), 1)).toBe(150);
    expect(await runsOf(new FakeClock(100_000), 0.5)).toBe(75);
    expect(await runsOf(new FakeClock(100_000, 1, 'wall-clock'), 1)).toBe(200);
  });
});

describe('sample', () => {
  test('continues with the slot after the last one of the pass before', async () => {
    const kernel = fakeKernel(5);
    const timedKernel = new TimedKernel(kernel);
    timedKernel.runs = 3;
    const timer = new Timer(new FakeClock(1000), idle, 1);
    await timer.sample(timedKernel);
    await timer.sample(timedKernel);
    expect(kernel.ranOn).toEqual([0, 1, 2, 3, 4, 0]);
  });

  test('repeats a pass whose timestamps ran backwards', async () => {
    const clock = new FakeClock(1000);
    // One less than the limit.
    clock.negativeTimes = 19;
    expect(await new Timer(clock, idle, 1).sample(new TimedKernel(fakeKernel()))).toBe(1000);
  });

  test('rejects after twenty passes whose timestamps ran backwards', async () => {
    const clock = new FakeClock(1000);
    clock.negativeTimes = 20;
    await expect(new Timer(clock, idle, 1).sample(new TimedKernel(fakeKernel()))).rejects.toThrow(
      'toy/spmv: this GPU’s clock stood still, 20 times in a row',
    );
  });

  test('increases the runs if a pass is shorter than a step of the clock', async () => {
    const clock = new FakeClock(10, 5000, 'wall-clock');
    const timedKernel = new TimedKernel(fakeKernel());
    timedKernel.runs = 2;
    const ns = await new Timer(clock, idle, 1).sample(timedKernel);
    expect(ns).toBeGreaterThan(0);
    expect(timedKernel.runs).toBe(Math.min(8192, Math.round(2e7 / ns)));
  });

  test('decreases the runs of a pass if the GPU has slowed down', async () => {
    const clock = new FakeClock(1e6);
    const timedKernel = new TimedKernel(fakeKernel());
    // Chosen at 1 ms a run; a run takes 4 ms now.
    timedKernel.runs = 15;
    clock.runNs = 4e6;
    const timer = new Timer(clock, idle, 1);
    await timer.sample(timedKernel);
    expect(timedKernel.runs).toBe(4);
  });

  test('stops at once when the job is cancelled', async () => {
    const clock = new FakeClock(1000);
    const timer = new Timer(clock, { report: () => {}, cancelled: true }, 1);
    await expect(timer.sample(new TimedKernel(fakeKernel()))).rejects.toThrow(CancelledError);
    expect(clock.passesNs).toEqual([]);
  });
});

/** Memory for the outputs of `space` runs. `passes` contains the slots on which the kernel ran between two refills. */
function memoryFor(space: number, ranOn: number[]): WrittenMemory & { readonly passes: number[][] } {
  const passes: number[][] = [];
  return {
    passes,
    reserve: () => Promise.resolve(space),
    refill: () => {
      passes.at(-1)?.push(...ranOn.splice(0));
      passes.push([]);
    },
  };
}

describe('separate memory for each run', () => {
  test.each([
    { source: 'timestamp-query', space: 12, passLengths: [12] },
    { source: 'timestamp-query', space: 7, passLengths: [6, 6] },
    { source: 'timestamp-query', space: 5, passLengths: [4, 4, 4] },
    { source: 'wall-clock', space: 24, passLengths: [12, 24] },
    { source: 'wall-clock', space: 23, passLengths: [6, 12, 6, 12] },
  ] as const)(
    'with memory for $space runs, a sample of 12 runs by $source is divided into passes of $passLengths runs',
    async ({ source, space, passLengths }) => {
      const kernel = fakeKernel(1000);
      const memory = memoryFor(space, kernel.ranOn);
      const timedKernel = new TimedKernel(kernel, memory);
      const timer = new Timer(new FakeClock(1000, 1, source), idle, 1);
      expect(await timer.sample(timedKernel, { runs: 12, random: new Random(1) })).toBe(1000);
      memory.refill();
      expect(memory.passes.slice(0, -1).map(({ length }) => length)).toEqual(passLengths);
      for (const pass of memory.passes) expect(pass.length).toBeLessThanOrEqual(space);
    },
  );

  test('a part of a sample never has more runs than fit into memory', async () => {
    const kernel = fakeKernel(1000);
    const memory = memoryFor(5, kernel.ranOn);
    const timedKernel = new TimedKernel(kernel, memory);
    const timer = new Timer(new FakeClock(1000), idle, 1);
    const random = new Random(1);
    /** the numbers of runs of the parts */
    const partRuns = new Set<number>();
    for (let i = 0; i < 400; i++) {
      memory.passes.length = 0;
      await timer.runPart(timedKernel, { runs: 12, random });
      memory.refill();
      const lengths = memory.passes.slice(0, -1).map(({ length }) => length);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(4);
      partRuns.add(lengths.reduce((sum, length) => sum + length, 0));
    }
    // Every number from 1 to 12.
    expect(partRuns.size).toBe(12);
  });

  test('a kernel with memory for less than an eighth of a sample is not timed, and the error explains why', async () => {
    const probe = async (space: number): Promise<number> => {
      const kernel = fakeKernel();
      const timedKernel = new TimedKernel(kernel, memoryFor(space, kernel.ranOn));
      await new Timer(new FakeClock(100_000), idle, 1).probe(timedKernel);
      return timedKernel.runs;
    };
    // A pass of 15 ms has 150 runs of 0.1 ms, of which 19 are an eighth.
    expect(await probe(19)).toBe(150);
    await expect(probe(18)).rejects.toThrow(
      'outputs and scratch are too large to time it: each run needs its own, and memory suffices for 18 runs, expected 19',
    );
  });
});

test.each(['timestamp-query', 'wall-clock'] as const)(
  'runPart ends after each run of a sample about equally often, and begins with every variant, by %s',
  async (source) => {
    const kernel = { ...fakeKernel(6), variants: 3 };
    const timedKernel = new TimedKernel(kernel);
    const clock = new FakeClock(1000, 1, source);
    const timer = new Timer(clock, idle, 1);
    const random = new Random(1);
    /** how often a part had each number of runs */
    const countByRuns = new Map<number, number>();
    const firstVariants = new Set<number>();
    for (let i = 0; i < 2400; i++) {
      const seed = random.u32();
      const { nextSlot } = timedKernel;
      kernel.ranOn.length = 0;
      const slot = await timer.runPart(timedKernel, { runs: 4, random: new Random(seed) });
      const part = [...kernel.ranOn];
      expect(slot).toBe(part[part.length - 1]);
      firstVariants.add(part[0] % 3);
      countByRuns.set(part.length, (countByRuns.get(part.length) ?? 0) + 1);
      expect((part[0] - nextSlot + 6) % 6).toBeLessThan(3);
    }
    // The wall clock runs 4 and then 8 runs.
    const runs = source === 'wall-clock' ? 12 : 4;
    expect([...countByRuns.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: runs }, (_, i) => i + 1));
    // Each number of runs occurs at least two thirds as often as the mean of 2400 / runs.
    expect(Math.min(...countByRuns.values())).toBeGreaterThan(1600 / runs);
    expect(firstVariants.size).toBe(3);
  },
);

test('minRuns returns an eighth of the runs, more if these take less than 128 steps of the clock, and at most all', () => {
  const minRuns = (quantumNs: number): number => new Timer(new FakeClock(1000, quantumNs), idle, 1).minRuns(1000);
  expect(minRuns(1)).toBe(125);
  expect(minRuns(65_536)).toBe(560);
  expect(minRuns(1_000_000)).toBe(1000);
});

test('timeInTurns returns the median of interleaved passes', async () => {
  const clock = new FakeClock(1000);
  const order: string[] = [];
  const kernel = (id: string): Runnable => ({ ...fakeKernel(), id, encode: () => void order.push(id) });
  const timedKernels = [new TimedKernel(kernel('a')), new TimedKernel(kernel('b'))];
  expect(await new Timer(clock, idle, 1).timeInTurns(timedKernels, 3)).toEqual([1000, 1000]);
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
});

test.each([
  { when: 'after the last round', slowRounds: 20, medians: [1683, 1915], rounds: 5 },
  { when: 'in the middle', slowRounds: 3, medians: [700, 740], rounds: 8 },
  { when: 'at the end', slowRounds: 4, medians: [700, 740], rounds: 9 },
])(
  'timeInTurns of 5 rounds continues until 5 of them have the same clock frequency, if the GPU speeds up $when',
  async ({ slowRounds, medians, rounds }) => {
    // As observed on a GPU at low frequencies: kernel b, which is slower at both, reaches the higher one a pass sooner.
    const clock = new FakeClock(0);
    const passes = { a: 0, b: 0 };
    const kernel = (id: 'a' | 'b', slowNs: number, fastNs: number): Runnable => ({
      ...fakeKernel(),
      id,
      encode: () => {
        const slowPasses = id === 'a' ? slowRounds : slowRounds - 1;
        clock.runNs = passes[id]++ < slowPasses ? slowNs : fastNs;
      },
    });
    const timedKernels = [new TimedKernel(kernel('a', 1683, 700)), new TimedKernel(kernel('b', 1915, 740))];
    expect(await new Timer(clock, idle, 1).timeInTurns(timedKernels, 5)).toEqual(medians);
    expect(passes).toEqual({ a: rounds, b: rounds });
  },
);

test('timeInTurns does not drop a kernel of which only the first pass was slow', async () => {
  const clock = new FakeClock(0);
  let passes = 0;
  const first = { ...fakeKernel(), id: 'a', encode: () => void (clock.runNs = passes++ === 0 ? 2500 : 900) };
  const other = { ...fakeKernel(), id: 'b', encode: () => void (clock.runNs = 1000) };
  const timedKernels = [new TimedKernel(first), new TimedKernel(other)];
  expect(await new Timer(clock, idle, 1).timeInTurns(timedKernels, 2)).toEqual([900, 1000]);
});
