import { SparseScopeError } from '../../core/errors.ts';
import { DecompressionLimitError } from './decompression-limit.ts';
import { Pacer } from '../../core/pace.ts';
import { type FileSource, streamChunks } from '../source.ts';

// Reads gzip files, and decompresses streams of gzip and deflate.

/** Maximum ratio of a deflate stream (258 bytes from a match of 2 bits). */
export const MAX_RATIO = 1032;

/** Input per write to the decompressor, which buffers everything that results: at most 17 MB. */
const PIECE_BYTES = 2 ** 14;

/** Whether a file begins like gzip. */
export function isGzip(head: Uint8Array): boolean {
  return head.length >= 3 && head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
}

/** A source of the content of a gzip file, decompressed while read (RFC 1952), up to `maxBytes`. Throws ReadError. */
export function gunzipped(compressed: FileSource, maxBytes: number): FileSource {
  return {
    name: compressed.name.replace(/\.gz$/i, '').replace(/\.tgz$/i, '.tar'),
    size: null,
    maxSize: Math.min(maxBytes, compressed.maxSize * MAX_RATIO),
    position: () => compressed.position(),
    async *chunks() {
      let done = 0;
      // A small file may take long to unpack without yielding, so a cancel would go unnoticed.
      const pacer = new Pacer();
      for await (const chunk of contentOf(compressed)) {
        done += chunk.length;
        if (done > maxBytes) {
          throw new DecompressionLimitError(`gzip: found more than ${maxBytes} bytes when decompressed`);
        }
        yield chunk;
        await pacer.pauseIfDue();
      }
    },
  };
}

/** The decompressed bytes. Browsers reject files of several gzip members, which `gunzipMembers` then reads again. */
async function* contentOf(compressed: FileSource): AsyncGenerator<Uint8Array, void> {
  let done = 0;
  try {
    for await (const chunk of streamChunks(decompress(compressed, 'gzip'))) {
      done += chunk.length;
      yield chunk;
    }
    return;
  } catch (error) {
    if (error instanceof SparseScopeError) throw error;
  }
  const { gunzipMembers } = await import('./gzip-members.ts');
  // The bytes that were already yielded are skipped.
  let toSkip = done;
  for await (const chunk of gunzipMembers(piecesOf(compressed))) {
    if (chunk.length > toSkip) yield chunk.subarray(toSkip);
    toSkip = Math.max(0, toSkip - chunk.length);
  }
}

/** The output of a stream of gzip or of raw deflate; a corrupt stream throws a TypeError. */
export function decompress(compressed: FileSource, format: 'gzip' | 'deflate-raw'): ReadableStream<Uint8Array> {
  const pieces = piecesOf(compressed);
  const bytes = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return();
    },
  });
  return bytes.pipeThrough(new DecompressionStream(format));
}

/** The bytes of a source, copied in pieces of at most PIECE_BYTES. */
async function* piecesOf(source: FileSource): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for await (const chunk of source.chunks()) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield new Uint8Array(chunk.subarray(at, at + PIECE_BYTES));
  }
}
