import { describe, expect, it } from 'vitest';
import { CancelledError } from './errors.ts';
import { finish, finishAsync, type Job, type Progress, type Steps } from './job.ts';

function* countTo(n: number): Steps<number> {
  for (let i = 0; i < n; i++) yield { what: 'counting', done: i, total: n };
  return n;
}

describe('finish', () => {
  it('runs to the result and reports on the way', () => {
    const reports: Progress[] = [];
    expect(finish(countTo(3), { report: (p) => reports.push(p), cancelled: false })).toBe(3);
    expect(reports.map((p) => p.done)).toEqual([0, 1, 2]);
    expect(finish(countTo(3))).toBe(3);
  });

  it('stops when the job is cancelled', () => {
    expect(() => finish(countTo(3), { report: () => {}, cancelled: true })).toThrow(CancelledError);
  });
});

describe('finishAsync', () => {
  it('yields the thread about every 10 ms, and stops there when the job is cancelled', async () => {
    let clock = 0;
    let pauses = 0;
    const job = { report: () => {}, cancelled: false };
    const pause = async (): Promise<void> => {
      pauses++;
      if (pauses === 3) job.cancelled = true;
    };
    const run = finishAsync(countTo(100), job as Job, { pause, now: () => (clock += 5) });
    await expect(run).rejects.toThrow(CancelledError);
    expect(pauses).toBe(3);
  });

  it('does not pause for short work', async () => {
    const pause = (): Promise<void> => Promise.reject(new Error('paused'));
    const job: Job = { report: () => {}, cancelled: false };
    await expect(finishAsync(countTo(5), job, { pause, now: () => 0 })).resolves.toBe(5);
  });
});
