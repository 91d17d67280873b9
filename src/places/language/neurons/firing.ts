import { createStore, type StoreApi } from 'zustand/vanilla';
import { Newest } from '../../../engine/bridge/newest.ts';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import { asSentence, newJob, type RunningJob } from '../../../state/index.ts';
import type { language } from '../service/service.ts';
import type { FiredToken, FiringRequest } from '../service/types.ts';
import type { RecordedTale } from './recorded-tale.ts';

interface FiringState {
  readonly request: FiringRequest | null;
  readonly tokens: readonly FiredToken[];
  /** tokens of the whole text where these are the recorded beginning of one; null where they were written here */
  readonly recordedOf: number | null;
  readonly running: RunningJob | null;
  /** why the text did not come to its end, as a sentence */
  readonly error: string | null;
}

/** A text with what fires in it: the newest is kept until another is asked for. */
export interface Firing {
  readonly store: StoreApi<FiringState>;
  /**
   * Shows what was recorded of a text, or else writes it, unless it is there already; writes it in any case if `again`.
   * Resolves once it has ended.
   */
  write(request: FiringRequest, again?: boolean): Promise<void>;
  stop(): void;
}

/** What showing neurons needs of the page. */
export interface FiringHost {
  readonly service: Pick<ServiceOf<typeof language>, 'fire'>;
  /** the recorded beginning of a text; null where there is none */
  recorded(request: FiringRequest): Promise<RecordedTale | null>;
}

export function createFiring({ service, recorded }: FiringHost): Firing {
  const store = createStore<FiringState>(() => ({
    request: null,
    tokens: [],
    recordedOf: null,
    running: null,
    error: null,
  }));
  const newest = new Newest();
  return {
    store,
    async write(request, again = false) {
      const { request: last, running, error } = store.getState();
      const isSame = JSON.stringify(last) === JSON.stringify(request);
      if (!again && isSame && (running !== null || error === null)) return;
      const turn = newest.begin();
      store.setState({ request, tokens: [], recordedOf: null, running: newJob('Writing'), error: null });
      const known = again ? null : await recorded(request).catch(() => null);
      if (!turn.isNewest) return;
      if (known) return store.setState({ tokens: known.tokens, recordedOf: known.total, running: null });
      try {
        await service.fire(
          {
            signal: turn.signal,
            onProgress: (progress) => {
              if (turn.isNewest) store.setState(({ running: job }) => ({ running: job && { ...job, progress } }));
            },
          },
          request,
          (tokens) => {
            if (turn.isNewest) store.setState((state) => ({ tokens: [...state.tokens, ...tokens] }));
          },
        );
        if (turn.isNewest) store.setState({ running: null });
      } catch (failure) {
        if (!turn.isNewest) return;
        const isCancelled = failure instanceof Error && failure.name === 'CancelledError';
        const message = failure instanceof Error ? failure.message : String(failure);
        store.setState({ running: null, error: isCancelled ? 'Stopped.' : asSentence(message) });
      }
    },
    stop() {
      newest.cancel();
    },
  };
}
