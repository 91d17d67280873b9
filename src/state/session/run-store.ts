import { clear, del, entries, set, type UseStore } from 'idb-keyval';
import { browserStore } from '../browser-store.ts';
import type { BenchRun } from './session-state.ts';

/** A stored benchmark run. `text`: its reports as JSON of `text.length` bytes, checked when the run is read. */
export interface SavedRun extends Pick<BenchRun, 'origin' | 'name'> {
  readonly text: string;
  /** how to continue an interrupted run: a `RunRemainder`, checked when the run is read */
  readonly rest?: unknown;
  /** key of the stored run that a run in progress continues and replaces */
  readonly replaces?: string | undefined;
}

/** The storage of runs. Every call may reject: storage can be blocked, full, or gone. */
export interface RunStore {
  /** By key; keys ascend with time. */
  load(): Promise<readonly (readonly [key: string, run: SavedRun])[]>;
  save(key: string, run: SavedRun): Promise<void>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
  /** Records this tab's run in progress, with the results so far; null: the run has ended. May throw. */
  setRunning(run: SavedRun | null): void;
  /** Returns and deletes the record of this tab's interrupted run; null if there was none. May throw. */
  takeInterrupted(): SavedRun | null;
}

/** The part of `sessionStorage` that is used; it belongs to this tab and outlives a reload. */
export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const RUNNING_KEY = 'sparsescope.running';

/** Runs in `store`, this browser's IndexedDB; the run in progress in the tab's session storage. */
export function browserRunStore(tabStorage: () => TabStorage, store: UseStore = browserStore('runs')): RunStore {
  return {
    async load() {
      const all = await entries<string, unknown>(store);
      return all
        .filter((entry): entry is [string, SavedRun] => isSavedRun(entry[1]))
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
    },
    save: async (key, run) => set(key, run, store),
    remove: async (key) => del(key, store),
    clear: async () => clear(store),
    setRunning(run) {
      if (run) tabStorage().setItem(RUNNING_KEY, JSON.stringify(run));
      else tabStorage().removeItem(RUNNING_KEY);
    },
    takeInterrupted() {
      const text = tabStorage().getItem(RUNNING_KEY);
      if (text === null) return null;
      tabStorage().removeItem(RUNNING_KEY);
      const run: unknown = JSON.parse(text);
      return isSavedRun(run) ? run : null;
    },
  };
}

function isSavedRun(value: unknown): value is SavedRun {
  if (typeof value !== 'object' || value === null) return false;
  const { origin, name, text } = value as Partial<Record<keyof SavedRun, unknown>>;
  return (origin === 'measured' || origin === 'imported') && typeof name === 'string' && typeof text === 'string';
}
