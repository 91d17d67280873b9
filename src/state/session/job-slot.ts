import { LatestOnly } from '../../engine/bridge/latest-only.ts';
import { SparseScopeError } from '../../core/errors.ts';
import { failureOf, messageOf } from '../../core/error-messages.ts';
import type { Watch } from '../../engine/bridge/service.ts';
import { newJob, type RunningJob } from './session-state.ts';

/** What a running job receives, to notice that it is cancelled and to report its progress. */
export interface JobContext extends Required<Watch> {
  /** whether no newer job has begun, so that the result of this one may be shown */
  readonly isCurrent: boolean;
  /** Changes how the job is shown: its title, its progress, the time left. */
  readonly show: (part: Partial<RunningJob>) => void;
}

/** Runs one job (long task) at a time and shows it on the page: a new job cancels and replaces the previous job. */
export class JobSlot {
  readonly #newest = new LatestOnly();
  readonly #show: (change: (job: RunningJob | null) => RunningJob | null) => void;

  /** `show` replaces the job on the page; null: none is running. */
  constructor(show: (change: (job: RunningJob | null) => RunningJob | null) => void) {
    this.#show = show;
  }

  /**
   * Runs and shows `work`, and returns its result; `more`: further properties of the shown job. An error of a browser or
   * driver is thrown as a SparseScopeError that names the job.
   */
  async run<T>(title: string, work: (context: JobContext) => Promise<T>, more: Partial<RunningJob> = {}): Promise<T> {
    const request = this.#newest.begin();
    const change = (part: Partial<RunningJob>): void => {
      if (request.isCurrent) this.#show((job) => job && { ...job, ...part });
    };
    this.#show(() => ({ ...newJob(title), ...more }));
    try {
      return await work({
        signal: request.signal,
        onProgress: (progress) => change({ progress }),
        show: change,
        get isCurrent() {
          return request.isCurrent;
        },
      });
    } catch (error) {
      // The death of the engine is announced separately, and recognised by its name.
      if (error instanceof Error && error.name === 'EngineDeathError') throw error;
      const failure = failureOf(error, title);
      throw failure === messageOf(error) ? error : new SparseScopeError(failure);
    } finally {
      if (request.isCurrent) this.#show(() => null);
    }
  }

  /** Cancels the job, which stays visible until it has ended. */
  cancel(): void {
    this.#show((job) => job && { ...job, cancelling: true });
    this.#newest.cancel();
  }

  /** Shows a job that has yet to begin, and cancels the current one. */
  showWaiting(title: string, progress: RunningJob['progress'] = null): void {
    this.#newest.begin();
    this.#show(() => ({ title, progress, cancelling: false }));
  }

  /** Cancels the job and shows nothing. */
  clear(): void {
    this.#newest.begin();
    this.#show(() => null);
  }
}
