import { CancelledError, ReadError } from '../core/errors.ts';
import { hubFileUrl, HUB, hubReference, parseReference, type Reference } from './reference.ts';
import { type FileSource, fileSource, type RandomAccessSource } from './source.ts';

/** How remote files are read. */
export interface RemoteOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** sent to the hub, and nowhere else; kept by nobody here */
  readonly token?: string | null;
  /** the hub's address, for tests */
  readonly hub?: string;
  /** most bytes that are downloaded whole where a server does not know byte ranges. Default: 256 MiB. */
  readonly maxWholeBytes?: number;
  readonly signal: AbortSignal;
}

/** A remote file that answers. */
export interface RemoteFile {
  readonly source: RandomAccessSource;
  /** the file of this name beside it; null when there is none */
  sibling(name: string): Promise<FileSource | null>;
  /** what a link may carry: the address, or the reference with its revision pinned to a commit; never a token */
  readonly link: string;
}

/** The first request: enough for the beginning of every format, so that most headers need no other. */
const HEAD_BYTES = 2 ** 16;
const MAX_WHOLE_BYTES = 2 ** 28;
/** How often a connection that was cut is taken up again where it ended, for one range. */
const RESUMES = 3;
/** What repositories are looked through for when no file is named. */
const MATRIX_FILE = /\.(safetensors|npz|npy|mtx|mtx\.gz|gguf|smtx)$/i;

/**
 * Opens a remote file: parts of it are read as they are needed. Throws ReadError that says what the server answered,
 * and CancelledError.
 */
export async function openReference(text: string, options: RemoteOptions): Promise<RemoteFile> {
  const reference = parseReference(text, options.hub);
  const { url, link, isHub } = reference.kind === 'url' ? plain(reference.url) : await hubFile(reference, options);
  const own: RemoteOptions = isHub ? options : { ...options, token: null };
  return {
    source: await openUrl(url, own),
    link,
    async sibling(name) {
      try {
        return await openUrl(new URL(name, url).href, own);
      } catch (error) {
        if (error instanceof ReadError && error.message.includes('HTTP status 404')) return null;
        throw error;
      }
    },
  };
}

const plain = (url: string): { url: string; link: string; isHub: boolean } => ({ url, link: url, isHub: false });

async function hubFile(
  { repository, repo, revision, path }: Extract<Reference, { kind: 'hub' }>,
  options: RemoteOptions,
): Promise<{ url: string; link: string; isHub: boolean }> {
  const { hub = HUB } = options;
  let commit = revision;
  let file = path;
  if (path === null || !/^[0-9a-f]{40}$/.test(revision)) {
    const api = `${hub}/api/${repository}/${repo}/revision/${encodeURIComponent(revision)}`;
    const response = await ask(api, options, {});
    const json: unknown = await response.json().catch(() => null);
    const { sha, files } = repositoryOf(json);
    if (sha === null) throw new ReadError(`${repo}: found an answer without a commit from ${api}, expected one`);
    commit = sha;
    file ??= mainFile(repo, files);
  }
  const name = file ?? '';
  return {
    url: hubFileUrl(hub, repository, repo, commit, name),
    link: hubReference(repository, repo, commit, name),
    isHub: true,
  };
}

function repositoryOf(json: unknown): { sha: string | null; files: readonly string[] } {
  const fields = new Map<string, unknown>(typeof json === 'object' && json !== null ? Object.entries(json) : []);
  const sha = fields.get('sha');
  const siblings = fields.get('siblings');
  const files = (Array.isArray(siblings) ? siblings : []).flatMap((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'rfilename' in entry && typeof entry.rfilename === 'string'
      ? [entry.rfilename]
      : [],
  );
  return { sha: typeof sha === 'string' && /^[0-9a-f]{40}$/.test(sha) ? sha : null, files };
}

/** The index of sharded weights, or the only file that holds matrices. */
function mainFile(repo: string, files: readonly string[]): string {
  const index = files.find((f) => f === 'model.safetensors.index.json') ?? files.find((f) => f === 'model.safetensors');
  if (index !== undefined) return index;
  const matrices = files.filter((f) => MATRIX_FILE.test(f));
  if (matrices.length === 1) return matrices[0];
  const found =
    matrices.length === 0 ? 'no matrix file' : `${matrices.length} files such as ${matrices.slice(0, 3).join(', ')}`;
  throw new ReadError(
    `${repo}: found ${found}, expected one; name it like ${repo}/${matrices[0] ?? 'model.safetensors'}`,
  );
}

async function openUrl(url: string, options: RemoteOptions): Promise<RandomAccessSource> {
  const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  const response = await ask(url, options, { Range: `bytes=0-${HEAD_BYTES - 1}` });
  if (response.status === 206) {
    const size = sizeOf(response) ?? (await askSize(url, options));
    const head = await wholeBody(response, url, HEAD_BYTES);
    return rangeSource(url, options, name, { head, size, tag: response.headers.get('ETag') }, 0, size);
  }
  const { maxWholeBytes = MAX_WHOLE_BYTES } = options;
  const declared = Number(response.headers.get('Content-Length') ?? 0);
  if (declared > maxWholeBytes) {
    await response.body?.cancel();
    throw tooLarge(url, declared, maxWholeBytes);
  }
  return fileSource({ name, bytes: await wholeBody(response, url, maxWholeBytes) });
}

function tooLarge(url: string, bytes: number, most: number): ReadError {
  return new ReadError(
    `${url}: found a server that does not send parts of its ${bytes} bytes, expected at most ${most} to download whole; download the file and open it from the disk`,
  );
}

/** What is known of a remote file since the first request. */
interface Known {
  readonly head: Uint8Array;
  readonly size: number;
  readonly tag: string | null;
}

/** The bytes [start, end) of a file of which the server sends parts. */
function rangeSource(
  url: string,
  options: RemoteOptions,
  name: string,
  known: Known,
  start: number,
  end: number,
): RandomAccessSource {
  const size = end - start;
  let done = 0;
  return {
    name,
    size,
    maxSize: size,
    position: () => ({ done, total: size }),
    slice: (from, to) => rangeSource(url, options, name, known, start + from, start + to),
    async *chunks() {
      done = 0;
      const cached = known.head.subarray(start, Math.max(start, Math.min(end, known.head.length)));
      if (cached.length > 0) {
        done = cached.length;
        yield cached;
      }
      for (let cuts = 0; done < size;) {
        const before = done;
        let reason = 'it ended early';
        try {
          for await (const chunk of rangeChunks(url, options, known, start + done, end)) {
            done += chunk.length;
            yield chunk;
          }
        } catch (error) {
          if (!(error instanceof CutError)) throw error;
          reason = error.message;
        }
        if (done >= size) return;
        if (done > before) cuts = 0;
        if (++cuts <= RESUMES) continue;
        throw new ReadError(
          `${url}: found that the connection was cut ${RESUMES + 1} times at byte ${start + done} (${reason}), expected the bytes up to ${end}`,
        );
      }
    },
  };
}

/** A connection that ended before its answer did. */
class CutError extends Error {}

async function* rangeChunks(
  url: string,
  options: RemoteOptions,
  { size, tag }: Known,
  from: number,
  to: number,
): AsyncIterable<Uint8Array> {
  const response = await ask(url, options, { Range: `bytes=${from}-${to - 1}` });
  const newTag = response.headers.get('ETag');
  const newSize = sizeOf(response);
  const isSame = (tag === null || newTag === null || tag === newTag) && (newSize === null || newSize === size);
  if (response.status !== 206 || !isSame || !beginsAt(response, from)) {
    await response.body?.cancel();
    throw new ReadError(
      `${url}: found another answer than before for bytes ${from} to ${to}, expected the file not to change while it is read`,
    );
  }
  let left = to - from;
  for await (const chunk of bodyChunks(response, options.signal)) {
    if (chunk.length > left) {
      throw new ReadError(
        `${url}: found more than ${to - from} bytes from byte ${from}, expected as many as asked for`,
      );
    }
    left -= chunk.length;
    yield chunk;
  }
}

async function* bodyChunks(response: Response, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { value } = await reader.read().catch((error: unknown) => {
        if (signal.aborted) throw new CancelledError();
        throw new CutError(error instanceof Error ? error.message : String(error));
      });
      if (value === undefined) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function wholeBody(response: Response, url: string, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of bodyChunks(response, new AbortController().signal)) {
      length += chunk.length;
      if (length > most) throw tooLarge(url, length, most);
      chunks.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof CutError)) throw error;
    throw new ReadError(
      `${url}: found that the connection was cut after ${length} bytes (${error.message}), expected the rest`,
    );
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The whole size out of `Content-Range: bytes 0-99/1234`; null where a server keeps it from pages. */
function sizeOf(response: Response): number | null {
  const size = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1];
  return size === undefined ? null : Number(size);
}

function beginsAt(response: Response, from: number): boolean {
  const begin = /^bytes (\d+)-/.exec(response.headers.get('Content-Range') ?? '')?.[1];
  return begin === undefined || Number(begin) === from;
}

async function askSize(url: string, options: RemoteOptions): Promise<number> {
  const response = await ask(url, options, {}, 'HEAD');
  const size = Number(response.headers.get('Content-Length') ?? Number.NaN);
  if (Number.isSafeInteger(size)) return size;
  throw new ReadError(
    `${url}: found an answer that does not say how large the file is, expected Content-Range or Content-Length`,
  );
}

/** An answer of success. Throws ReadError for any other, and when there is none. */
async function ask(
  url: string,
  { fetch, token, signal }: RemoteOptions,
  headers: Readonly<Record<string, string>>,
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Response> {
  const authorised = token ? { ...headers, Authorization: `Bearer ${token}` } : headers;
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: authorised,
      signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
  } catch (error) {
    if (signal.aborted) throw new CancelledError();
    const detail = error instanceof Error ? error.message : String(error);
    throw new ReadError(
      `${url}: found no answer (${detail}), expected the file; the address may be wrong, or the server does not let other pages read it (CORS)`,
    );
  }
  if (response.ok) return response;
  await response.body?.cancel();
  const { status } = response;
  if (status === 401 || status === 403) {
    const advice = token ? 'the token that was given does not open it' : 'it may need a token';
    throw new ReadError(`${url}: found HTTP status ${status}, expected the file; ${advice}`);
  }
  if (status === 416) throw new ReadError(`${url}: found HTTP status 416, expected the file; it may be empty`);
  throw new ReadError(`${url}: found HTTP status ${status}, expected the file`);
}
