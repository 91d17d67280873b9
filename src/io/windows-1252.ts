const decoder = new TextDecoder('windows-1252');

/** Any bytes as text, a character per byte, for recognising formats and for quoting. Bytes above 0x7f decide nothing. */
export function windows1252Text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
