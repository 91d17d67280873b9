import { describe, expect, test } from 'vitest';
import type { Job } from '../job.ts';
import type { Pace } from '../pace.ts';
import type { Workload } from '../report.ts';
import { partOf, type Samples, timeRounds } from './rounds.ts';

const workload: Workload = {
  operation: 'spmv',
  rows: 3,
  cols: 4,
  nnz: 3,
  density: 0.25,
  source: 'test',
  seed: 5,
  memory: 'cold',
  rounds: 6,
};

const idle: Job = { report: () => {}, cancelled: false };

/** Three kernels of 100, 200 and 300 ms; what they hand over is copied, since it goes on. */
function rounds(failAtSample = Number.POSITIVE_INFINITY, isHidden?: () => boolean) {
  let ms = 0;
  let taken = 0;
  const pace: Pace = { now: () => ms, pause: async () => {} };
  const parts: [number, number[][]][] = [];
  const notes: string[] = [];
  const of = {
    kernels: 3,
    async sample(kernel: number) {
      if (++taken > failAtSample) throw new Error('the GPU device was lost');
      const took = 100 * (kernel + 1);
      ms += took;
      return took * 1e6 + taken;
    },
    part: (samples: Samples, done: number) => void parts.push([done, samples.map((one) => [...one])]),
  };
  const run = timeRounds(of, { workload, ...(isHidden && { isHidden }) }, notes, idle, pace);
  return { run, parts, notes };
}

describe('rounds', () => {
  test('time every kernel once each, and hand over what they have about once in a second and at their end', async () => {
    const { run, parts, notes } = rounds();
    const samples = await run;
    expect(samples.map((one) => one.length)).toEqual([6, 6, 6]);
    expect(samples.map((one) => one.map((ns) => Math.floor(ns / 1e6)))).toEqual(
      [100, 200, 300].map((ms) => Array(6).fill(ms)),
    );
    // A round takes 600 ms: every second one is more than a second after the last.
    expect(parts.map(([done]) => done)).toEqual([2, 4, 6]);
    expect(notes).toEqual([]);
  });

  test('that break off in the middle of one hand over the complete ones alone, at once', async () => {
    const { run, parts } = rounds(3 * 3 + 2);
    await expect(run).rejects.toThrow('the GPU device was lost');
    expect(parts.map(([done]) => done)).toEqual([2, 3]);
    expect(parts[1][1].map((one) => one.length)).toEqual([3, 3, 3]);
  });

  test('that break off in the first hand over nothing', async () => {
    const { run, parts } = rounds(2);
    await expect(run).rejects.toThrow('the GPU device was lost');
    expect(parts).toEqual([]);
  });

  test('that nobody saw to their end are measured again, and are in no part', async () => {
    let looks = 0;
    const { run, parts, notes } = rounds(4, () => ++looks === 2);
    await expect(run).rejects.toThrow('the GPU device was lost');
    expect(parts).toEqual([]);
    expect(notes).toEqual([]);
    looks = 0;
    const whole = rounds(Number.POSITIVE_INFINITY, () => ++looks === 2);
    expect((await whole.run)[0]).toHaveLength(6);
    expect(whole.notes).toEqual(['1 round was dropped and repeated: the page was hidden']);
  });
});

test('a part says in one sentence, before all others, that it is one', () => {
  expect(partOf({ workload, notes: ['a note'] }, 2)).toEqual({
    workload: { ...workload, rounds: 2 },
    notes: ['the run broke off after 2 of 6 rounds; the outputs were not verified again', 'a note'],
  });
});
