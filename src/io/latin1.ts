const decoder = new TextDecoder('latin1');

/** Any number of bytes as text, a character per byte. */
export function latin1Text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
