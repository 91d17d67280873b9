import { LatestOnly } from '../../engine/bridge/latest-only.ts';
import type { Watch } from '../../engine/bridge/service.ts';
import { newJob, type RunningJob } from './session-state.ts';

/** What a job needs in order to be stopped, and to say how far it is. */
export interface SlotWatch extends Required<Watch> {
  /** no newer job has begun: what this one finds may be shown */
  readonly isCurrent: boolean;
  /** Shows something else of it from now on: another title, what it does, how long that takes. */
  readonly show: (part: Partial<RunningJob>) => void;
}

/** A place on the page that shows one job at a time: a new one cancels the one before and is shown instead. */
export class JobSlot {
  readonly #newest = new LatestOnly();
  readonly #show: (change: (job: RunningJob | null) => RunningJob | null) => void;

  /** `show` replaces the job on the page; null: none is running. */
  constructor(show: (change: (job: RunningJob | null) => RunningJob | null) => void) {
    this.#show = show;
  }

  /** The result of `work`, which is shown while it runs; `more` is what the page knows of it besides. */
  async run<T>(title: string, work: (watch: SlotWatch) => Promise<T>, more: Partial<RunningJob> = {}): Promise<T> {
    const turn = this.#newest.begin();
    const change = (part: Partial<RunningJob>): void => {
      if (turn.isCurrent) this.#show((job) => job && { ...job, ...part });
    };
    this.#show(() => ({ ...newJob(title), ...more }));
    try {
      return await work({
        signal: turn.signal,
        onProgress: (progress) => change({ progress }),
        show: change,
        get isCurrent() {
          return turn.isCurrent;
        },
      });
    } finally {
      if (turn.isCurrent) this.#show(() => null);
    }
  }

  /** Cancels what runs; it is shown until it has ended. */
  cancel(): void {
    this.#show((job) => job && { ...job, cancelling: true });
    this.#newest.cancel();
  }

  /** Shows a job that has yet to begin, and cancels what runs. */
  wait(title: string, progress: RunningJob['progress'] = null): void {
    this.#newest.begin();
    this.#show(() => ({ title, progress, cancelling: false }));
  }

  /** Cancels what runs and shows nothing. */
  clear(): void {
    this.#newest.begin();
    this.#show(() => null);
  }
}
