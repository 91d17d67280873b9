// Texts in links: compressed with deflate and written as base64url; unpacking is bounded.

import { checkBound } from '../../../src/core/bounds/check.ts';
import { SparseScopeError } from '../../../src/core/errors.ts';
import { countText } from '../../../src/core/text/words.ts';

/** Limits on a text in a link. */
export interface LinkBounds {
  /** characters in the link */
  readonly code: number;
  /** characters of the text */
  readonly length: number;
}

/** Compressed bytes per write: few, since the whole output of a write, up to 1000 times as long, arrives at once. */
const CHUNK_BYTES = 64;

/** Returns the text deflated, as base64url, for an address. */
export async function deflatedText(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Returns the inflated text of `code`. `what` begins the message of an error: 'The draft in the link'.
 * Rejects with SparseScopeError if `code` cannot be inflated, or if `code` or the text is too long.
 */
export async function inflatedText(what: string, code: string, bounds: LinkBounds): Promise<string> {
  checkBound(what, code.length, bounds.code, 'characters');
  let text = '';
  try {
    const binary = atob(code.replaceAll('-', '+').replaceAll('_', '/'));
    const reader = chunksOf(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
      .pipeThrough(new DecompressionStream('deflate-raw'))
      .pipeThrough(new TextDecoderStream())
      .getReader();
    // Stops at the bound: a few bytes may unpack to gigabytes.
    for (let part = await reader.read(); !part.done && text.length <= bounds.length; part = await reader.read()) {
      text += part.value;
    }
    if (text.length > bounds.length) await reader.cancel();
  } catch {
    throw new SparseScopeError(`${what} cannot be read: the link is incomplete`);
  }
  if (text.length > bounds.length) {
    throw new SparseScopeError(`${what}: found more than ${countText(bounds.length)} characters`);
  }
  return text;
}

/** The bytes in small chunks, on demand. */
function chunksOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(offset, (offset += CHUNK_BYTES)));
    },
  });
}
