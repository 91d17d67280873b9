import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Locks, type PulseOptions, watchPulse } from './pulse.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const noLocks: PulseOptions = { newLockName: () => 'lock' };

/** A thread that answers pings while `hears` is true; when it becomes true again, it answers all waiting pings at once. */
function fakeThread() {
  let hears = true;
  let silenceMs = 0;
  let waiting: (() => void)[] = [];
  return {
    ping: () =>
      new Promise<number>((resolve) => {
        if (hears) resolve(silenceMs);
        else waiting.push(() => resolve(silenceMs));
      }),
    keepLock: async () => true,
    set silenceMs(ms: number) {
      silenceMs = ms;
    },
    set hears(value: boolean) {
      hears = value;
      if (!hears) return;
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
    const heard: number[] = [];
    const stop = watchPulse(thread, () => {}, { ...noLocks, onGpuSilence: (ms) => heard.push(ms) });
    await vi.advanceTimersByTimeAsync(1000);
    thread.silenceMs = 12_000;
    await vi.advanceTimersByTimeAsync(2000);
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(heard).toEqual([0, 12_000]);
  });

  it('a thread that is watched may be silent for 20 seconds, which a slow machine can need for one piece of work', async () => {
    const thread = fakeThread();
    const ends: string[] = [];
    const stop = watchPulse(thread, (how) => ends.push(how), noLocks);
    await vi.advanceTimersByTimeAsync(10_000);
    for (let i = 0; i < 5; i++) {
      thread.hears = false;
      await vi.advanceTimersByTimeAsync(20_000);
      thread.hears = true;
      await vi.advanceTimersByTimeAsync(4000);
    }
    expect(ends).toEqual([]);
    stop();
  });

  it('a thread that is watched is reported as dead after 24 seconds of silence, once', async () => {
    const thread = fakeThread();
    const ends: string[] = [];
    watchPulse(thread, (how) => ends.push(how), noLocks);
    await vi.advanceTimersByTimeAsync(10_000);
    thread.hears = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(ends).toEqual(['did not answer for 24 seconds']);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(ends).toHaveLength(1);
  });

  it('a thread that is watched may be silent for any time before its code is loaded', async () => {
    const thread = fakeThread();
    thread.hears = false;
    const ends: string[] = [];
    const stop = watchPulse(thread, (how) => ends.push(how), noLocks);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ends).toEqual([]);
    stop();
  });

  it('a thread that is watched is not reported as dead after the machine slept, when the clock went on but no timer ran', async () => {
    const thread = fakeThread();
    const ends: string[] = [];
    const stop = watchPulse(thread, (how) => ends.push(how), noLocks);
    await vi.advanceTimersByTimeAsync(10_000);
    thread.hears = false;
    await vi.advanceTimersByTimeAsync(4000);
    vi.setSystemTime(Date.now() + 3_600_000);
    await vi.advanceTimersByTimeAsync(4000);
    thread.hears = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ends).toEqual([]);
    stop();
  });

  it('a thread that is watched has ended when its lock is free, which is reported at once', async () => {
    const { locks, free } = fakeLocks();
    const ends: string[] = [];
    watchPulse(fakeThread(), (how) => ends.push(how), { ...noLocks, locks });
    await vi.advanceTimersByTimeAsync(0);
    expect(ends).toEqual([]);
    free();
    await vi.advanceTimersByTimeAsync(0);
    expect(ends).toEqual(['stopped by itself']);
  });

  it('a thread that is watched is ignored once the watch is stopped', async () => {
    const { locks, free } = fakeLocks();
    const thread = fakeThread();
    const ends: string[] = [];
    const stop = watchPulse(thread, (how) => ends.push(how), { ...noLocks, locks });
    await vi.advanceTimersByTimeAsync(10_000);
    stop();
    free();
    thread.hears = false;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(ends).toEqual([]);
  });
});
