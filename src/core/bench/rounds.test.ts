import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WORKLOAD as workload } from '../../../test/workload.ts';
import { CancelledError } from '../errors.ts';
import type { Job } from '../job.ts';
import type { Pace } from '../pace.ts';
import { isPrecise, isSlower, medianRanks, Rounds, samplesOf, type TimedCase, timedCase } from './rounds.ts';

const idle: Job = { report: () => {}, cancelled: false };
const pace: Pace = { now: () => 0, pause: async () => {} };

/** Kernels that record the order in which they are timed. */
function kernels(count: number, failAtSample = Number.POSITIVE_INFINITY) {
  const order: number[] = [];
  const all: TimedCase[] = Array.from({ length: count }, (_, i) =>
    timedCase(async () => {
      order.push(i);
      if (order.length > failAtSample) throw new Error('the GPU device was lost');
      return 100 * (i + 1) + order.length;
    }),
  );
  return { all, order };
}

describe('rounds', () => {
  test('time each kernel once, in an order that changes between rounds and is reproducible by seed', async () => {
    const orders = await Promise.all(
      [5, 5, 6].map(async (seed) => {
        const { all, order } = kernels(5);
        const rounds = new Rounds({ workload: { ...workload, seed } }, idle, pace);
        for (let i = 0; i < 4; i++) await rounds.measure(all);
        expect(all.map((item) => item.rounds)).toEqual(Array(5).fill([0, 1, 2, 3]));
        for (let i = 0; i < 4; i++)
          expect(order.slice(5 * i, 5 * i + 5).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
        return order.join('');
      }),
    );
    expect(orders[0]).toBe(orders[1]);
    expect(orders[0]).not.toBe(orders[2]);
    expect(orders[0].slice(0, 5)).not.toBe(orders[0].slice(5, 10));
  });

  test('record the rounds of a kernel that joins later', async () => {
    const { all } = kernels(2);
    const rounds = new Rounds({ workload }, idle, pace, 7);
    await rounds.measure(all.slice(0, 1));
    await rounds.measure(all);
    expect(all.map((item) => item.rounds)).toEqual([[7, 8], [8]]);
    expect(samplesOf(all[1])).toEqual({ samplesNs: all[1].samplesNs, rounds: [8] });
    expect(rounds.notes).toEqual([]);
  });

  test('continue the samples of an earlier session, and list rounds only if they are not 0, 1, 2 and so on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(9)), fc.boolean(), async (numbers, isPlain) => {
        const rounds = isPlain ? numbers.map((_, i) => i) : numbers.toSorted((a, b) => a - b);
        const before = { samplesNs: rounds.map((round) => 1000 + round), rounds };
        const timed = timedCase(async () => 7, isPlain ? { samplesNs: before.samplesNs } : before);
        const isListed = rounds.some((round, i) => round !== i);
        expect(samplesOf(timed)).toEqual(isListed ? before : { samplesNs: before.samplesNs });
        await new Rounds({ workload }, idle, pace, 10).measure([timed]);
        expect(timed).toMatchObject({ samplesNs: [...before.samplesNs, 7], rounds: [...rounds, 10] });
        // `timedCase` has copied the samples.
        expect(before.samplesNs).toHaveLength(rounds.length);
      }),
    );
  });

  test('record no sample of a round that fails', async () => {
    const { all } = kernels(3, 3 + 2);
    const rounds = new Rounds({ workload }, idle, pace);
    await rounds.measure(all);
    await expect(rounds.measure(all)).rejects.toThrow('the GPU device was lost');
    expect(all.map((item) => item.rounds)).toEqual([[0], [0], [0]]);
  });

  test('are repeated under the same number if the page was hidden before their end', async () => {
    const { all, order } = kernels(3);
    let checks = 0;
    const hiddenChecks = [3];
    const rounds = new Rounds({ workload, isHidden: () => hiddenChecks.includes(++checks) }, idle, pace);
    await rounds.measure(all);
    expect(order).toHaveLength(6);
    expect(all.map((item) => item.rounds)).toEqual([[0], [0], [0]]);
    // The samples 1 to 3, during which the page was hidden, were dropped.
    expect(all.every((item) => item.samplesNs[0] % 100 > 3)).toBe(true);
    expect(rounds.notes).toEqual(['1 round was dropped and repeated: the page was hidden']);
    hiddenChecks.push(checks + 2);
    await rounds.measure(all);
    expect(all.map((item) => item.rounds)).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
    expect(rounds.notes).toEqual(['2 rounds were dropped and repeated: the page was hidden']);
  });

  test('wait while the page is hidden, and can be cancelled then', async () => {
    const { all, order } = kernels(1);
    const reports: unknown[] = [];
    const job: Job = { report: (progress) => reports.push(progress), cancelled: true };
    const rounds = new Rounds({ workload, isHidden: () => true }, job, pace);
    await expect(rounds.measure(all)).rejects.toThrow(CancelledError);
    expect(order).toEqual([]);
    expect(reports).toEqual([{ what: 'waiting because the page is hidden', done: 0, total: 1 }]);
  });
});

describe('the precision of a median', () => {
  test('medianRanks enclose the median in at least 95 of 100 cases, and are at most two ranks wider than necessary', () => {
    /** The share of cases in which at most k of n fair coins show heads. */
    const atMost = (k: number, n: number): number => {
      let term = 2 ** -n;
      let sum = 0;
      for (let i = 0; i <= k; i++) {
        sum += term;
        term *= (n - i) / (i + 1);
      }
      return sum;
    };
    expect([9, 12, 16, 24].map((n) => medianRanks(n))).toEqual([
      [1, 7],
      [2, 9],
      [3, 12],
      [6, 17],
    ]);
    expect(medianRanks(5)[0]).toBeLessThan(0);
    for (let n = 6; n <= 200; n++) {
      const [low, high] = medianRanks(n);
      expect(high).toBe(n - 1 - low);
      expect(1 - 2 * atMost(low, n)).toBeGreaterThanOrEqual(0.95);
      // The interval is at most two ranks wider than necessary.
      expect(1 - 2 * atMost(low + 2, n)).toBeLessThan(0.95);
    }
  });

  test('isPrecise is true from nine samples on if the two at the ranks are within 1 % of each other, with any outliers', () => {
    const samples = [500, 1000, 1001, 1002, 1003, 1004, 1005, 1010, 9000];
    const inAnyOrder = (ns: readonly number[]) => fc.shuffledSubarray([...ns], { minLength: ns.length });
    fc.assert(fc.property(inAnyOrder(samples), (ns) => isPrecise(ns)));
    fc.assert(fc.property(inAnyOrder(samples.with(7, 1010.1)), (ns) => !isPrecise(ns)));
    expect(isPrecise(Array<number>(8).fill(7))).toBe(false);
    expect(isPrecise(Array<number>(9).fill(0))).toBe(true);
  });
});

describe('isSlower', () => {
  const b = { samplesNs: [10, 20, 10, 20, 10, 20] };
  const times = (factors: readonly number[]) => ({ samplesNs: factors.map((factor, i) => factor * b.samplesNs[i]) });

  test('is true from six common rounds on if a kernel was slower in each of them, even if the device changes its pace', () => {
    const slower = times([1.001, 1.2, 1.01, 1.01, 1.01, 1.01]);
    expect(isSlower(slower, b)).toBe(true);
    expect(isSlower(b, slower)).toBe(false);
    expect(isSlower(times([1.2, 1.2, 1.2, 1.2, 1.2]), b)).toBe(false);
    expect(isSlower(times([1.2, 1.2, 1.2, 1.2, 1.2, 1]), b)).toBe(false);
    expect(isSlower(b, b)).toBe(false);
  });

  test('compares common rounds alone', () => {
    const late = { samplesNs: Array<number>(6).fill(15), rounds: [6, 7, 8, 9, 10, 11] };
    const all = { samplesNs: [...Array<number>(6).fill(90), ...Array<number>(6).fill(10)] };
    expect(isSlower(late, all)).toBe(true);
    expect(isSlower(all, late)).toBe(false);
    expect(isSlower({ ...late, rounds: [12, 13, 14, 15, 16, 17] }, all)).toBe(false);
  });
});
