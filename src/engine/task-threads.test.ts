import { describe, expect, it } from 'vitest';
import { CancelledError } from '../core/errors.ts';
import { defaultParams } from '../core/format.ts';
import type { Job, SharedData, Steps } from '../core/job.ts';
import { type AnyTaskKind, runTasks } from '../core/tasks.ts';
import { formatById } from '../formats/registry.ts';
import { generate } from '../generate/generate.ts';
import { finishPaced } from './worker-pace.ts';
import { type TaskThread, TaskThreads, taskServer } from './task-threads.ts';

const squares: AnyTaskKind = {
  name: 'test/squares',
  open:
    ({ plus }: { plus: Float64Array }) =>
    (n: number) =>
      n * n + plus[0],
};

/** Fake threads that run in this thread: messages are cloned and arrive asynchronously. */
function threadsOf(kinds: readonly AnyTaskKind[], max: number, modify: (thread: TaskThread) => TaskThread = (t) => t) {
  const log = { started: 0, ended: 0, runs: 0 };
  const threads = new TaskThreads({
    max,
    start(listener) {
      log.started++;
      let hasEnded = false;
      const server = taskServer(kinds, (answer) => {
        const arrived = structuredClone(answer);
        setTimeout(() => {
          if (!hasEnded) listener(arrived);
        }, 0);
      });
      return modify({
        post(message, transfer) {
          if (message.kind === 'run') log.runs++;
          const arrived = structuredClone(message, { transfer: [...transfer] });
          setTimeout(() => server(arrived), 0);
        },
        end() {
          hasEnded = true;
          log.ended++;
        },
      });
    },
  });
  return { threads, log };
}

const job: Job = { report: () => {}, cancelled: false };
const pace = { now: () => performance.now(), pause: () => new Promise<void>((resolve) => void setTimeout(resolve, 0)) };

function* sumOfSquares(count: number, shared: SharedData): Steps<number> {
  const outputs = yield* runTasks({
    kind: squares.name,
    shared,
    inputs: Array.from({ length: count }, (_, i) => i),
    inline: (n) => n * n + 0.5,
    progress: (done) => ({ what: 'squares', done, total: count }),
  });
  return outputs.reduce((sum, output) => sum + output, 0);
}

/** Data of `squares`; the sum of n * n + 0.5 is 290 for the first ten numbers, and 2 for the first two. */
const plusHalf = (bytes = 8): SharedData => ({ bytes, copy: () => ({ plus: Float64Array.of(0.5) }) });

describe('TaskThreads', () => {
  it('run every task once, keep their threads and their data, and end on request', async () => {
    const { threads, log } = threadsOf([squares], 3);
    const shared = plusHalf();
    expect(await finishPaced(sumOfSquares(10, shared), job, { ...pace, threads })).toBe(290);
    expect(log).toEqual({ started: 3, ended: 0, runs: 10 });
    expect(await finishPaced(sumOfSquares(2, shared), job, { ...pace, threads })).toBe(2);
    expect([log.started, log.runs, threads.count]).toEqual([3, 12, 3]);
    threads.end();
    expect([log.ended, threads.count]).toEqual([3, 0]);
  });

  it.each([
    ['one core', 1, plusHalf()],
    ['no memory for two copies', 4, plusHalf(2 ** 29)],
  ])('leave the work to the calling thread with %s', async (_, max, shared) => {
    const { threads, log } = threadsOf([squares], max);
    expect(await finishPaced(sumOfSquares(10, shared), job, { ...pace, threads })).toBe(290);
    expect(log.started).toBe(0);
  });

  it('leave the work to the calling thread when threads cannot be started, fail, or lack this kind of task', async () => {
    const broken = new TaskThreads({
      max: 2,
      start() {
        throw new ReferenceError('Worker is not defined');
      },
    });
    const failing: AnyTaskKind = {
      name: squares.name,
      open: () => (n: number) => {
        if (n > 3) throw new Error('out of memory');
        return n * n + 0.5;
      },
    };
    for (const threads of [broken, threadsOf([failing], 2).threads, threadsOf([], 2).threads]) {
      expect(await finishPaced(sumOfSquares(10, plusHalf()), job, { ...pace, threads })).toBe(290);
      expect(await finishPaced(sumOfSquares(10, plusHalf()), job, { ...pace, threads })).toBe(290);
      expect(threads.count).toBe(0);
    }
  });

  it('leave the remaining work to the calling thread when a later task cannot be sent', async () => {
    const { threads } = threadsOf([squares], 2, (thread) => ({
      ...thread,
      post(message, transfer) {
        if (message.kind === 'run' && message.index === 6) throw new RangeError('no memory for a slice');
        thread.post(message, transfer);
      },
    }));
    expect(await finishPaced(sumOfSquares(10, plusHalf()), job, { ...pace, threads })).toBe(290);
    expect(threads.count).toBe(0);
  });

  // Without an answer only the cancel ends it: the test needs no clock, which other processes would disturb.
  it('are ended by a cancel, even when none of them answers', async () => {
    const { threads, log } = threadsOf([squares], 2, (thread) => ({ ...thread, post: () => {} }));
    const cancelled = { report: () => {}, cancelled: false };
    setTimeout(() => (cancelled.cancelled = true), 5);
    await expect(finishPaced(sumOfSquares(4, plusHalf()), cancelled, { ...pace, threads })).rejects.toThrow(
      CancelledError,
    );
    expect([log.started, log.ended]).toEqual([2, 2]);
  });

  it('are ended after a while without work', async () => {
    const { log } = threadsOf([squares], 2);
    const idle = new TaskThreads({
      max: 2,
      idleMs: 5,
      start: (listener) => {
        log.started++;
        const server = taskServer([squares], listener);
        return { post: (message) => void setTimeout(() => server(message), 0), end: () => void log.ended++ };
      },
    });
    await finishPaced(sumOfSquares(4, plusHalf()), job, { ...pace, threads: idle });
    await expect.poll(() => log.ended).toBe(2);
  });
});

describe('EC-SpMV on several threads', () => {
  const format = formatById('ec-csr');
  const params = { ...defaultParams<Record<string, unknown>>(format.params), maxRounds: 1, maxGranularity: 4 };
  const m = generate({ pattern: 'shared-columns', rows: 1024, cols: 4096, density: 0.05, seed: 3 });

  it.each([2, 5])('returns the same bytes with %d threads as with none', async (max) => {
    const { threads, log } = threadsOf(format.tasks ?? [], max);
    const spread = await finishPaced(format.encodeSteps(m, params), job, { ...pace, threads });
    threads.end();
    expect(log.started).toBe(max);
    expect(log.runs).toBeGreaterThan(max);
    expect(spread).toEqual(format.encode(m, params));
  });
});
