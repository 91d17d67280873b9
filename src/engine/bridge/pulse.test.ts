import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Locks, type PulseOptions, watchPulse } from './pulse.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const noLocks: PulseOptions = { newLockName: () => 'lock' };

/** A thread that answers pings while `answers` is true; when it becomes true again, it answers all waiting pings at once. */
function fakeThread() {
  let answers = true;
  let silenceMs = 0;
  let waiting: (() => void)[] = [];
  return {
    ping: () =>
      new Promise<number>((resolve) => {
        if (answers) resolve(silenceMs);
        else waiting.push(() => resolve(silenceMs));
      }),
    keepLock: async () => true,
    set silenceMs(ms: number) {
      silenceMs = ms;
    },
    set answers(value: boolean) {
      answers = value;
      if (!answers) return;
      for (const answer of waiting) answer();
      waiting = [];
    },
  };
}

/** A lock that the thread keeps until `free` is called. */
function fakeLocks(): { locks: Locks; free: () => void } {
  let free = (): void => {};
  const freed = new Promise<void>((resolve) => {
    free = resolve;
  });
  const request = async (_name: string, { signal }: LockOptions, granted: () => unknown): Promise<unknown> => {
    await Promise.race([freed, new Promise((_, reject) => signal?.addEventListener('abort', reject))]);
    return granted();
  };
  return { locks: { request } as Locks, free };
}

describe('a thread that is watched', () => {
  it('reports with every ping how long its GPU has not answered, until the watch ends', async () => {
    const thread = fakeThread();
    const silencesMs: number[] = [];
    const stop = watchPulse(thread, () => {}, { ...noLocks, onGpuSilence: (ms) => silencesMs.push(ms) });
    await vi.advanceTimersByTimeAsync(1000);
    thread.silenceMs = 12_000;
    await vi.advanceTimersByTimeAsync(2000);
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(silencesMs).toEqual([0, 12_000]);
  });

  it('may be silent for 20 seconds, which a slow machine can need for one piece of work', async () => {
    const thread = fakeThread();
    const deaths: string[] = [];
    const stop = watchPulse(thread, (how) => deaths.push(how), noLocks);
    await vi.advanceTimersByTimeAsync(10_000);
    for (let i = 0; i < 5; i++) {
      thread.answers = false;
      await vi.advanceTimersByTimeAsync(20_000);
      thread.answers = true;
      await vi.advanceTimersByTimeAsync(4000);
    }
    expect(deaths).toEqual([]);
    stop();
  });

  it('is reported as dead after 24 seconds of silence, once', async () => {
    const thread = fakeThread();
    const deaths: string[] = [];
    watchPulse(thread, (how) => deaths.push(how), noLocks);
    await vi.advanceTimersByTimeAsync(10_000);
    thread.answers = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(deaths).toEqual(['did not answer for 24 seconds']);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(deaths).toHaveLength(1);
  });

  it('may be silent for any time before its code is loaded', async () => {
    const thread = fakeThread();
    thread.answers = false;
    const deaths: string[] = [];
    const stop = watchPulse(thread, (how) => deaths.push(how), noLocks);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(deaths).toEqual([]);
    stop();
  });

  it('is not reported as dead after the machine slept, when the clock went on but no timer ran', async () => {
    const thread = fakeThread();
    const deaths: string[] = [];
    const stop = watchPulse(thread, (how) => deaths.push(how), noLocks);
    await vi.advanceTimersByTimeAsync(10_000);
    thread.answers = false;
    await vi.advanceTimersByTimeAsync(4000);
    vi.setSystemTime(Date.now() + 3_600_000);
    await vi.advanceTimersByTimeAsync(4000);
    thread.answers = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(deaths).toEqual([]);
    stop();
  });

  it('has ended when its lock is free, which is reported at once', async () => {
    const { locks, free } = fakeLocks();
    const deaths: string[] = [];
    watchPulse(fakeThread(), (how) => deaths.push(how), { ...noLocks, locks });
    await vi.advanceTimersByTimeAsync(0);
    expect(deaths).toEqual([]);
    free();
    await vi.advanceTimersByTimeAsync(0);
    expect(deaths).toEqual(['stopped by itself']);
  });

  it('is ignored once the watch is stopped', async () => {
    const { locks, free } = fakeLocks();
    const thread = fakeThread();
    const deaths: string[] = [];
    const stop = watchPulse(thread, (how) => deaths.push(how), { ...noLocks, locks });
    await vi.advanceTimersByTimeAsync(10_000);
    stop();
    free();
    thread.answers = false;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(deaths).toEqual([]);
  });
});
