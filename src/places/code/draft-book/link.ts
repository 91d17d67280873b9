import { DRAFT_BOUNDS } from '../../../core/bounds/bounds.ts';
import { checkBound } from '../../../core/bounds/check.ts';
import { SparseScopeError } from '../../../core/errors.ts';
import { countText } from '../../../core/story/words.ts';
import type { PortableDraft } from './draft.ts';
import { draftText, parseDraft } from './file.ts';

const IN_LINK = 'The draft in the link';

/** Compressed bytes fed in at a time: each may inflate a thousandfold, and output only arrives once all have. */
const SLICE_BYTES = 64;

/** The draft for an address: its text, deflated, as base64url. */
export async function draftCode(draft: PortableDraft): Promise<string> {
  const stream = new Blob([draftText(draft)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The draft in an address. Rejects with SparseScopeError if there is none, or if it inflates to too much. */
export async function draftOfCode(code: string): Promise<PortableDraft> {
  checkBound(IN_LINK, code.length, DRAFT_BOUNDS.code, 'characters');
  const text = await inflated(code);
  if (text === null) {
    throw new SparseScopeError(
      `${IN_LINK}: found more than the ${countText(DRAFT_BOUNDS.length)} characters that a draft may have`,
    );
  }
  return parseDraft(IN_LINK, text);
}

/** The text of a link; null if it exceeds the limit for drafts, where unpacking stops. */
async function inflated(code: string): Promise<string | null> {
  let text = '';
  try {
    const binary = atob(code.replaceAll('-', '+').replaceAll('_', '/'));
    const reader = slices(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)))
      .pipeThrough(new DecompressionStream('deflate-raw'))
      .pipeThrough(new TextDecoderStream())
      .getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      // A few bytes may unpack to gigabytes.
      if (text.length > DRAFT_BOUNDS.length) {
        await reader.cancel();
        return null;
      }
    }
  } catch {
    throw new SparseScopeError(`${IN_LINK} cannot be read: the link is incomplete; ask for it again`);
  }
  return text;
}

/** The bytes in small chunks, on demand. */
function slices(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, (at += SLICE_BYTES)));
    },
  });
}
