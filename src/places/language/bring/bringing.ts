import { createStore, type StoreApi } from 'zustand/vanilla';
import { bytesText } from '../../../core/story/words.ts';
import { Newest } from '../../../engine/bridge/newest.ts';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import type { BroughtModel, ModelPlan, ModelRequest, Unfinished } from '../../../engine/models/brought-models.ts';
import { asSentence, newJob, type RunningJob } from '../../../state/index.ts';
import type { language } from '../service/service.ts';
import type { Room } from './room.ts';

/** A model that was looked at. */
export interface Looked {
  readonly request: ModelRequest;
  readonly plan: ModelPlan;
  /** what this browser keeps for the site; null: it keeps nothing */
  readonly room: Room | null;
  /** somebody asked to keep it: stays so where loading broke off */
  readonly keep: boolean;
}

interface BringingState {
  /** kept, or brought since the page was opened; null before they were asked for */
  readonly models: readonly BroughtModel[] | null;
  /** what was kept of others before something came between */
  readonly unfinished: readonly Unfinished[];
  /** null: nothing was looked at, or it was refused */
  readonly looked: Looked | null;
  readonly running: RunningJob | null;
  /** why the last step failed, as a sentence; null where it did not */
  readonly error: string | null;
}

/** What bringing needs of the page. */
export interface BringingHost {
  readonly service: Pick<ServiceOf<typeof language>, 'look' | 'bring' | 'brought' | 'unfinished' | 'forget'>;
  /** what there is room for */
  room(): Promise<Room | null>;
  /** asks the browser not to clear what is kept when it needs the room */
  persist(): Promise<boolean>;
}

/** Models that people bring, in two steps: a look, for which no weight is fetched, and loading. */
export interface Bringing {
  readonly store: StoreApi<BringingState>;
  /** Asks which models there are. */
  refresh(): Promise<void>;
  /** Looks at a model in place of the one before. */
  look(request: ModelRequest): Promise<void>;
  /** Loads the model that was looked at; null where that failed or was stopped. With `keep` its files stay in this browser. */
  load(keep: boolean): Promise<BroughtModel | null>;
  remove(id: string): Promise<void>;
  /** Back to where another one is chosen. */
  back(): void;
  stop(): void;
}

export function createBringing({ service, room, persist }: BringingHost): Bringing {
  const store = createStore<BringingState>()(() => ({
    models: null,
    unfinished: [],
    looked: null,
    running: null,
    error: null,
  }));
  const newest = new Newest();

  /** Does `work` in place of what ran before; null where it failed or was stopped. */
  const run = async <T>(title: string, total: number | null, work: (watch: Watch) => Promise<T>): Promise<T | null> => {
    const turn = newest.begin();
    store.setState({ running: newJob(title), error: null });
    const onProgress: Watch['onProgress'] = (progress) => {
      if (!turn.isNewest) return;
      const what = total === null ? progress.what : `${progress.what}, ${bytesDone(progress, total)}`;
      store.setState(({ running }) => ({ running: running && { ...running, progress: { ...progress, what } } }));
    };
    try {
      const result = await work({ signal: turn.signal, onProgress });
      if (!turn.isNewest) return null;
      store.setState({ running: null });
      return result;
    } catch (failure) {
      if (!turn.isNewest) return null;
      const isCancelled = failure instanceof Error && failure.name === 'CancelledError';
      store.setState({ running: null, error: isCancelled ? 'Stopped.' : sentenceOf(failure) });
      return null;
    }
  };

  const refresh = async (): Promise<void> => {
    try {
      const [models, unfinished] = await Promise.all([service.brought({}), service.unfinished({})]);
      store.setState({ models, unfinished });
    } catch (failure) {
      // A browser that gives no files to pages: those of this visit are known all the same.
      store.setState(({ models }) => ({ models: models ?? [], error: sentenceOf(failure) }));
    }
  };

  return {
    store,
    refresh,
    async look(request) {
      store.setState({ looked: null });
      const found = await run('Looking at the model', null, async (watch) => ({
        plan: await service.look(watch, request),
        room: await room(),
      }));
      if (found) store.setState({ looked: { request, ...found, keep: false } });
    },
    async load(keep) {
      const { looked } = store.getState();
      if (looked === null) return null;
      const { request, plan } = looked;
      store.setState({ looked: { ...looked, keep } });
      const model = await run(`Loading ${plan.config.name}`, plan.bytes, async (watch) => {
        if (keep) await persist();
        return service.bring(watch, request, keep);
      });
      if (model === null) {
        // All of it may be kept, or a part.
        if (keep) await refresh();
        return null;
      }
      store.setState(({ models, unfinished }) => ({
        looked: null,
        models: [...(models ?? []).filter(({ id }) => id !== model.id), model],
        unfinished: unfinished.filter(({ id }) => id !== model.id),
      }));
      return model;
    },
    async remove(id) {
      await run('Removing the model', null, async () => {
        await service.forget({}, id);
        store.setState(({ models, unfinished }) => ({
          models: models && models.filter((one) => one.id !== id),
          unfinished: unfinished.filter((one) => one.id !== id),
        }));
      });
    },
    back() {
      newest.cancel();
      store.setState({ looked: null, error: null });
    },
    stop() {
      newest.cancel();
    },
  };
}

interface Watch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly what: string; readonly done: number; readonly total: number }) => void;
}

function bytesDone({ done, total }: { readonly done: number; readonly total: number }, bytes: number): string {
  return `${bytesText(Math.round(total > 0 ? (bytes * done) / total : 0))} of ${bytesText(bytes)}`;
}

function sentenceOf(failure: unknown): string {
  return asSentence(failure instanceof Error ? failure.message : String(failure));
}
