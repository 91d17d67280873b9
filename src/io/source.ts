import { ReadError } from '../core/errors.ts';

/** Bytes that are read at once from a file that lies on a disk or in memory. */
const CHUNK_BYTES = 2 ** 20;

/** A file, however it is stored: read from its beginning, as often as wanted. */
export interface FileSource {
  /** '' when it has none */
  readonly name: string;
  /** bytes; null when it is known only at the end, as of a compressed file */
  readonly size: number | null;
  /** the most bytes that `chunks` can give: `size` where it is known */
  readonly maxSize: number;
  /** How far the reading of the newest `chunks` has come, for progress: bytes done of bytes in all. */
  position(): { readonly done: number; readonly total: number };
  /** The bytes from the beginning on. A chunk is valid until the next one is asked for. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** A file that was picked or dropped, or one that is in memory. */
export type MatrixFile = Blob | { readonly name: string; readonly bytes: Uint8Array };

/** The source of a file as it is. */
export function fileSource(file: MatrixFile): FileSource {
  return file instanceof Blob ? blobSource(file) : bytesSource(file.name, file.bytes);
}

function bytesSource(name: string, bytes: Uint8Array): FileSource {
  let done = 0;
  return {
    name,
    size: bytes.length,
    maxSize: bytes.length,
    position: () => ({ done, total: bytes.length }),
    async *chunks() {
      for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
        const chunk = bytes.subarray(from, from + CHUNK_BYTES);
        done = from + chunk.length;
        yield chunk;
      }
    },
  };
}

function blobSource(blob: Blob): FileSource {
  let done = 0;
  return {
    name: 'name' in blob && typeof blob.name === 'string' ? blob.name : '',
    size: blob.size,
    maxSize: blob.size,
    position: () => ({ done, total: blob.size }),
    async *chunks() {
      // A reading that was left may still wait for its last bytes: nothing but `done` is shared with it.
      for (let from = 0; from < blob.size;) {
        const chunk = await blobBytes(blob, from);
        from += chunk.length;
        done = from;
        yield chunk;
      }
    },
  };
}

async function blobBytes(blob: Blob, from: number): Promise<Uint8Array> {
  const to = Math.min(blob.size, from + CHUNK_BYTES);
  try {
    return new Uint8Array(await blob.slice(from, to).arrayBuffer());
  } catch (error) {
    // What a browser throws when a file was moved or changed after it was picked.
    throw new ReadError(
      `bytes ${from} to ${to}: found that they cannot be read (${error instanceof Error ? error.message : String(error)}), expected the file as it was when it was chosen`,
    );
  }
}

/** The first `length` bytes, or all when there are fewer. */
export async function readHead(source: FileSource, length: number): Promise<Uint8Array> {
  const head = new Uint8Array(length);
  let filled = 0;
  for await (const chunk of source.chunks()) {
    const part = chunk.subarray(0, length - filled);
    head.set(part, filled);
    filled += part.length;
    if (filled === length) break;
  }
  return head.subarray(0, filled);
}
