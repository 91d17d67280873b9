import { ReadError } from '../../core/errors.ts';
import { type FileSource, joinedBytes, windows1252Text } from '../source.ts';

// Bytes of text files: separators, blocks of whole lines, and errors with line and column.

export const LINE_FEED = 0x0a;
export const TAB = 0x09;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;

/** A ReadError at `at`, with line and column from 1, quoting the word there; `to`: the word's end, if known. */
export function wrongWordError(bytes: Uint8Array, line: number, at: number, expected: string, to?: number): ReadError {
  const lineStart = bytes.lastIndexOf(LINE_FEED, Math.max(0, at - 1)) + 1;
  const column = at < lineStart ? 1 : at - lineStart + 1;
  return new ReadError(`line ${line}, column ${column}: found ${wordAt(bytes, at, to)}, expected ${expected}`);
}

/** The word at `at`, in quotes and cut after 40 characters, or a description if there is none. */
function wordAt(bytes: Uint8Array, at: number, to?: number): string {
  if (at >= bytes.length || bytes[at] === LINE_FEED) return 'the end of the line';
  const isControl = bytes[at] < SPACE && bytes[at] !== TAB && bytes[at] !== CARRIAGE_RETURN;
  if (isControl) return `the control character 0x${bytes[at].toString(16).padStart(2, '0')}`;
  if (to === at) return 'an empty field';
  let end = to ?? at;
  while (to === undefined && end < bytes.length && bytes[end] > SPACE && end - at <= 40) end++;
  return quoted(bytes.subarray(at, end));
}

/** Bytes as text in quotes, cut after 40; a question mark for anything but printable ASCII. */
export function quoted(bytes: Uint8Array): string {
  const text = windows1252Text(bytes.subarray(0, 40)).replace(/[^ -~]/g, '?');
  return `'${text}${bytes.length > 40 ? '...' : ''}'`;
}

/** Longest line of a matrix file; longer ones are not text. */
const MAX_LINE_BYTES = 2 ** 20;

/** The bytes of a text file in blocks of whole lines, each with a line feed. Throws ReadError for a line above 1 MiB. */
export async function* lineBlocks(source: FileSource): AsyncGenerator<Uint8Array, void, void> {
  let carried = new Uint8Array(0);
  for await (const chunk of source.chunks()) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield carried.length === 0 ? chunk.subarray(0, end) : joinedBytes([carried, chunk.subarray(0, end)]);
    carried = end > 0 ? chunk.slice(end) : joinedBytes([carried, chunk]);
    if (carried.length > MAX_LINE_BYTES) {
      throw new ReadError(`text: found ${carried.length} bytes without a line end, expected at most ${MAX_LINE_BYTES}`);
    }
  }
  if (carried.length > 0) yield joinedBytes([carried, Uint8Array.of(LINE_FEED)]);
}
