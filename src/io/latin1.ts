const decoder = new TextDecoder('latin1');

/** Bytes, however many, as text of as many characters: those of ASCII are what they are. */
export function latin1Text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
