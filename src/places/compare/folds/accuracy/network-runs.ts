import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ReportProgress } from '../../../../engine/bridge/job.ts';
import { Newest, type Turn } from '../../../../engine/bridge/newest.ts';
import type { ServiceOf } from '../../../../engine/bridge/service.ts';
import { newJob, type RunningJob } from '../../../../state/index.ts';
import type { explore } from '../../service/service.ts';
import type { NetworkChoice, NetworkResult } from '../../service/network/types.ts';
import { keyOf } from './plan.ts';

/** Path of the network, from the site's root. */
export const NETWORK_PATH = 'networks/digits.npz';

/**
 * Images that every network classifies first, and the only ones until a person asks for more: the whole picture in
 * seconds, if a little blurred.
 */
export const FIRST_LOOK = 200;

/** The results of a choice: on all images, or on the first of them. */
export function resultOf(
  results: NetworkState['results'],
  choice: NetworkChoice,
  images: number,
): NetworkResult | undefined {
  return results.get(keyOf(choice, images)) ?? results.get(keyOf(choice, Math.min(images, FIRST_LOOK)));
}

export interface NetworkState {
  readonly running: RunningJob | null;
  /** results by `keyOf`; kept when the page is left */
  readonly results: ReadonlyMap<string, NetworkResult>;
  /** why the last run failed, as a sentence */
  readonly error: string | null;
  /** a person cancelled: nothing starts by itself */
  readonly stopped: boolean;
}

/** What runs need from the page. */
export interface RunsHost {
  readonly service: Pick<ServiceOf<typeof explore>, 'network'>;
  /** URL of a path from the site's root */
  resolveUrl(path: string): string;
}

/** Runs of the network on its test images: results arrive one by one and are kept. */
export interface NetworkRuns {
  readonly store: StoreApi<NetworkState>;
  /**
   * Runs whatever is missing of these choices, starting with a first look at all of them; replaces a run in progress.
   * Resolves when it has ended.
   */
  run(choices: readonly NetworkChoice[], images: number): Promise<void>;
  /** `byPerson`: nothing starts by itself until `resume` */
  cancel(byPerson: boolean): void;
  /** Lets the page start by itself again. */
  resume(): void;
}

export function createNetworkRuns({ service, resolveUrl }: RunsHost): NetworkRuns {
  const store = createStore<NetworkState>(() => ({
    running: null,
    results: new Map(),
    error: null,
    stopped: false,
  }));
  const newest = new Newest();
  const stop = (): void => {
    const { running } = store.getState();
    if (!running || running.cancelling) return;
    store.setState({ running: { ...running, cancelling: true } });
    newest.cancel();
  };
  const runOn = async (turn: Turn, choices: readonly NetworkChoice[], images: number): Promise<void> => {
    let done = 0;
    const onProgress: ReportProgress = (progress) => {
      if (!turn.isNewest) return;
      const what = `${done + 1} of ${choices.length} on ${images} images: ${progress.what}`;
      const share = progress.total > 0 ? progress.done / progress.total : 0;
      store.setState(({ running }) => ({
        running: running && { ...running, progress: { what, done: done + share, total: choices.length } },
      }));
    };
    await service.network(
      { signal: turn.signal, onProgress },
      { url: resolveUrl(NETWORK_PATH), images, choices },
      (result) => {
        done++;
        // A new Map each time, so that components see the change.
        store.setState(({ results }) => ({
          results: new Map(results).set(keyOf(result.choice, images), result),
        }));
      },
    );
  };
  return {
    store,
    async run(choices, images) {
      stop();
      const { results } = store.getState();
      const missing = choices.filter((choice) => !results.has(keyOf(choice, images)));
      if (missing.length === 0) return store.setState({ running: null, error: null });
      const unseen = missing.filter((choice) => resultOf(results, choice, images) === undefined);
      const turn = newest.begin();
      store.setState({ running: newJob('The network'), error: null });
      try {
        if (images > FIRST_LOOK && unseen.length > 0) await runOn(turn, unseen, FIRST_LOOK);
        if (!turn.isNewest) return;
        if (store.getState().running?.cancelling) return store.setState({ running: null });
        await runOn(turn, missing, images);
        if (turn.isNewest) store.setState({ running: null });
      } catch (error) {
        if (!turn.isNewest) return;
        const cancelled = error instanceof Error && error.name === 'CancelledError';
        const message = error instanceof Error ? error.message : String(error);
        store.setState({ running: null, error: cancelled ? null : `${message.replace(/\.$/, '')}.` });
      }
    },
    resume() {
      store.setState({ stopped: false });
    },
    cancel(byPerson) {
      if (byPerson) store.setState({ stopped: true });
      stop();
    },
  };
}
