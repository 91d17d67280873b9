import { ReadError } from '../../core/errors.ts';
import type { FileSource } from '../source.ts';
import { LINE_FEED } from './text-position.ts';

/** Longest line of a matrix file; longer ones are not text. */
const MAX_LINE_BYTES = 2 ** 20;

/**
 * The bytes of a text file in blocks of whole lines. Every block ends with a line feed; one is added to a last line
 * without one. Throws ReadError if a line is longer than 1 MiB.
 */
export async function* lineBlocks(source: FileSource): AsyncGenerator<Uint8Array, void, void> {
  let carried = new Uint8Array(0);
  for await (const chunk of source.chunks()) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield carried.length === 0 ? chunk.subarray(0, end) : joined(carried, chunk.subarray(0, end));
    carried = end > 0 ? chunk.slice(end) : joined(carried, chunk);
    if (carried.length > MAX_LINE_BYTES) {
      throw new ReadError(`text: found ${carried.length} bytes without a line end, expected at most ${MAX_LINE_BYTES}`);
    }
  }
  if (carried.length > 0) yield joined(carried, Uint8Array.of(LINE_FEED));
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
