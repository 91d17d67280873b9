import { finishAsync, type Job, type Steps, type Tasks } from '../core/job.ts';
import type { Pace } from '../core/pace.ts';

/** The pace of the thread that runs jobs, and the threads that may help it. */
export interface WorkerPace extends Pace {
  readonly threads?: Threads;
}

/** Threads that run tasks of long work. */
export interface Threads {
  /** Resolves when the threads have run what they can; outputs of the other tasks stay undefined. Never rejects. */
  perform(tasks: Tasks, job: Job): Promise<void>;
}

/** Runs steps to the end, with the help of other threads, and handles messages about every 10 ms. Throws CancelledError. */
export function finishPaced<T>(steps: Steps<T>, job: Job, pace: WorkerPace): Promise<T> {
  const { threads } = pace;
  return finishAsync(steps, job, pace, threads && ((tasks) => threads.perform(tasks, job)));
}
