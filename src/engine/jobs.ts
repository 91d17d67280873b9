import { CancelledError } from '../core/errors.ts';
import { finishAsync, type Job, type Progress, type Steps, type Tasks } from '../core/job.ts';
import { type Pace, throwIfCancelled } from '../core/pace.ts';
import type { ReportProgress } from './protocol.ts';

/** A person sees no more than this, and every report is a message. */
const REPORT_EVERY_MS = 60;

/** The pace of the thread that jobs run on, and others that may help it. */
export interface WorkerPace extends Pace {
  readonly threads?: Threads;
}

/** Threads that run tasks of long work. */
export interface Threads {
  /** Resolves when they have run what they can; what they have not stays undefined in the outputs. Never rejects. */
  perform(tasks: Tasks, job: Job): Promise<void>;
}

/** A long task that was asked for from another thread. */
export class WorkerJob implements Job {
  readonly #abort = new AbortController();
  readonly #pace: WorkerPace;
  readonly #onProgress: ReportProgress;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #reportedWhat: string | null = null;

  constructor(pace: WorkerPace, onProgress: ReportProgress) {
    this.#pace = pace;
    this.#onProgress = onProgress;
  }

  get cancelled(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Aborts when the job is cancelled, for what does not go in steps. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  cancel(): void {
    this.#abort.abort();
  }

  throwIfCancelled(): void {
    throwIfCancelled(this);
  }

  /** Passes on the first report of each kind of work, and then one about every 60 ms. */
  report(progress: Progress): void {
    const now = this.#pace.now();
    if (progress.what === this.#reportedWhat && now - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = now;
    this.#reportedWhat = progress.what;
    this.#onProgress(progress);
  }
}

/** Runs steps to the end, spread over the threads that there are, and listens about every 10 ms. Throws CancelledError. */
export function finishPaced<T>(steps: Steps<T>, job: Job, pace: WorkerPace): Promise<T> {
  const { threads } = pace;
  return finishAsync(steps, job, pace, threads && ((tasks) => threads.perform(tasks, job)));
}

/** The jobs that are under way, by the ids that the page gave them. */
export class Jobs {
  readonly #running = new Map<number, WorkerJob>();
  readonly #pace: WorkerPace;

  constructor(pace: WorkerPace) {
    this.#pace = pace;
  }

  /** Runs `work` as the job `id`. Throws RangeError when a job of this id is running. */
  async run<T>(id: number, onProgress: ReportProgress, work: (job: WorkerJob) => Promise<T>): Promise<T> {
    if (this.#running.has(id)) throw new RangeError(`job: found ${id}, which is running, expected another id`);
    const job = new WorkerJob(this.#pace, onProgress);
    this.#running.set(id, job);
    try {
      return await work(job);
    } catch (error) {
      // Whatever a cancelled job fails with, it fails because it was cancelled.
      throw job.cancelled ? new CancelledError() : error;
    } finally {
      this.#running.delete(id);
    }
  }

  /** Unknown and finished jobs are ignored. */
  cancel(id: number): void {
    this.#running.get(id)?.cancel();
  }
}
