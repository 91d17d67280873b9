const decoder = new TextDecoder('windows-1252');

/**
 * Any number of bytes as text, a character per byte, for sniffing and for quoting what was found. What is said of a file
 * never depends on bytes above 0x7f, but for the mark of UTF-8 at its beginning.
 */
export function windows1252Text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
