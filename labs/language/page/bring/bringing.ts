// The state of importing a language model on the page: inspecting its headers, loading its weights, saving it.

import { createStore, type StoreApi } from 'zustand/vanilla';
import { bytesText } from '../../../../src/core/text/words.ts';
import type { ServiceOf } from '../../../../src/engine/bridge/service.ts';
import type { ImportedModel } from '../../models/imported-model.ts';
import type { ModelPlan, ModelRequest, UnfinishedModel, UnreadableEntry } from '../../models/imported-models.ts';
import { failureText, type RunningJob, JobSlot, type JobContext, isCancelled } from '../../../../src/state/index.ts';
import type { LanguageService } from '../service/service.ts';
import type { StorageSpace } from './storage-space.ts';

/** A language model whose headers were read, and whose weights can be loaded. */
export interface InspectedModel {
  readonly request: ModelRequest;
  readonly plan: ModelPlan;
  /** the storage of this browser; null: it cannot store files */
  readonly storageSpace: StorageSpace | null;
  /** whether the user wants its files saved in this browser; unchanged by a failed load */
  readonly keep: boolean;
}

interface BringingState {
  readonly running: RunningJob | null;
  /** why the last job failed; null if it did not */
  readonly error: string | null;
  /** models saved in this browser, or opened since the page was loaded; null until the list arrives */
  readonly models: readonly ImportedModel[] | null;
  /** incomplete models, whose download was interrupted */
  readonly unfinished: readonly UnfinishedModel[];
  /** stored entries that cannot be read */
  readonly unreadable: readonly UnreadableEntry[];
  /** null: no model is inspected, or the last one was rejected */
  readonly inspected: InspectedModel | null;
}

/** What `createBringing` needs from the page and the worker. */
export interface BringingHost {
  readonly service: Pick<
    ServiceOf<LanguageService>,
    'inspect' | 'bring' | 'brought' | 'unfinished' | 'unreadable' | 'forget' | 'forgetUnreadable'
  >;
  /** the storage of this browser; null: it cannot store files */
  storageSpace(): Promise<StorageSpace | null>;
  /** requests that the browser does not delete stored data when space runs out */
  persist(): Promise<boolean>;
}

/** Imported models, from files or the web: a store of them, and the steps to inspect and load another. */
export interface Bringing {
  readonly store: StoreApi<BringingState>;
  /** Reloads the list of models. */
  refresh(): Promise<void>;
  /** Inspects a model instead of the previous one. */
  inspect(request: ModelRequest): Promise<void>;
  /** Loads the inspected model; null if that failed or was stopped. With `keep` its files stay in this browser. */
  load(keep: boolean): Promise<ImportedModel | null>;
  remove(id: string): Promise<void>;
  removeUnreadable(entry: string): Promise<void>;
  /** Returns to the choice of a model. */
  back(): void;
  stop(): void;
}

/** Creates the store without models; `refresh` lists the models saved in this browser. */
export function createBringing({ service, storageSpace, persist }: BringingHost): Bringing {
  const store = createStore<BringingState>()(() => ({
    models: null,
    unfinished: [],
    unreadable: [],
    inspected: null,
    running: null,
    error: null,
  }));
  const slot = new JobSlot((change) => store.setState(({ running }) => ({ running: change(running) })));
  /** The result of a job; null if it failed or was stopped, or if another one has begun. */
  const run = <T>(title: string, work: (watch: JobContext) => Promise<T>): Promise<T | null> => {
    store.setState({ error: null });
    return slot.run(title, async (watch) => {
      try {
        const result = await work(watch);
        return watch.isCurrent ? result : null;
      } catch (failure) {
        if (watch.isCurrent) store.setState({ error: isCancelled(failure) ? 'Stopped.' : failureText(failure, title) });
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
      // If the browser cannot save files, the models of this visit are still listed.
      store.setState(({ models }) => ({ models: models ?? [], error: failureText(failure, 'Listing the models') }));
    }
  };

  return {
    store,
    refresh,
    async inspect(request) {
      store.setState({ inspected: null });
      const result = await run('Looking at the model', async (watch) => ({
        plan: await service.inspect(watch, request),
        storageSpace: await storageSpace(),
      }));
      if (result) store.setState({ inspected: { request, ...result, keep: false } });
    },
    async load(keep) {
      const { inspected } = store.getState();
      if (inspected === null) return null;
      const { request, plan } = inspected;
      store.setState({ inspected: { ...inspected, keep } });
      const model = await run(`Loading ${plan.config.name}`, async ({ signal, onProgress: report }) => {
        if (keep) await persist();
        const onProgress: JobContext['onProgress'] = (progress) =>
          report({ ...progress, what: `${progress.what}, ${bytesDone(progress, plan.bytes)}` });
        return service.bring({ signal, onProgress }, request, keep);
      });
      if (model === null) {
        // All or some of its files may be stored.
        if (keep) await refresh();
        return null;
      }
      store.setState(({ models, unfinished }) => ({
        inspected: null,
        models: [...(models ?? []).filter(({ id }) => id !== model.id), model],
        unfinished: unfinished.filter(({ id }) => id !== model.id),
      }));
      return model;
    },
    async remove(id) {
      await run('Removing the model', async () => {
        await service.forget({}, id);
        store.setState(({ models, unfinished }) => ({
          models: models && models.filter((listed) => listed.id !== id),
          unfinished: unfinished.filter((listed) => listed.id !== id),
        }));
      });
    },
    async removeUnreadable(entry) {
      await run('Removing it', async () => {
        await service.forgetUnreadable({}, entry);
        store.setState(({ unreadable }) => ({ unreadable: unreadable.filter((listed) => listed.entry !== entry) }));
      });
    },
    back() {
      slot.clear();
      store.setState({ inspected: null, error: null });
    },
    stop() {
      slot.cancel();
    },
  };
}

function bytesDone({ done, total }: { readonly done: number; readonly total: number }, bytes: number): string {
  return `${bytesText(Math.round(total > 0 ? (bytes * done) / total : 0))} of ${bytesText(bytes)}`;
}
