import type { StoreApi } from 'zustand/vanilla';
import { Newest } from '../../../engine/bridge/newest.ts';
import { newJob, type RunningJob } from '../../../state/index.ts';
import { isCancelled, sentenceOf } from '../../../state/session/session-context.ts';

/** The part of a state that shows a job. */
export interface Working {
  readonly running: RunningJob | null;
  /** why the last job failed, as a sentence; null if it did not */
  readonly error: string | null;
}

/** What work needs to be cancelled, and to say how far it is. */
export interface Watch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: NonNullable<RunningJob['progress']>) => void;
  /** no newer job has begun: what this one finds may be shown */
  readonly isNewest: boolean;
}

type Update = (change: (state: Working) => Partial<Working>) => void;

/**
 * Runs one job at a time: a new one replaces the one before. The store shows its progress, and why it failed; what it has
 * found by then stays.
 */
export class NewestWork {
  readonly #newest = new Newest();
  readonly #update: Update;
  readonly #stopped: string | null;

  /** `stopped`: the error to show for a job that was stopped */
  constructor(
    store: Pick<StoreApi<Working>, 'getState'> & { setState(part: Partial<Working>): void },
    stopped: string | null = 'Stopped.',
  ) {
    this.#update = (change) => store.setState(change(store.getState()));
    this.#stopped = stopped;
  }

  /** Runs `work` in place of what is running. Null if it failed or was stopped, or if a newer job has begun. */
  async run<T>(title: string, work: (watch: Watch) => Promise<T>): Promise<T | null> {
    const turn = this.#newest.begin();
    const update: Update = (change) => {
      if (turn.isNewest) this.#update(change);
    };
    update(() => ({ running: newJob(title), error: null }));
    try {
      const found = await work({
        signal: turn.signal,
        onProgress: (progress) => update(({ running }) => ({ running: running && { ...running, progress } })),
        get isNewest() {
          return turn.isNewest;
        },
      });
      update(() => ({ running: null }));
      return turn.isNewest ? found : null;
    } catch (failure) {
      update(() => ({ running: null, error: isCancelled(failure) ? this.#stopped : sentenceOf(failure) }));
      return null;
    }
  }

  stop(): void {
    this.#newest.cancel();
  }
}
