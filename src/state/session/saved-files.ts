import { delMany, get, keys, set, type UseStore } from 'idb-keyval';
import { browserStore } from '../browser-store.ts';
import { KEPT_FILES } from './has-saved-files.ts';
import type { TabStorage } from './run-store.ts';

/** A file that the user opened, with the files chosen together with it, to which it may refer. */
export interface OpenedFile {
  readonly file: File;
  readonly others: readonly File[];
}

/** Maximum number of bytes of files per tab. The newest files are kept; a file that is larger by itself is not. */
export const KEPT_BYTES = 256e6;

/** The browser's storage and locks for files. */
export interface FilesBrowser {
  /** of this tab; it outlives a reload */
  readonly storage: () => TabStorage;
  /** of all tabs; keys begin with the key of a tab */
  readonly blobs: {
    get(key: string): Promise<unknown>;
    set(key: string, value: OpenedFile): Promise<void>;
    remove(keys: readonly string[]): Promise<void>;
    keys(): Promise<readonly string[]>;
  };
  newTab(): string;
  /** Marks a tab as open, as long as the page lives. */
  lock(tab: string): void;
  /** the open tabs */
  locked(): Promise<ReadonlySet<string>>;
}

/** The list of a tab's files, oldest first. */
interface TabRecord {
  readonly tab: string;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
}

export type SavedFiles = ReturnType<typeof createSavedFiles>;

/** Storage for files across a reload of this tab. Every call may reject: storage can be blocked, full, or gone. */
export function createSavedFiles({ storage, blobs, newTab, lock, locked }: FilesBrowser) {
  const read = (): TabRecord => {
    const text = storage().getItem(KEPT_FILES);
    return text === null ? { tab: newTab(), files: [] } : (JSON.parse(text) as TabRecord);
  };
  const keyOf = ({ tab }: TabRecord, name: string): string => `${tab} ${name}`;
  return {
    /** The files kept before the reload, by name. */
    async load(): Promise<ReadonlyMap<string, OpenedFile>> {
      const record = read();
      lock(record.tab);
      const files = new Map<string, OpenedFile>();
      for (const { name } of record.files) {
        const openedFile = await blobs.get(keyOf(record, name));
        if (isOpenedFile(openedFile)) files.set(name, openedFile);
      }
      return files;
    },
    /** Keeps a file, replacing another one of its name. Resolves with the names of all kept files. */
    async keep(openedFile: OpenedFile): Promise<readonly string[]> {
      const record = read();
      const { name } = openedFile.file;
      const bytes = [openedFile.file, ...openedFile.others].reduce((sum, { size }) => sum + size, 0);
      const otherFiles = record.files.filter((file) => file.name !== name);
      const candidateFiles = bytes > KEPT_BYTES ? otherFiles : [...otherFiles, { name, bytes }];
      let sum = 0;
      const files = candidateFiles
        .toReversed()
        .filter((file) => (sum += file.bytes) <= KEPT_BYTES)
        .toReversed();
      const droppedFiles = record.files.filter((file) => !files.some((keptFile) => keptFile.name === file.name));
      await blobs.remove(droppedFiles.map((file) => keyOf(record, file.name)));
      lock(record.tab);
      if (bytes <= KEPT_BYTES) await blobs.set(keyOf(record, name), openedFile);
      storage().setItem(KEPT_FILES, JSON.stringify({ ...record, files }));
      return files.map((file) => file.name);
    },
    async forget(): Promise<void> {
      const record = read();
      storage().removeItem(KEPT_FILES);
      await blobs.remove(record.files.map(({ name }) => keyOf(record, name)));
    },
    /** Removes the files of closed tabs. A tab that reloads is open either before or after `wait`. */
    async tidy(wait: () => Promise<void>): Promise<void> {
      const openBefore = await locked();
      await wait();
      const openAfter = await locked();
      const isClosed = (key: string): boolean => ![openBefore, openAfter].some((tabs) => tabs.has(key.split(' ')[0]));
      await blobs.remove((await blobs.keys()).filter(isClosed));
    },
  };
}

function isOpenedFile(value: unknown): value is OpenedFile {
  const { file, others } = Object(value) as Partial<OpenedFile>;
  return file instanceof File && Array.isArray(others) && others.every((other) => other instanceof File);
}

const LOCK = 'sparsescope tab ';

/** The files that this browser stores, in `store`; `keep` fails if the browser cannot list the open tabs. */
export function browserSavedFiles(
  window: Pick<Window, 'sessionStorage' | 'crypto' | 'navigator'>,
  store: UseStore = browserStore('files'),
): SavedFiles {
  return createSavedFiles({
    storage: () => window.sessionStorage,
    blobs: {
      get: (key) => get(key, store),
      set: (key, value) => set(key, value, store),
      remove: (allKeys) => delMany([...allKeys], store),
      // A key that this page did not write belongs to no tab.
      keys: async () => (await keys<IDBValidKey>(store)).filter((key) => typeof key === 'string'),
    },
    newTab: () => window.crypto.randomUUID(),
    lock: (tab) => void window.navigator.locks.request(LOCK + tab, { mode: 'shared' }, () => new Promise(() => {})),
    async locked() {
      const { held: locks = [] } = await window.navigator.locks.query();
      return new Set(locks.flatMap(({ name }) => (name?.startsWith(LOCK) ? [name.slice(LOCK.length)] : [])));
    },
  });
}
