import { clear, del, entries, set } from 'idb-keyval';
import { keptStore } from '../kept-store.ts';
import type { BenchRun } from './session-state.ts';

/** A run as it is kept: its reports are text, which takes `text.length` bytes and is checked when it is read. */
export interface KeptRun extends Pick<BenchRun, 'origin' | 'name'> {
  readonly text: string;
  /** how it goes on where it broke off: `RestOfRun`, which is checked when it is read */
  readonly rest?: unknown;
}

/** Where runs outlive the page. Everything may reject: storage can be blocked, full, or gone. */
export interface RunStore {
  /** By key; keys ascend with time. */
  load(): Promise<readonly (readonly [key: string, run: KeptRun])[]>;
  save(key: string, run: KeptRun): Promise<void>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
  /** Notes what this tab is running, with what that has so far; null when it has ended. May throw. */
  setRunning(run: KeptRun | null): void;
  /** What this tab was running when the page was left, and forgets it; null where nothing was cut short. May throw. */
  takeInterrupted(): KeptRun | null;
}

/** The part of a storage that is used; of this tab alone, and there again after a reload. */
export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const RUNNING_KEY = 'sparsescope.running';

/** Runs in this browser's IndexedDB; the one that is going on in the tab's own storage. */
export function browserRunStore(tabStorage: () => TabStorage): RunStore {
  const store = keptStore('runs');
  return {
    async load() {
      const all = await entries<string, unknown>(store);
      return all
        .filter((entry): entry is [string, KeptRun] => isKeptRun(entry[1]))
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
      return isKeptRun(run) ? run : null;
    },
  };
}

function isKeptRun(value: unknown): value is KeptRun {
  if (typeof value !== 'object' || value === null) return false;
  const { origin, name, text } = value as Partial<Record<keyof KeptRun, unknown>>;
  return (origin === 'measured' || origin === 'imported') && typeof name === 'string' && typeof text === 'string';
}
