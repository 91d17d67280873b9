import { createStore, type StoreApi } from 'zustand/vanilla';
import { Newest } from '../../../engine/bridge/newest.ts';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import { asSentence, newJob, type RunningJob } from '../../../state/index.ts';
import type { language } from '../service/service.ts';
import type { FiredToken, FiringRequest } from '../service/types.ts';

interface FiringState {
  readonly request: FiringRequest | null;
  readonly tokens: readonly FiredToken[];
  readonly running: RunningJob | null;
  /** why the text did not come to its end, as a sentence */
  readonly error: string | null;
}

/** A text with what fires in it: the newest is kept until another is asked for. */
export interface Firing {
  readonly store: StoreApi<FiringState>;
  /** Writes a text unless it is there already, or always if `again`. Resolves once it has ended. */
  write(request: FiringRequest, again?: boolean): Promise<void>;
  stop(): void;
}

export function createFiring(service: Pick<ServiceOf<typeof language>, 'fire'>): Firing {
  const store = createStore<FiringState>(() => ({ request: null, tokens: [], running: null, error: null }));
  const newest = new Newest();
  return {
    store,
    async write(request, again = false) {
      const { request: last, running, error } = store.getState();
      const isSame = JSON.stringify(last) === JSON.stringify(request);
      if (!again && isSame && (running !== null || error === null)) return;
      const turn = newest.begin();
      store.setState({ request, tokens: [], running: newJob('Writing'), error: null });
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
