import { describe, expect, it } from 'vitest';
import { CancelledError } from '../core/errors.ts';
import type { Progress, Steps } from '../core/job.ts';
import { finishPaced, Jobs, type WorkerPace, WorkerJob } from './jobs.ts';

/** A clock that moves when told. */
class FakePace implements WorkerPace {
  ms = 0;
  pauses = 0;

  now(): number {
    return this.ms;
  }

  async pause(): Promise<void> {
    this.pauses++;
  }
}

describe('WorkerJob', () => {
  it('passes on the first report of each kind of work, and then one about every 60 ms', () => {
    const pace = new FakePace();
    const seen: string[] = [];
    const job = new WorkerJob(pace, ({ what, done }) => seen.push(`${what} ${done}`));
    for (let done = 0; done <= 100; done += 10) {
      pace.ms = done;
      job.report({ what: 'reading', done, total: 100 });
    }
    job.report({ what: 'sorting', done: 0, total: 1 });
    expect(seen).toEqual(['reading 0', 'reading 60', 'sorting 0']);
  });
});

describe('Jobs', () => {
  const forever = async (job: WorkerJob): Promise<never> => {
    await new Promise((resolve) => {
      job.signal.addEventListener('abort', resolve);
    });
    throw new TypeError('aborted');
  };

  it('cancels the job of an id, and whatever it fails with then is a CancelledError', async () => {
    const jobs = new Jobs(new FakePace());
    const first = jobs.run(1, () => {}, forever);
    const second = jobs.run(2, () => {}, forever);
    jobs.cancel(2);
    jobs.cancel(99);
    await expect(second).rejects.toThrow(CancelledError);
    jobs.cancel(1);
    await expect(first).rejects.toThrow(CancelledError);
  });

  it('refuses an id that is running, and takes it again afterwards', async () => {
    const jobs = new Jobs(new FakePace());
    const first = jobs.run(1, () => {}, forever);
    await expect(
      jobs.run(
        1,
        () => {},
        async () => 'second',
      ),
    ).rejects.toThrow('job: found 1, which is running');
    jobs.cancel(1);
    await expect(first).rejects.toThrow(CancelledError);
    await expect(
      jobs.run(
        1,
        () => {},
        async () => 'third',
      ),
    ).resolves.toBe('third');
  });
});

describe('finishPaced', () => {
  it('pauses about every 10 ms of work and sees a cancel then', async () => {
    const pace = new FakePace();
    function* steps(): Steps<string> {
      for (let done = 0; done < 100; done++) {
        pace.ms += 3;
        yield { what: 'working', done, total: 100 };
      }
      return 'done';
    }
    const reports: Progress[] = [];
    const job = new WorkerJob(pace, (progress) => reports.push(progress));
    await expect(finishPaced(steps(), job, pace)).resolves.toBe('done');
    expect(pace.pauses).toBe(25);

    const cancelled = new WorkerJob(pace, () => {});
    const finished = finishPaced(steps(), cancelled, pace);
    cancelled.cancel();
    await expect(finished).rejects.toThrow(CancelledError);
  });
});
