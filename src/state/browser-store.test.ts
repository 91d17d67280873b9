import { afterEach, expect, it, vi } from 'vitest';
import { browserStore } from './browser-store.ts';
import { NewerStorageError } from './newer-storage.ts';

/** Entries by key, by the name of their object store. */
type Stores = Map<string, Map<string, unknown>>;

/** The connections that were opened in a test. */
const connections: (EventTarget & { isClosed: boolean })[] = [];

/** Replaces IndexedDB by a fake with one database, of this version and with these stores. */
function fakeIndexedDb(version: number, names: readonly string[]) {
  const stores: Stores = new Map(names.map((name) => [name, new Map([['key', `of ${name}`]])]));
  const openCalls: (readonly [name: string, version: number])[] = [];
  const connect = () => {
    const connection = Object.assign(new EventTarget(), {
      isClosed: false,
      objectStoreNames: { contains: (name: string) => stores.has(name) },
      createObjectStore: (name: string) => void stores.set(name, new Map()),
      close: () => void (connection.isClosed = true),
      transaction: (name: string, mode: string) => {
        if (connection.isClosed) throw new DOMException('closed', 'InvalidStateError');
        return { objectStore: (store: string) => ({ name, mode, values: stores.get(store) }) };
      },
    });
    connections.push(connection);
    return connection;
  };
  const open = (name: string, requestedVersion: number) => {
    openCalls.push([name, requestedVersion]);
    const request = Object.assign(new EventTarget(), {
      result: {},
      error: {},
      onsuccess: () => {},
      onerror: () => {},
    });
    queueMicrotask(() => {
      if (requestedVersion < version) {
        request.error = new DOMException('newer', 'VersionError');
        return request.onerror();
      }
      request.result = connect();
      if (requestedVersion > version) request.dispatchEvent(new Event('upgradeneeded'));
      version = requestedVersion;
      request.onsuccess();
    });
    return request;
  };
  vi.stubGlobal('indexedDB', { open });
  return { stores, openCalls };
}

/** The fake store of this name, with its mode and its values, as a transaction returns it. */
const read = (name: Parameters<typeof browserStore>[0]): Promise<unknown> =>
  browserStore(name)('readonly', (store) => store);

afterEach(() => {
  // The next test opens the database again.
  for (const connection of connections.splice(0)) connection.dispatchEvent(new Event('close'));
  vi.unstubAllGlobals();
});

const STORES = ['runs', 'decodes', 'kernel-drafts', 'kernels', 'formats', 'files'] as const;

it.each<[what: string, version: number, before: readonly string[]]>([
  ['a first visit', 0, []],
  ['an earlier version', 1, ['runs', 'decodes', 'of another page']],
  ['version 0.2', 2, STORES],
])('the database of %s has every store, and those that it had are unchanged', async (_, version, storesBefore) => {
  const { stores, openCalls } = fakeIndexedDb(version, storesBefore);
  for (const name of STORES) {
    const values = new Map(storesBefore.includes(name) ? [['key', `of ${name}`]] : []);
    expect(await read(name)).toEqual({ name, mode: 'readonly', values });
  }
  expect(await browserStore('files')('readwrite', (store) => store)).toMatchObject({ mode: 'readwrite' });
  expect([...stores.keys()]).toEqual([...new Set([...storesBefore, ...STORES])]);
  // The database is opened once for all stores.
  expect(openCalls).toEqual([['sparsescope-kept', 2]]);
});

it('the database is opened at the first access to a store', async () => {
  const { openCalls } = fakeIndexedDb(2, STORES);
  browserStore('runs');
  expect(openCalls).toEqual([]);
});

it('reading a database of a newer version rejects with NewerStorageError, and opens no connection', async () => {
  fakeIndexedDb(3, STORES);
  const error = await read('runs').catch((reason: unknown) => reason);
  expect([Object(error).name, Object(error).message, connections]).toEqual([
    'NewerStorageError',
    new NewerStorageError().message,
    [],
  ]);
});

it('if the browser cannot open the database, each access rejects, and the next tries again', async () => {
  let calls = 0;
  vi.stubGlobal('indexedDB', {
    open: () => {
      calls++;
      const request = Object.assign(new EventTarget(), {
        error: new DOMException('no', 'UnknownError'),
        onerror: () => {},
      });
      queueMicrotask(() => request.onerror());
      return request;
    },
  });
  for (let i = 0; i < 2; i++) await expect(read('runs')).rejects.toMatchObject({ name: 'UnknownError' });
  expect(calls).toBe(2);
});

it.each(['close', 'versionchange'])('the database is opened again after the event %s', async (type) => {
  const { openCalls } = fakeIndexedDb(2, STORES);
  await read('runs');
  connections[0].dispatchEvent(new Event(type));
  // A newer version waits until the database is closed.
  expect(connections[0].isClosed).toBe(type === 'versionchange');
  expect(await read('runs')).toMatchObject({ name: 'runs' });
  expect([openCalls.length, connections.length]).toEqual([2, 2]);
});
