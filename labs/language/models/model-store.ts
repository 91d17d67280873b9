// Stores imported language models in the browser's private file system (OPFS), also partly downloaded ones.

import { ReadError } from '../../../src/core/errors.ts';
import { messageOf } from '../../../src/core/error-messages.ts';
import { isImported } from '../theory/imported.ts';

/** What an entry in the folder of stored models is: a model, a part of a model, or something else. */
type EntryState =
  /** a complete model, with its note: JSON about it */
  | { readonly kind: 'model'; readonly id: string; readonly note: string }
  /** an incomplete model, and its bytes so far */
  | { readonly kind: 'part'; readonly id: string; readonly bytes: number }
  /** an entry that this page did not write, or a changed one; `why`: what was found, and expected */
  | { readonly kind: 'unreadable'; readonly fileKind: 'file' | 'folder'; readonly why: string };

/** An entry, with its name in the folder. */
export type StoreEntry = EntryState & { readonly entry: string };

/** Stores the files of imported models in this browser. */
export interface ModelStore {
  /** All entries. An unreadable one is listed and does not hide others. */
  entries(): Promise<readonly StoreEntry[]>;
  /** bytes of a file that are already stored; 0 for none */
  sizeOf(id: string, file: string): Promise<number>;
  /** a stored file; null for none */
  file(id: string, file: string): Promise<Blob | null>;
  /** Appends to a file, or begins it. Throws QuotaError if there is no space. */
  append(id: string, file: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Marks a model as complete, with its note. */
  finish(id: string, note: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes the entry with this name from the folder of stored models. */
  removeEntry(entry: string): Promise<void>;
}

/** The browser has no space for the data. */
export class QuotaError extends Error {}

/** The file with the note, written last: a folder without it is incomplete. */
const NOTE = 'kept.json';

/** Maximum bytes of a note: much more than any real note needs. */
const MAX_NOTE = 2 ** 20;

/** Synchronous access to a file of a worker's private file system; missing in the types of TypeScript. */
interface SyncFile {
  write(bytes: Uint8Array, at: { readonly at: number }): number;
  getSize(): number;
  flush(): void;
  close(): void;
}
type SyncHandle = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncFile> };

/** A store in the private file system of this site, in the folder 'models'; null if the browser has none. */
export function browserModelStore(storage: StorageManager | undefined): ModelStore | null {
  if (storage === undefined || !('getDirectory' in storage)) return null;
  const top = async (): Promise<FileSystemDirectoryHandle> =>
    (await storage.getDirectory()).getDirectoryHandle('models', { create: true });
  const folderOf = async (id: string, create = false): Promise<FileSystemDirectoryHandle | null> => {
    try {
      return await (await top()).getDirectoryHandle(encodeURIComponent(id), { create });
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
  const fileIn = async (id: string, file: string): Promise<File | null> => {
    const folder = await folderOf(id);
    try {
      return folder && (await (await folder.getFileHandle(encodeURIComponent(file))).getFile());
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
  const write = async (id: string, file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    const folder = await folderOf(id, true);
    const handle = await folder?.getFileHandle(encodeURIComponent(file), { create: true });
    if (!handle) throw new QuotaError();
    const syncFile = await (handle as SyncHandle).createSyncAccessHandle();
    try {
      let offset = syncFile.getSize();
      for await (const chunk of chunks) {
        if (syncFile.write(chunk, { at: offset }) < chunk.length) throw new QuotaError();
        offset += chunk.length;
      }
      syncFile.flush();
    } finally {
      syncFile.close();
    }
  };
  const append: typeof write = async (id, file, chunks) => {
    try {
      await write(id, file, chunks);
    } catch (error) {
      const name = error instanceof DOMException ? error.name : '';
      if (name === 'QuotaExceededError') throw new QuotaError();
      if (name !== 'NoModificationAllowedError') throw error;
      throw new ReadError(`${file}: another tab is writing it`);
    }
  };
  const removeEntry = async (entry: string): Promise<void> => {
    try {
      await (await top()).removeEntry(entry, { recursive: true });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  };
  return {
    async entries() {
      const stored: StoreEntry[] = [];
      for await (const [entry, handle] of (await top()).entries()) {
        stored.push({ entry, ...(await readEntry(entry, handle)) });
      }
      return stored;
    },
    sizeOf: async (id, file) => (await fileIn(id, file))?.size ?? 0,
    file: fileIn,
    append,
    async finish(id, note) {
      async function* bytes(): AsyncGenerator<Uint8Array, void> {
        yield new TextEncoder().encode(note);
      }
      // Importing a model again replaces the note.
      await (await folderOf(id, true))?.removeEntry(NOTE).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
      await append(id, NOTE, bytes());
    },
    remove: (id) => removeEntry(encodeURIComponent(id)),
    removeEntry,
  };
}

/** What an entry is. Never throws: an error with one entry does not affect the others. */
async function readEntry(entry: string, handle: FileSystemFileHandle | FileSystemDirectoryHandle): Promise<EntryState> {
  const unreadable = (fileKind: 'file' | 'folder', why: string): EntryState => ({ kind: 'unreadable', fileKind, why });
  if (handle.kind === 'file') return unreadable('file', 'found a file, expected a folder for each model');
  const id = idOf(entry);
  if (id === null) return unreadable('folder', 'found a folder, expected the folder of a model');
  try {
    let bytes = 0;
    for await (const inner of handle.values()) {
      if (inner.kind === 'directory') continue;
      const file = await inner.getFile();
      if (inner.name !== NOTE) bytes += file.size;
      else if (file.size > MAX_NOTE) {
        return unreadable('folder', `${NOTE}: found ${file.size} bytes, expected at most ${MAX_NOTE}`);
      } else return { kind: 'model', id, note: await file.text() };
    }
    return { kind: 'part', id, bytes };
  } catch (error) {
    return unreadable('folder', messageOf(error));
  }
}

/** The id of the model with this folder name; null for a name that `remove` would not find again. */
function idOf(entry: string): string | null {
  try {
    const id = decodeURIComponent(entry);
    return isImported(id) && encodeURIComponent(id) === entry ? id : null;
  } catch {
    return null;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError';
}
