import { CancelledError, ReadError } from '../../core/errors.ts';
import { quotedWords } from '../../core/error-messages.ts';
import { streamChunks } from '../source.ts';

// Requests to web servers, and the headers of responses that describe a file.

/** A secret token, and the one origin that may receive it. */
interface Credential {
  readonly token: string;
  /** as in `URL.origin` */
  readonly origin: string;
}

/** Options of a request. */
export interface HttpOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** sent with the requests to its origin, and never part of an address */
  readonly credential?: Credential | null;
  readonly signal: AbortSignal;
}

/** Thrown if a server answered with a status other than success. */
export class HttpStatusError extends ReadError {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Thrown if a server did not answer, as far as the browser reports. */
export class NoAnswerError extends ReadError {
  /** the browser's words */
  readonly detail: string;

  constructor(message: string, detail: string) {
    super(message);
    this.detail = detail;
  }
}

/** Thrown if a connection ended before its response was complete. */
export class InterruptedError extends Error {}

/**
 * A successful response. Throws ReadError for any other response, and for none. Whatever the address, a credential is
 * sent to its own origin only. A redirect to another origin drops it, as in the Fetch standard (HTTP-redirect fetch,
 * step 13).
 */
export async function request(
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
    const detail = quotedWords(error);
    throw new NoAnswerError(
      `${url}: found no answer (${detail}); the address may be wrong, or closed to other pages (CORS)`,
      detail,
    );
  }
  if (response.ok) return response;
  await response.body?.cancel();
  const { status } = response;
  throw new HttpStatusError(`${url}: found HTTP status ${status}${adviceOn(status, token)}`, status);
}

/** The end of an error message: the likely cause of a status; '' if there is none. */
function adviceOn(status: number, token: string | null): string {
  if (status === 401 || status === 403)
    return token === null ? '; it may need a token' : '; the token grants no access';
  return status === 416 ? '; it may be empty' : '';
}

/** The bytes of a response as they arrive. Throws InterruptedError if the connection ends early, and CancelledError. */
export async function* bodyChunks(response: Response, signal: AbortSignal): AsyncIterable<Uint8Array> {
  if (!response.body) return;
  yield* streamChunks(response.body, (error) =>
    signal.aborted ? new CancelledError() : new InterruptedError(quotedWords(error)),
  );
}

/** The whole size from `Content-Range: bytes 0-99/1234`; null if a server hides it from pages. */
export function sizeOf(response: Response): number | null {
  const size = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1];
  return size === undefined ? null : Number(size);
}

/** Whether a response begins at the byte `from`; true if a server hides it from pages. */
export function beginsAt(response: Response, from: number): boolean {
  const begin = /^bytes (\d+)-/.exec(response.headers.get('Content-Range') ?? '')?.[1];
  return begin === undefined || Number(begin) === from;
}

/** The server's validator, which changes with a file's content; null without one, or if it is hidden from pages. */
export function validatorOf(response: Response): string | null {
  return response.headers.get('ETag') ?? response.headers.get('Last-Modified');
}
