import { amount } from '../read-checks.ts';
import { throwIfCancelled } from '../../core/pace.ts';
import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { type FileSource, fileSource, type RandomAccessSource } from '../source.ts';

/** Reads a stream to its end into a Blob, which may lie on disk, for random access. Throws ReadError above 512 MiB. */
export async function unpackedSource(source: FileSource, title: string, job: Job): Promise<RandomAccessSource> {
  const tooLarge = (found: string): ReadError =>
    new ReadError(
      `found ${title} of ${found} inside a compressed file, expected at most ${MAX_UNPACKED_BYTES} bytes; decompress it first`,
    );
  if (source.size !== null && source.size > MAX_UNPACKED_BYTES) throw tooLarge(`${amount(source.size, 'byte')}`);
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  let length = 0;
  for await (const chunk of source.chunks()) {
    throwIfCancelled(job);
    length += chunk.length;
    if (length > MAX_UNPACKED_BYTES) throw tooLarge(`more than ${MAX_UNPACKED_BYTES} bytes`);
    chunks.push(new Uint8Array(chunk));
    waiting += chunk.length;
    if (waiting >= PART_BYTES) {
      parts.push(new Blob(chunks));
      chunks = [];
      waiting = 0;
    }
    job.report({ what: 'Unpacking', ...source.position() });
  }
  return fileSource(new File([...parts, ...chunks], source.name));
}

/** Limit for what is unpacked to memory for random access. */
const MAX_UNPACKED_BYTES = 2 ** 29;
/** Bytes per Blob part. */
const PART_BYTES = 2 ** 24;
