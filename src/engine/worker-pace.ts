import { finishAsync, type Job, type Steps, type Tasks } from '../core/job.ts';
import type { Pace } from '../core/pace.ts';

/** Clock and pauses of the worker thread that runs jobs (see Pace), and other threads that may help it. */
export interface WorkerPace extends Pace {
  readonly threads?: Threads;
}

/** Threads that run independent tasks of a job. */
export interface Threads {
  /** Resolves when the threads have run all possible tasks; outputs of the other tasks stay undefined. Never rejects. */
  perform(tasks: Tasks, job: Job): Promise<void>;
}

/** Runs steps to the end and handles messages about every 10 ms; returns their result. Throws CancelledError. */
export function finishPaced<T>(steps: Steps<T>, job: Job, pace: WorkerPace): Promise<T> {
  const { threads } = pace;
  return finishAsync(steps, job, pace, threads && ((tasks) => threads.perform(tasks, job)));
}
