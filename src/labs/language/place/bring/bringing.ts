import { createStore, type StoreApi } from 'zustand/vanilla';
import { bytesText } from '../../../../core/story/words.ts';
import type { ServiceOf } from '../../../../engine/bridge/service.ts';
import type { BroughtModel, ModelPlan, ModelRequest, Unfinished, Unreadable } from '../../models/brought-models.ts';
import { sentenceOf } from '../../../../state/session/session-context.ts';
import { NewestWork, type Watch, type Working } from '../newest-work.ts';
import type { LanguageService } from '../service/service.ts';
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

interface BringingState extends Working {
  /** kept, or brought since the page was opened; null before they were asked for */
  readonly models: readonly BroughtModel[] | null;
  /** what was kept of others before something came between */
  readonly unfinished: readonly Unfinished[];
  /** what is kept and cannot be read */
  readonly unreadable: readonly Unreadable[];
  /** null: nothing was looked at, or it was refused */
  readonly looked: Looked | null;
}

/** What bringing needs of the page. */
export interface BringingHost {
  readonly service: Pick<
    ServiceOf<LanguageService>,
    'look' | 'bring' | 'brought' | 'unfinished' | 'unreadable' | 'forget' | 'forgetUnreadable'
  >;
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
  /** Removes what cannot be read, by its `entry`. */
  removeUnreadable(entry: string): Promise<void>;
  /** Back to where another one is chosen. */
  back(): void;
  stop(): void;
}

export function createBringing({ service, room, persist }: BringingHost): Bringing {
  const store = createStore<BringingState>()(() => ({
    models: null,
    unfinished: [],
    unreadable: [],
    looked: null,
    running: null,
    error: null,
  }));
  const newest = new NewestWork(store);

  const refresh = async (): Promise<void> => {
    try {
      const [models, unfinished, unreadable] = await Promise.all([
        service.brought({}),
        service.unfinished({}),
        service.unreadable({}),
      ]);
      store.setState({ models, unfinished, unreadable });
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
      const found = await newest.run('Looking at the model', async (watch) => ({
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
      const model = await newest.run(`Loading ${plan.config.name}`, async ({ signal, onProgress: tell }) => {
        if (keep) await persist();
        const onProgress: Watch['onProgress'] = (progress) =>
          tell({ ...progress, what: `${progress.what}, ${bytesDone(progress, plan.bytes)}` });
        return service.bring({ signal, onProgress }, request, keep);
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
      await newest.run('Removing the model', async () => {
        await service.forget({}, id);
        store.setState(({ models, unfinished }) => ({
          models: models && models.filter((one) => one.id !== id),
          unfinished: unfinished.filter((one) => one.id !== id),
        }));
      });
    },
    async removeUnreadable(entry) {
      await newest.run('Removing it', async () => {
        await service.forgetUnreadable({}, entry);
        store.setState(({ unreadable }) => ({ unreadable: unreadable.filter((one) => one.entry !== entry) }));
      });
    },
    back() {
      newest.stop();
      store.setState({ looked: null, error: null });
    },
    stop() {
      newest.stop();
    },
  };
}

function bytesDone({ done, total }: { readonly done: number; readonly total: number }, bytes: number): string {
  return `${bytesText(Math.round(total > 0 ? (bytes * done) / total : 0))} of ${bytesText(bytes)}`;
}
