import type { StoreApi } from 'zustand/vanilla';
import { Newest } from '../../engine/bridge/newest.ts';
import { newJob, type RunningJob } from '../../state/index.ts';
import { isCancelled, sentenceOf } from '../../state/session/session-context.ts';

/** What a state says of the work that fills it. */
export interface Working {
  readonly running: RunningJob | null;
  /** why the last one did not come to its end, as a sentence; null where it did */
  readonly error: string | null;
}

/** What work needs to be cancelled, and to say how far it is. */
export interface Watch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: NonNullable<RunningJob['progress']>) => void;
  /** Nothing newer has begun: what is found may be shown. */
  readonly isNewest: boolean;
}

type Update = (change: (state: Working) => Partial<Working>) => void;

/** Work of which the newest counts and is told in a store; what it has found stays where it ends early. */
export class NewestWork {
  readonly #newest = new Newest();
  readonly #update: Update;
  readonly #stopped: string | null;

  /** `stopped`: the error of work that was stopped. */
  constructor(
    store: Pick<StoreApi<Working>, 'getState'> & { setState(part: Partial<Working>): void },
    stopped: string | null = 'Stopped.',
  ) {
    this.#update = (change) => store.setState(change(store.getState()));
    this.#stopped = stopped;
  }

  /** Does `work` in place of what runs. Null where it failed or was stopped, and where something newer has begun. */
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
