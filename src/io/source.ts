import { ReadError } from '../core/errors.ts';
import { quotedWords } from '../core/error-messages.ts';
import { amount, allocate } from './read-checks.ts';

// Sources of bytes: files on disk, in memory, or inside other files; and helpers that read bytes and text from these.

/** Bytes per read of a file on disk or in memory. */
const CHUNK_BYTES = 2 ** 20;

/** A file from any kind of storage: read from its beginning, any number of times. */
export interface FileSource {
  /** '' if it has none */
  readonly name: string;
  /** bytes; null if it is known only at the end, as for a compressed file */
  readonly size: number | null;
  /** upper bound on the bytes from `chunks`: `size` if it is known */
  readonly maxSize: number;
  /** Progress of the newest `chunks`: bytes read, and bytes in all. */
  position(): { readonly done: number; readonly total: number };
  /** The bytes from the beginning. A chunk is valid until the next one is requested. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** A file with random access. */
export interface RandomAccessSource extends FileSource {
  readonly size: number;
  /** The bytes [from, to), which must be within the file, as a source with the same name. Reads nothing yet. */
  slice(from: number, to: number): RandomAccessSource;
}

/** Whether any part of a source can be read without reading the bytes before it. */
export function isRandomAccess(source: FileSource): source is RandomAccessSource {
  return 'slice' in source;
}

/** A file that was picked or dropped, or one that is in memory. */
export type MatrixFile = Blob | { readonly name: string; readonly bytes: Uint8Array };

/** The source of a given file. */
export function fileSource(file: MatrixFile): RandomAccessSource {
  if (!(file instanceof Blob)) {
    const { name, bytes } = file;
    return rangeSource(name, 0, bytes.length, (from, to) => bytes.subarray(from, to));
  }
  const name = 'name' in file && typeof file.name === 'string' ? file.name : '';
  return rangeSource(name, 0, file.size, (from, to) => blobBytes(file, from, to));
}

/** A source of the bytes [start, end) that `read` can read. */
function rangeSource(
  name: string,
  start: number,
  end: number,
  read: (from: number, to: number) => Uint8Array | Promise<Uint8Array>,
): RandomAccessSource {
  const size = end - start;
  let done = 0;
  return {
    name,
    size,
    maxSize: size,
    position: () => ({ done, total: size }),
    slice: (from, to) => rangeSource(name, start + from, start + to, read),
    async *chunks() {
      // Several iterations may be under way: they share only `done`.
      for (let from = start; from < end;) {
        const chunk = await read(from, Math.min(end, from + CHUNK_BYTES));
        from += chunk.length;
        done = from - start;
        yield chunk;
      }
    },
  };
}

async function blobBytes(blob: Blob, from: number, to: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await blob.slice(from, to).arrayBuffer());
  } catch (error) {
    // A browser fails with this if a file was moved or changed after it was picked.
    throw new ReadError(`bytes ${from} to ${to}: found them unreadable (${quotedWords(error)}); has the file changed?`);
  }
}

/** The first `length` bytes, or all if there are fewer. */
export async function readHead(source: FileSource, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const head = new Uint8Array(length);
  const start = isRandomAccess(source) && source.size > length ? source.slice(0, length) : source;
  let filled = 0;
  for await (const chunk of start.chunks()) {
    const part = chunk.subarray(0, length - filled);
    head.set(part, filled);
    filled += part.length;
    if (filled === length) break;
  }
  return head.subarray(0, filled);
}

/** All bytes of a source of known size, read to the end, where an archive compares size and checksum. */
export async function readWhole(source: FileSource & { readonly size: number }): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = allocate(source.name, source.size, () => new Uint8Array(source.size));
  let filled = 0;
  for await (const chunk of source.chunks()) {
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  return bytes;
}

/** The bytes [from, to), for small or checked ranges. Throws ReadError if the file has fewer. */
export async function readBytes(
  source: RandomAccessSource,
  from: number,
  to: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = to <= source.size ? await readHead(source.slice(from, to), to - from) : new Uint8Array(0);
  if (bytes.length === to - from) return bytes;
  throw new ReadError(`byte ${Math.min(source.size, to)}: found the end, expected ${amount(to, 'byte')}`);
}

/** The message for a file of `size` bytes that refers to bytes beyond its end. */
export function beyondEnd(bytes: number, at: number, size: number): string {
  return `found ${amount(bytes, 'byte')} at byte ${at}, expected them within the file of ${size}`;
}

/** A range of a source without random access: the bytes before it are read and dropped. */
export function sequentialPart(source: FileSource, name: string, from: number, size: number): FileSource {
  return {
    name,
    size,
    maxSize: size,
    position: () => source.position(),
    async *chunks() {
      let position = 0;
      for await (const chunk of source.chunks()) {
        const part = chunk.subarray(Math.max(0, from - position), Math.max(0, from + size - position));
        position += chunk.length;
        if (part.length > 0) yield part;
        if (position >= from + size) return;
      }
    },
  };
}

const windows1252 = new TextDecoder('windows-1252');

/** Any bytes as text, a character per byte, to recognise and quote; characters of bytes above 0x7f may be wrong. */
export function windows1252Text(bytes: Uint8Array): string {
  return windows1252.decode(bytes);
}

/** The name of a file in an archive: UTF-8, or else in an older, unknown encoding, whose bytes stay distinct. */
export function nameText(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return text.includes('\ufffd') ? windows1252Text(bytes) : text;
}

/** The bytes of several arrays, one after the other. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** How UTF-16 text is read: its byte order, and whether a mark at the beginning determined it. */
export interface Utf16 {
  readonly order: 'little-endian' | 'big-endian';
  readonly hasMark: boolean;
}

const UTF_32_MARKS: readonly (readonly number[])[] = [
  [0xff, 0xfe, 0, 0],
  [0, 0, 0xfe, 0xff],
];

/** Shares of pairs of bytes, a character of ASCII and a zero, from which on a text is UTF-16, or looks like it. */
const CERTAIN_SHARE = 0.7;
const LIKELY_SHARE = 0.4;

/**
 * How the text is written that begins with `head`: UTF-16, with a byte order mark or by its zeros; null for any other.
 * Throws ReadError for UTF-32, and where both byte orders are possible.
 */
export function utf16Of(head: Uint8Array): Utf16 | null {
  if (UTF_32_MARKS.some((mark) => mark.every((byte, i) => head[i] === byte))) {
    throw new ReadError('found text in UTF-32, expected UTF-8 or UTF-16; save it as UTF-8');
  }
  const mark = head.length < 2 ? 0 : head[0] * 256 + head[1];
  if (mark === 0xfffe || mark === 0xfeff) {
    return { order: mark === 0xfffe ? 'little-endian' : 'big-endian', hasMark: true };
  }
  const pairs = Math.floor(head.length / 2);
  if (pairs < 2) return null;
  let [little, big, noText] = [0, 0, 0];
  for (let i = 0; i < 2 * pairs; i += 2) {
    if (isAsciiText(head[i]) && head[i + 1] === 0) little++;
    else if (head[i] === 0 && isAsciiText(head[i + 1])) big++;
    else if ((head[i] === 0 || head[i + 1] === 0) && Math.max(head[i], head[i + 1]) < FIRST_OF_LATIN_1) noText++;
  }
  // Two zeros, or a zero next to a control character, are in no text.
  if (noText > 0 || Math.max(little, big) < LIKELY_SHARE * pairs) return null;
  if (Math.max(little, big) < CERTAIN_SHARE * pairs || Math.min(little, big) > 0) {
    throw new ReadError(
      'found what looks like text in UTF-16 without a byte order mark, in which both byte orders occur; save it as UTF-8',
    );
  }
  return { order: little > big ? 'little-endian' : 'big-endian', hasMark: false };
}

const FIRST_OF_LATIN_1 = 0xa0;

/** Whether a byte is a character of ASCII that text contains: a printable one, a tab, or an end of a line. */
function isAsciiText(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** A text of UTF-16 as UTF-8. */
export function fromUtf16(source: FileSource, { order }: Utf16): FileSource {
  return {
    name: source.name,
    size: null,
    // Two bytes of UTF-16 become at most three of UTF-8.
    maxSize: Math.ceil(1.5 * source.maxSize),
    position: () => source.position(),
    async *chunks() {
      const decoder = new TextDecoder(order === 'little-endian' ? 'utf-16le' : 'utf-16be');
      const encoder = new TextEncoder();
      for await (const chunk of source.chunks()) yield encoder.encode(decoder.decode(chunk, { stream: true }));
      yield encoder.encode(decoder.decode());
    },
  };
}

/** The chunks of a stream, which is cancelled if the caller stops early. `mapError` maps the stream's errors. */
export async function* streamChunks(
  stream: ReadableStream<Uint8Array>,
  mapError: (error: unknown) => unknown = (error) => error,
): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value } = await reader.read().catch((error: unknown) => {
        throw mapError(error);
      });
      if (value === undefined) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
