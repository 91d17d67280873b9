import { expect, it } from 'vitest';
import { CancelledError } from '../core/errors.ts';
import type { Progress, Steps } from '../core/job.ts';
import { ServiceJob } from './bridge/service-job.ts';
import { finishPaced, type WorkerPace } from './worker-pace.ts';

/** A clock that moves on request. */
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

it('finishPaced pauses about every 10 ms of work and sees a cancel then', async () => {
  const pace = new FakePace();
  function* steps(): Steps<string> {
    for (let done = 0; done < 100; done++) {
      pace.ms += 3;
      yield { what: 'working', done, total: 100 };
    }
    return 'done';
  }
  const reports: Progress[] = [];
  const job = new ServiceJob(pace, (progress) => reports.push(progress));
  await expect(finishPaced(steps(), job, pace)).resolves.toBe('done');
  expect(pace.pauses).toBe(25);

  const cancelled = new ServiceJob(pace, () => {});
  const finished = finishPaced(steps(), cancelled, pace);
  cancelled.cancel();
  await expect(finished).rejects.toThrow(CancelledError);
});
