import { expect, it } from 'vitest';
import { CancelledError } from '../../core/errors.ts';
import { ServiceJob } from './service-job.ts';

it('passes on the first report of each kind of work, and then one about every 60 ms', () => {
  let ms = 0;
  const seen: string[] = [];
  const job = new ServiceJob({ now: () => ms }, ({ what, done }) => seen.push(`${what} ${done}`));
  for (let done = 0; done <= 100; done += 10) {
    ms = done;
    job.report({ what: 'reading', done, total: 100 });
  }
  job.report({ what: 'sorting', done: 0, total: 1 });
  expect(seen).toEqual(['reading 0', 'reading 60', 'sorting 0']);
});

it('passes on a cancel', () => {
  const job = new ServiceJob({ now: () => 0 });
  job.throwIfCancelled();
  job.cancel();
  expect([job.cancelled, job.signal.aborted]).toEqual([true, true]);
  expect(() => job.throwIfCancelled()).toThrow(CancelledError);
});
