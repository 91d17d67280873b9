import type { ServiceJob } from '../../../src/engine/bridge/service-job.ts';

/** Runs jobs one after the other, since they share memory. A job that was cancelled while it waited does not start. */
export class JobQueue {
  #last: Promise<unknown> = Promise.resolve();

  async run<T>(job: ServiceJob, work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => {
      job.throwIfCancelled();
      return work();
    });
    this.#last = result.catch(() => {});
    return result;
  }
}
