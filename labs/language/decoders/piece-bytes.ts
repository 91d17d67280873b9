/** UTF-8 bytes of a token for display, which has each byte of an incomplete letter as `<0xE2>`. */
export function bytesOfPiece(piece: string): Uint8Array {
  return /^(?:<0x[\dA-F]{2}>)+$/.test(piece)
    ? Uint8Array.from(piece.matchAll(/[\dA-F]{2}/g), ([hex]) => Number.parseInt(hex, 16))
    : new TextEncoder().encode(piece);
}
