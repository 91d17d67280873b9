const decoder = new TextDecoder('windows-1252');

/**
 * Any bytes as text, a character per byte, for recognising formats and for quoting. No decision about a file depends on bytes
 * above 0x7f, except for the byte order mark of UTF-8.
 */
export function windows1252Text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
