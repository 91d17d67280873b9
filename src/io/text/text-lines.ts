import { ReadError } from '../../core/errors.ts';
import { type FileSource, joinedBytes } from '../source.ts';
import { controlText, quotedText, textOf } from './characters.ts';

// Bytes of text files: separators, blocks of whole lines, and errors with line and column.

export const LINE_FEED = 0x0a;
export const TAB = 0x09;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;

/** A ReadError about the word at index `at`, with its line and column, from 1; `to`: the end of the word, if known. */
export function wrongWordError(bytes: Uint8Array, line: number, at: number, expected: string, to?: number): ReadError {
  const lineStart = bytes.lastIndexOf(LINE_FEED, Math.max(0, at - 1)) + 1;
  const column = at < lineStart ? 1 : 1 + charactersIn(bytes, lineStart, at);
  return new ReadError(`line ${line}, column ${column}: found ${wordAt(bytes, at, to)}, expected ${expected}`);
}

/** Characters of UTF-8 that begin in [from, to). */
function charactersIn(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if ((bytes[i] & 0xc0) !== 0x80) count++;
  return count;
}

/** The word at index `at`, in quotes and shortened to 40 characters, or a description if there is none. */
function wordAt(bytes: Uint8Array, at: number, to?: number): string {
  if (at >= bytes.length || bytes[at] === LINE_FEED) return 'the end of the line';
  const isControl = bytes[at] < SPACE && bytes[at] !== TAB && bytes[at] !== CARRIAGE_RETURN;
  if (isControl) return controlText(String.fromCharCode(bytes[at]));
  if (to === at) return 'an empty field';
  let end = to ?? at;
  while (to === undefined && end < bytes.length && !isSpace(bytes[end])) end++;
  return quoted(bytes.subarray(at, end));
}

/** Whether a byte separates words. Control characters other than these do not. */
export function isSpace(byte: number): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}

/** Bytes as text in quotes, without spaces around it, shortened to 40 characters; all but printable ASCII is named. */
export function quoted(bytes: Uint8Array): string {
  const isNoSpace = (byte: number): boolean => !isSpace(byte);
  const from = Math.max(0, bytes.findIndex(isNoSpace));
  return quotedText(textOf(bytes.subarray(from, Math.min(from + 256, bytes.findLastIndex(isNoSpace) + 1))));
}

/** Maximum length of a line: a file with a longer line is not a text file of a matrix. */
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
