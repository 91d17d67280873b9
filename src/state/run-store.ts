import { clear, createStore, del, entries, set, type UseStore } from 'idb-keyval';
import type { BenchRun } from './session-state.ts';

/** A run as it is kept: its reports are text, which takes `text.length` bytes and is checked when it is read. */
export interface KeptRun extends Pick<BenchRun, 'origin' | 'name'> {
  readonly text: string;
}

/** Where runs outlive the page. Everything may reject: storage can be blocked, full, or gone. */
export interface RunStore {
  /** By key; keys ascend with time. */
  load(): Promise<readonly (readonly [key: string, run: KeptRun])[]>;
  save(key: string, run: KeptRun): Promise<void>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
}

/** Runs in this browser's IndexedDB. */
export function browserRunStore(): RunStore {
  let store: UseStore | null = null;
  // Made when it is first used: where there is no IndexedDB, already that throws.
  const opened = (): UseStore => (store ??= createStore('sparsescope', 'runs'));
  return {
    async load() {
      const all = await entries<string, unknown>(opened());
      return all
        .filter((entry): entry is [string, KeptRun] => isKeptRun(entry[1]))
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
    },
    save: async (key, run) => set(key, run, opened()),
    remove: async (key) => del(key, opened()),
    clear: async () => clear(opened()),
  };
}

function isKeptRun(value: unknown): value is KeptRun {
  if (typeof value !== 'object' || value === null) return false;
  const { origin, name, text } = value as Partial<Record<keyof KeptRun, unknown>>;
  return (origin === 'measured' || origin === 'imported') && typeof name === 'string' && typeof text === 'string';
}
