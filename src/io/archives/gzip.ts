import { messageOf, ReadError } from '../../core/errors.ts';
import { DecompressionLimitError } from './decompression-limit.ts';
import { Pacer } from '../../core/pace.ts';
import type { FileSource } from '../source.ts';

/** Maximum ratio of a deflate stream (258 bytes from a match of 2 bits). */
export const MAX_RATIO = 1032;

/** Input per write to the decompressor, which buffers everything that results: at most 17 MB. */
const PIECE_BYTES = 2 ** 14;

/** Whether a file begins like gzip. */
export function isGzip(head: Uint8Array): boolean {
  return head.length >= 3 && head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
}

/**
 * The content of a gzip file, decompressed while it is read. Reading throws ReadError if the stream is broken or
 * truncated, and DecompressionLimitError if it exceeds `maxBytes`.
 */
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
      const reader = decompress(compressed, 'gzip').getReader();
      try {
        for (;;) {
          const { value } = await reader.read().catch((error: unknown) => {
            throw asReadError(error, done);
          });
          if (value === undefined) return;
          done += value.length;
          if (done > maxBytes) {
            throw new DecompressionLimitError(`gzip: found more than ${maxBytes} bytes when decompressed`);
          }
          yield value;
          await pacer.breathe();
        }
      } finally {
        // also reached when the caller stops early
        await reader.cancel().catch(() => {});
      }
    },
  };
}

/** The output of a stream of gzip or of raw deflate; a broken one throws a TypeError. */
export function decompress(compressed: FileSource, format: 'gzip' | 'deflate-raw'): ReadableStream<Uint8Array> {
  const chunks = compressed.chunks()[Symbol.asyncIterator]();
  let rest = new Uint8Array(0);
  const bytes = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (rest.length === 0) {
        const { value, done } = await chunks.next();
        if (done) {
          controller.close();
          return;
        }
        rest = new Uint8Array(value);
      }
      controller.enqueue(rest.subarray(0, PIECE_BYTES));
      rest = rest.subarray(PIECE_BYTES);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
  return bytes.pipeThrough(new DecompressionStream(format));
}

function asReadError(error: unknown, done: number): ReadError {
  if (error instanceof ReadError) return error;
  const reason = messageOf(error);
  return new ReadError(
    `gzip: found a broken stream after ${done} decompressed bytes (${reason}), expected one whole gzip member`,
  );
}
