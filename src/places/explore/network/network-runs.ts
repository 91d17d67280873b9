import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ReportProgress } from '../../../engine/bridge/job.ts';
import { Newest, type Turn } from '../../../engine/bridge/newest.ts';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import { newJob, type RunningJob } from '../../../state/index.ts';
import type { explore } from '../service/service.ts';
import type { NetworkChoice, NetworkResult } from '../service/network/types.ts';
import { keyOf } from './plan.ts';

/** Where the network lies, from the root of the site. */
export const NETWORK_PATH = 'networks/digits.npz';

/**
 * Images that every network sees first, and the only ones until a person asks for more: the whole picture in seconds, if a
 * little blurred.
 */
export const FIRST_LOOK = 200;

/** What there is of a choice: on all images, or on the first of them. */
export function resultOf(
  results: NetworkState['results'],
  choice: NetworkChoice,
  images: number,
): NetworkResult | undefined {
  return results.get(keyOf(choice, images)) ?? results.get(keyOf(choice, Math.min(images, FIRST_LOOK)));
}

export interface NetworkState {
  readonly running: RunningJob | null;
  /** what there is, by `keyOf`; stays when the page is left */
  readonly results: ReadonlyMap<string, NetworkResult>;
  /** why the last run broke off, as a sentence */
  readonly error: string | null;
  /** a person has cancelled: nothing begins by itself */
  readonly stopped: boolean;
}

/** What runs ask of the page. */
export interface RunsHost {
  readonly service: Pick<ServiceOf<typeof explore>, 'network'>;
  /** of a path from the root of the site */
  resolveUrl(path: string): string;
}

/** Runs of the network on its test images: results come one by one and stay. */
export interface NetworkRuns {
  readonly store: StoreApi<NetworkState>;
  /**
   * Runs what is missing of these choices, with a first look at all of them; a run that goes on is left for this one.
   * Resolves when it has ended.
   */
  run(choices: readonly NetworkChoice[], images: number): Promise<void>;
  /** `byPerson`: until `resume`, nothing begins by itself */
  cancel(byPerson: boolean): void;
  /** Lets the page begin by itself again. */
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
        // A Map of its own each time, so that whoever draws it sees that it has changed.
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
