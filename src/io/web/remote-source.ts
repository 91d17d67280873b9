import { amount } from '../read-checks.ts';
import { ReadError } from '../../core/errors.ts';
import { threadPace } from '../../core/pace.ts';
import {
  request,
  beginsAt,
  bodyChunks,
  InterruptedError,
  type HttpOptions,
  NoAnswerError,
  sizeOf,
  validatorOf,
} from './http.ts';
import { decodedText } from './reference.ts';
import { type CachedFile, RemoteCache } from './remote-cache.ts';
import { fileSource, joinedBytes, type RandomAccessSource } from '../source.ts';

// Reads the file at an address by byte ranges.

/** Options for reading the files of a server. */
export interface SourceOptions extends HttpOptions {
  /** the cache; default: only what this source itself has read */
  readonly cache?: RemoteCache;
  /** maximum download of a whole file if a server does not support byte ranges. Default: 256 MiB. */
  readonly maxWholeBytes?: number;
}

/** The first request: enough for the beginning of every format, so that most headers need no second one. */
const HEAD_BYTES = 2 ** 16;
const MAX_WHOLE_BYTES = 2 ** 28;
/** Waiting times before an interrupted download is resumed, ms; they start over once bytes arrive. */
const RETRY_DELAYS_MS = [50, 200, 1000];
/** Longer ranges are not cached. */
const MAX_CACHED_BYTES = 2 ** 25;

/** Thrown if a server no longer answers: the bytes received until then are correct. */
export class ConnectionError extends ReadError {}

interface Remote {
  readonly url: string;
  readonly options: SourceOptions;
  readonly cache: RemoteCache;
  readonly file: CachedFile;
  /** its bytes may be cached, since the server can confirm that the file is unchanged */
  readonly isCacheable: boolean;
}

/**
 * The file at an address, whose ranges are read on demand. Bytes in `cache` are not requested again if the
 * content at the address never changes (`isPinned`), or if a request for one byte returns the same validator and size
 * as before. Throws ReadError with the server's answer, and CancelledError.
 */
export async function openUrl(url: string, options: SourceOptions, isPinned: boolean): Promise<RandomAccessSource> {
  const cache = options.cache ?? new RemoteCache();
  // What a token gave access to must not be shown without it.
  const key = `${options.credential?.token ?? ''} ${url}`;
  const cachedFile = cache.file(key);
  if (cachedFile && (isPinned || (await isUnchanged(url, cachedFile, options)))) {
    if (cachedFile.supportsRanges)
      return rangeSource({ url, options, cache, file: cachedFile, isCacheable: true }, 0, cachedFile.size);
    const bytes = cache.bytesAt(cachedFile, 0);
    if (bytes) return fileSource({ name: cachedFile.name, bytes });
  }
  return openUncached(url, options, cache, key, isPinned);
}

async function openUncached(
  url: string,
  options: SourceOptions,
  cache: RemoteCache,
  key: string,
  isPinned: boolean,
): Promise<RandomAccessSource> {
  const lastPart = new URL(url).pathname.split('/').at(-1) ?? '';
  const name = decodedText(lastPart) ?? lastPart;
  const response = await request(url, options, { Range: `bytes=0-${HEAD_BYTES - 1}` });
  const validator = validatorOf(response);
  if (response.status === 206) {
    const size = sizeOf(response) ?? (await requestSize(url, options));
    const head = await wholeBody(response, url, HEAD_BYTES);
    const file: CachedFile = { name, size, validator, supportsRanges: true };
    cache.open(key, file);
    cache.keep(file, 0, head);
    return rangeSource({ url, options, cache, file, isCacheable: isPinned || validator !== null }, 0, size);
  }
  const { maxWholeBytes = MAX_WHOLE_BYTES } = options;
  const declaredSize = Number(response.headers.get('Content-Length') ?? 0);
  if (declaredSize > maxWholeBytes) {
    await response.body?.cancel();
    throw tooLarge(url, declaredSize, maxWholeBytes);
  }
  const bytes = await wholeBody(response, url, maxWholeBytes);
  const file: CachedFile = { name, size: bytes.length, validator, supportsRanges: false };
  cache.open(key, file);
  cache.keep(file, 0, bytes);
  return fileSource({ name, bytes });
}

/** Whether the server still has the known file, from the response to a request for its first byte. */
async function isUnchanged(url: string, cachedFile: CachedFile, options: SourceOptions): Promise<boolean> {
  if (cachedFile.validator === null) return false;
  const response = await request(url, options, { Range: 'bytes=0-0' });
  // One byte is read, so that the connection can be reused; a whole file is not.
  if (response.status === 206) await response.arrayBuffer();
  else await response.body?.cancel();
  const declaredSize = response.status === 206 ? sizeOf(response) : Number(response.headers.get('Content-Length'));
  return (
    validatorOf(response) === cachedFile.validator &&
    (response.status === 206) === cachedFile.supportsRanges &&
    (declaredSize === null || declaredSize === cachedFile.size)
  );
}

function tooLarge(url: string, bytes: number, max: number): ReadError {
  return new ReadError(
    `${url}: the server sends no parts of its ${amount(bytes, 'byte')}, expected at most ${max}; download the file first`,
  );
}

/** The bytes [start, end) of a file on a server with ranges. */
function rangeSource(remote: Remote, start: number, end: number): RandomAccessSource {
  const { url, cache, file } = remote;
  const size = end - start;
  let done = 0;
  return {
    name: file.name,
    size,
    maxSize: size,
    position: () => ({ done, total: size }),
    slice: (from, to) => rangeSource(remote, start + from, start + to),
    async *chunks() {
      done = 0; // shared by all iterations, of which several may be under way
      for (let offset = 0, interruptions = 0; offset < size;) {
        const cached = cache.bytesAt(file, start + offset);
        if (cached) {
          const part = cached.subarray(0, size - offset);
          offset += part.length;
          done = offset;
          yield part;
          continue;
        }
        const before = offset;
        let reason = 'it ended early';
        try {
          for await (const chunk of cachedChunks(remote, start + offset, end)) {
            offset += chunk.length;
            done = offset;
            yield chunk;
          }
        } catch (error) {
          if (!(error instanceof InterruptedError)) throw error;
          reason = error.message;
        }
        if (offset >= size) return;
        if (offset > before) interruptions = 0;
        if (interruptions === RETRY_DELAYS_MS.length) {
          throw new ConnectionError(
            `${url}: the connection broke ${interruptions + 1} times at byte ${start + offset} (${reason}), expected bytes up to ${end}`,
          );
        }
        await threadPace.pause(RETRY_DELAYS_MS[interruptions++]);
      }
    },
  };
}

/** The bytes [from, to) as they arrive; also cached, if `isCacheable` and at most MAX_CACHED_BYTES. */
async function* cachedChunks(remote: Remote, from: number, to: number): AsyncIterable<Uint8Array> {
  const chunks = rangeChunks(remote, from, to);
  if (to - from > MAX_CACHED_BYTES || !remote.isCacheable) {
    yield* chunks;
    return;
  }
  const receivedChunks: Uint8Array[] = [];
  try {
    for await (const chunk of chunks) {
      receivedChunks.push(chunk);
      yield chunk;
    }
  } finally {
    remote.cache.keep(remote.file, from, joinedBytes(receivedChunks));
  }
}

async function* rangeChunks({ url, options, file }: Remote, from: number, to: number): AsyncIterable<Uint8Array> {
  const response = await request(url, options, { Range: `bytes=${from}-${to - 1}` }).catch((error: unknown) => {
    // The server answered before: neither a wrong address nor CORS is the reason.
    throw error instanceof NoAnswerError ? new InterruptedError(error.detail) : error;
  });
  const validator = validatorOf(response);
  const size = sizeOf(response);
  const isSame =
    (file.validator === null || validator === null || validator === file.validator) &&
    (size === null || size === file.size);
  if (response.status !== 206 || !isSame || !beginsAt(response, from)) {
    await response.body?.cancel();
    throw new ReadError(`${url}, bytes ${from} to ${to}: the file changed while it was read`);
  }
  let missing = to - from;
  for await (const chunk of bodyChunks(response, options.signal)) {
    if (chunk.length > missing)
      throw new ReadError(`${url}: found more than ${amount(to - from, 'byte')} from byte ${from}`);
    missing -= chunk.length;
    yield chunk;
  }
}

async function wholeBody(response: Response, url: string, max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of bodyChunks(response, new AbortController().signal)) {
      length += chunk.length;
      if (length > max) throw tooLarge(url, length, max);
      chunks.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    throw new ReadError(`${url}: the connection broke after ${amount(length, 'byte')} (${error.message})`);
  }
  return joinedBytes(chunks);
}

async function requestSize(url: string, options: SourceOptions): Promise<number> {
  const response = await request(url, options, {}, 'HEAD');
  const size = Number(response.headers.get('Content-Length') ?? Number.NaN);
  if (Number.isSafeInteger(size)) return size;
  throw new ReadError(`${url}: found no size, expected Content-Range or Content-Length`);
}
