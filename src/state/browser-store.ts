import { promisifyRequest, type UseStore } from 'idb-keyval';
import { NewerStorageError } from './newer-storage.ts';

/** The stores of the page's IndexedDB database. To add one, raise VERSION; the others stay unchanged. */
const STORES = ['runs', 'decodes', 'kernel-drafts', 'kernels', 'formats', 'files'] as const;
const VERSION = 2;

let opening: Promise<IDBDatabase> | null = null;

function openDatabase(): Promise<IDBDatabase> {
  if (opening) return opening;
  const request = indexedDB.open('sparsescope-kept', VERSION);
  request.addEventListener('upgradeneeded', () => {
    const { result: database } = request;
    for (const name of STORES) if (!database.objectStoreNames.contains(name)) database.createObjectStore(name);
  });
  const forget = (): void => {
    opening = null;
  };
  opening = promisifyRequest(request).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'VersionError' ? new NewerStorageError() : error;
  });
  opening.then((database) => {
    // The browser may close the database at any time, and a tab with a newer version waits until it is closed.
    database.addEventListener('close', forget);
    database.addEventListener('versionchange', () => {
      database.close();
      forget();
    });
  }, forget);
  return opening;
}

/** A store for `idb-keyval`, opened when first used. Every call may reject: storage can be blocked, full, or gone. */
export function browserStore(name: (typeof STORES)[number]): UseStore {
  return async (mode, callback) => callback((await openDatabase()).transaction(name, mode).objectStore(name));
}
