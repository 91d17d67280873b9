import type { UseStore } from 'idb-keyval';

/** A request of IndexedDB that succeeds at once, or a transaction that is complete. */
const done = (result?: unknown): object => ({
  result,
  set onsuccess(listen: () => void) {
    queueMicrotask(listen);
  },
  set oncomplete(listen: () => void) {
    queueMicrotask(listen);
  },
});

/** A store of IndexedDB in memory, as far as `idb-keyval` uses it. `copy`: of a value, when it is stored and when it is read. */
export function memoryIdb(
  entries: Map<string, unknown>,
  copy = (value: unknown): unknown => structuredClone(value),
): UseStore {
  return async (_, callback) =>
    callback({
      put: (value: unknown, key: string) => void entries.set(key, copy(value)),
      get: (key: string) => done(copy(entries.get(key))),
      delete: (key: string) => void entries.delete(key),
      clear: () => entries.clear(),
      getAll: () => done(copy([...entries.values()])),
      getAllKeys: () => done([...entries.keys()]),
      transaction: done(),
    } as unknown as IDBObjectStore);
}
