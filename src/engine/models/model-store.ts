import { ReadError } from '../../core/errors.ts';

/** Files of models that a browser keeps for this site. */
export interface ModelStore {
  /** models that are kept whole, by id, with what was noted of them */
  list(): Promise<readonly { readonly id: string; readonly note: string }[]>;
  /** those of which there is only a part, and how many bytes of it */
  unfinished(): Promise<readonly { readonly id: string; readonly bytes: number }[]>;
  /** bytes of a file that are there already; 0 for none */
  sizeOf(id: string, file: string): Promise<number>;
  /** a file as it is on the disk; null for none */
  file(id: string, file: string): Promise<Blob | null>;
  /** Appends to a file, or begins it. Throws QuotaError if there is no room. */
  append(id: string, file: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Marks a model as whole, with a note about it. */
  finish(id: string, note: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** There is no room for what was to be kept. */
export class QuotaError extends Error {}

/** The file that is written last: a folder without it is not whole. */
const NOTE = 'kept.json';

/** What a worker has of the private file system besides what types know. */
interface SyncFile {
  write(bytes: Uint8Array, at: { readonly at: number }): number;
  getSize(): number;
  flush(): void;
  close(): void;
}
type SyncHandle = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncFile> };

/** The private file system of this site, in a folder of its own; null where a browser has none. */
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
    const open = await (handle as SyncHandle).createSyncAccessHandle();
    try {
      let at = open.getSize();
      for await (const chunk of chunks) {
        if (open.write(chunk, { at }) < chunk.length) throw new QuotaError();
        at += chunk.length;
      }
      open.flush();
    } finally {
      open.close();
    }
  };
  const append: typeof write = async (id, file, chunks) => {
    try {
      await write(id, file, chunks);
    } catch (error) {
      const name = error instanceof DOMException ? error.name : '';
      if (name === 'QuotaExceededError') throw new QuotaError();
      if (name !== 'NoModificationAllowedError') throw error;
      throw new ReadError(`${file}: found it being written by another page of this site, expected one at a time`);
    }
  };
  return {
    async list() {
      const found: { id: string; note: string }[] = [];
      for await (const [name] of (await top()).entries()) {
        const id = decodeURIComponent(name);
        const note = await fileIn(id, NOTE);
        if (note) found.push({ id, note: await note.text() }); // bounded: what somebody kept
      }
      return found;
    },
    async unfinished() {
      const found: { id: string; bytes: number }[] = [];
      for await (const [name, folder] of (await top()).entries()) {
        const id = decodeURIComponent(name);
        if (folder.kind !== 'directory' || (await fileIn(id, NOTE))) continue;
        let bytes = 0;
        for await (const file of folder.keys()) {
          bytes += (await fileIn(id, decodeURIComponent(file)))?.size ?? 0;
        }
        found.push({ id, bytes }); // bounded: what somebody began to keep
      }
      return found;
    },
    sizeOf: async (id, file) => (await fileIn(id, file))?.size ?? 0,
    file: fileIn,
    append,
    async finish(id, note) {
      async function* bytes(): AsyncGenerator<Uint8Array, void> {
        yield new TextEncoder().encode(note);
      }
      // Bringing a model again writes another note.
      await (await folderOf(id, true))?.removeEntry(NOTE).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
      await append(id, NOTE, bytes());
    },
    async remove(id) {
      try {
        await (await top()).removeEntry(encodeURIComponent(id), { recursive: true });
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError';
}
