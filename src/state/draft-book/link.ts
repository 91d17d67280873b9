import { DRAFT_BOUNDS } from '../../core/bounds/bounds.ts';
import { SparseScopeError } from '../../core/errors.ts';
import type { PortableDraft } from './draft.ts';
import { draftText, parseDraft } from './file.ts';

/** The draft for an address: its text, deflated, in the letters of base64url. */
export async function draftCode(draft: PortableDraft): Promise<string> {
  const stream = new Blob([draftText(draft)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The draft in an address. Rejects with SparseScopeError where there is none, or one that unpacks to too much. */
export async function draftOfCode(code: string): Promise<PortableDraft> {
  return parseDraft('The draft in the link', await inflated(code));
}

async function inflated(code: string): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  try {
    const binary = atob(code.replaceAll('-', '+').replaceAll('_', '/'));
    const stream = new Blob([Uint8Array.from(binary, (letter) => letter.charCodeAt(0))])
      .stream()
      .pipeThrough(new DecompressionStream('deflate-raw'))
      .pipeThrough(new TextDecoderStream());
    const reader = stream.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      length += part.value.length;
      // A few bytes may unpack to gigabytes.
      if (length > DRAFT_BOUNDS.length) {
        await reader.cancel();
        break;
      }
    }
  } catch {
    throw new SparseScopeError('The draft in the link cannot be read: the link is not whole; ask for it again');
  }
  return parts.join('');
}
