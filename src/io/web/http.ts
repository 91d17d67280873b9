import { CancelledError, ReadError } from '../../core/errors.ts';

/** A secret, and the one origin that it is for. */
export interface Credential {
  readonly token: string;
  /** as `URL.origin` has it */
  readonly origin: string;
}

/** How a server is asked. */
export interface HttpOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** sent with the requests to its origin, and in no address */
  readonly credential?: Credential | null;
  readonly signal: AbortSignal;
}

/** A server that answered with a status other than success. */
export class HttpStatusError extends ReadError {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** A connection that ended before its answer did. */
export class CutError extends Error {}

/**
 * An answer of success. Throws ReadError for any other, and when there is none. Whatever address is asked for, and
 * whoever has made it: a credential goes to its own origin alone. A redirect to another one loses it, as the Fetch
 * standard has it (HTTP-redirect fetch, step 13).
 */
export async function ask(
  url: string,
  { fetch, credential, signal }: HttpOptions,
  headers: Readonly<Record<string, string>>,
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Response> {
  const token = credential && new URL(url).origin === credential.origin ? credential.token : null;
  const authorised = token === null ? headers : { ...headers, Authorization: `Bearer ${token}` };
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
    const advice = token !== null ? 'the token given does not grant access' : 'it may need a token';
    throw new HttpStatusError(`${url}: found HTTP status ${status}, expected the file; ${advice}`, status);
  }
  const advice = status === 416 ? '; it may be empty' : '';
  throw new HttpStatusError(`${url}: found HTTP status ${status}, expected the file${advice}`, status);
}

/** The bytes of an answer as they come. Throws CutError when the connection ends before, and CancelledError. */
export async function* bodyChunks(response: Response, signal: AbortSignal): AsyncIterable<Uint8Array> {
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

/** The whole size out of `Content-Range: bytes 0-99/1234`; null where a server keeps it from pages. */
export function sizeOf(response: Response): number | null {
  const size = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1];
  return size === undefined ? null : Number(size);
}

/** Whether an answer begins at the byte `from`, as far as it says where. */
export function beginsAt(response: Response, from: number): boolean {
  const begin = /^bytes (\d+)-/.exec(response.headers.get('Content-Range') ?? '')?.[1];
  return begin === undefined || Number(begin) === from;
}

/** What changes with the content of a file, as the server tells it; null where it does not, or hides it from pages. */
export function validatorOf(response: Response): string | null {
  return response.headers.get('ETag') ?? response.headers.get('Last-Modified');
}
