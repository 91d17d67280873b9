import { createStore, type StoreApi } from 'zustand/vanilla';
import { bytesText } from '../../../../core/story/words.ts';
import type { ServiceOf } from '../../../../engine/bridge/service.ts';
import type { BroughtModel, ModelPlan, ModelRequest, Unfinished, Unreadable } from '../../models/brought-models.ts';
import type { RunningJob } from '../../../../state/index.ts';
import { JobSlot, type SlotWatch } from '../../../../state/session/job-slot.ts';
import { isCancelled, sentenceOf } from '../../../../state/session/session-context.ts';
import type { LanguageService } from '../service/service.ts';
import type { Room } from './room.ts';

/** A model that was looked at. */
export interface Looked {
  readonly request: ModelRequest;
  readonly plan: ModelPlan;
  /** what this browser keeps for the site; null: it keeps nothing */
  readonly room: Room | null;
  /** a person asked to keep it: stays so where loading broke off */
  readonly keep: boolean;
}

interface BringingState {
  readonly running: RunningJob | null;
  /** why the last job failed, as a sentence; null if it did not */
  readonly error: string | null;
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
  const slot = new JobSlot((change) => store.setState(({ running }) => ({ running: change(running) })));
  /** Null if it failed or was stopped, or if something else has begun. */
  const run = <T>(title: string, work: (watch: SlotWatch) => Promise<T>): Promise<T | null> => {
    store.setState({ error: null });
    return slot.run(title, async (watch) => {
      try {
        const found = await work(watch);
        return watch.isCurrent ? found : null;
      } catch (failure) {
        if (watch.isCurrent) store.setState({ error: isCancelled(failure) ? 'Stopped.' : sentenceOf(failure) });
        return null;
      }
    });
  };

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
      const found = await run('Looking at the model', async (watch) => ({
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
      const model = await run(`Loading ${plan.config.name}`, async ({ signal, onProgress: tell }) => {
        if (keep) await persist();
        const onProgress: SlotWatch['onProgress'] = (progress) =>
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
      await run('Removing the model', async () => {
        await service.forget({}, id);
        store.setState(({ models, unfinished }) => ({
          models: models && models.filter((one) => one.id !== id),
          unfinished: unfinished.filter((one) => one.id !== id),
        }));
      });
    },
    async removeUnreadable(entry) {
      await run('Removing it', async () => {
        await service.forgetUnreadable({}, entry);
        store.setState(({ unreadable }) => ({ unreadable: unreadable.filter((one) => one.entry !== entry) }));
      });
    },
    back() {
      slot.clear();
      store.setState({ looked: null, error: null });
    },
    stop() {
      slot.cancel();
    },
  };
}

function bytesDone({ done, total }: { readonly done: number; readonly total: number }, bytes: number): string {
  return `${bytesText(Math.round(total > 0 ? (bytes * done) / total : 0))} of ${bytesText(bytes)}`;
}
