import { Zip, ZipPassThrough } from 'fflate';
import { SparseScopeError } from '../../core/errors.ts';

/** The maximum size of an archive: its fields have 32 bits. */
const MOST_ZIPPED_BYTES = 2 ** 32 - 2 ** 20;

/** Bytes of a piece whose checksum is computed at once: about 10 ms. */
const SLICE = 2 ** 22;

/** A file of an archive, in pieces as they are made. */
export interface ZippedFile {
  readonly name: string;
  readonly bytes: number;
  readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>;
}

/** Bytes of the records about a file without its name, which both have: in front of it, behind it, and in the directory. */
const RECORDS = 30 + 16 + 46;
const END = 22;

/** The size of the archive that `zipStream` writes of files with these names, of ASCII, and sizes. */
export function zippedBytes(files: readonly Pick<ZippedFile, 'name' | 'bytes'>[]): number {
  return files.reduce((sum, { name, bytes }) => sum + bytes + RECORDS + 2 * name.length, END);
}

/**
 * A zip archive, uncompressed, in pieces: files are written one after the other, and nothing of them is kept. Throws
 * SparseScopeError for more than 4 GiB, before the first piece.
 */
export async function* zipStream(
  files: readonly ZippedFile[],
  modified: Date,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > MOST_ZIPPED_BYTES) {
    throw new SparseScopeError(`zip: found ${total} bytes to write, expected at most ${MOST_ZIPPED_BYTES}`);
  }
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  const written = (): Uint8Array<ArrayBuffer>[] => {
    const now = pieces;
    pieces = [];
    return now;
  };
  for (const { name, chunks } of files) {
    const entry = new ZipPassThrough(name);
    entry.mtime = modified;
    zip.add(entry);
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += SLICE) {
        entry.push(chunk.subarray(at, at + SLICE), false);
        yield* written();
      }
    }
    entry.push(new Uint8Array(0), true);
    yield* written();
  }
  zip.end();
  yield* written();
}
