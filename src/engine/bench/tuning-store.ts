import { clear, createStore, get, set, type UseStore } from 'idb-keyval';
import type { TuningMemory, TuningResult } from '../../gpu/index.ts';

/** Where this browser remembers what trials found for kernels. Everything may reject: storage can be blocked or full. */
export interface TuningStore extends TuningMemory {
  forget(): Promise<void>;
}

/** In this browser's IndexedDB. */
export function browserTuningStore(): TuningStore {
  let store: UseStore | null = null;
  // Made when it is first used: where there is no IndexedDB, already that throws.
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
