import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import { NewestWork, type Working } from '../newest-work.ts';
import type { language } from '../service/service.ts';
import type { FiredToken, FiringRequest } from '../service/types.ts';
import type { RecordedTale } from './recorded-tale.ts';

interface FiringState extends Working {
  readonly request: FiringRequest | null;
  readonly tokens: readonly FiredToken[];
  /** tokens of the whole text where these are the recorded beginning of one; null where they were written here */
  readonly recordedOf: number | null;
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
  const newest = new NewestWork(store);
  return {
    store,
    async write(request, again = false) {
      const { request: last, running, error } = store.getState();
      const isSame = JSON.stringify(last) === JSON.stringify(request);
      if (!again && isSame && (running !== null || error === null)) return;
      store.setState({ request, tokens: [], recordedOf: null });
      await newest.run('Writing', async (watch) => {
        const known = again ? null : await recorded(request).catch(() => null);
        if (!watch.isNewest) return;
        if (known) return store.setState({ tokens: known.tokens, recordedOf: known.total });
        await service.fire(watch, request, (tokens) => {
          if (watch.isNewest) store.setState((state) => ({ tokens: [...state.tokens, ...tokens] }));
        });
      });
    },
    stop() {
      newest.stop();
    },
  };
}
