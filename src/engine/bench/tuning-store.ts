import { clear, createStore, get, set, type UseStore } from 'idb-keyval';
import type { TuningMemory, TuningResult } from '../../gpu/index.ts';

/** Remembers the settings that trials found for kernels. Every call may reject: storage can be blocked or full. */
export interface TuningStore extends TuningMemory {
  /** Deletes all settings. */
  forget(): Promise<void>;
}

/** A TuningStore in this browser's IndexedDB. */
export function browserTuningStore(): TuningStore {
  let store: UseStore | null = null;
  // Opened at its first use, since this throws where there is no IndexedDB.
  const opened = (): UseStore => (store ??= createStore('sparsescope-tuning', 'kernels'));
  return {
    async recall(key) {
      const found = await get<unknown>(key, opened());
      return isResult(found) ? found : null;
    },
    keep: async (key, result) => set(key, result, opened()),
    forget: async () => clear(opened()),
  };
}

function isResult(value: unknown): value is TuningResult {
  if (typeof value !== 'object' || value === null) return false;
  const { chosen, gain, tried } = value as Partial<Record<keyof TuningResult, unknown>>;
  return typeof chosen === 'object' && chosen !== null && typeof gain === 'number' && typeof tried === 'number';
}
