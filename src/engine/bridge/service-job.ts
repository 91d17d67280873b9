import type { Job, Progress } from '../../core/job.ts';
import { type Pace, throwIfCancelled } from '../../core/pace.ts';

/** Receives the progress of a job. */
export type ReportProgress = (progress: Progress) => void;

/** A call of a service while it runs. */
export class ServiceJob implements Job {
  readonly #abort = new AbortController();
  readonly #clock: Pick<Pace, 'now'>;
  readonly #onProgress: ReportProgress;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #reportedWhat: string | null = null;

  constructor(clock: Pick<Pace, 'now'>, onProgress: ReportProgress = () => {}) {
    this.#clock = clock;
    this.#onProgress = onProgress;
  }

  get cancelled(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Aborts when the job is cancelled, for work that does not run in steps. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  cancel(): void {
    this.#abort.abort();
  }

  throwIfCancelled(): void {
    throwIfCancelled(this);
  }

  /** Forwards the first report of each kind of work, and then about one every 60 ms. */
  report(progress: Progress): void {
    const now = this.#clock.now();
    if (progress.what === this.#reportedWhat && now - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = now;
    this.#reportedWhat = progress.what;
    this.#onProgress(progress);
  }
}

/** Minimum time between two reports: users cannot follow more frequent ones, and each costs a message between threads. */
const REPORT_EVERY_MS = 60;
