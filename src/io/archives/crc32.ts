/** CRC-32 of ISO 3309, as zip archives and gzip use it, fed piece by piece. */
export class Crc32 {
  #crc = 0xffffffff;

  feed(bytes: Uint8Array): void {
    let crc = this.#crc;
    for (let i = 0; i < bytes.length; i++) crc = TABLE[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
    this.#crc = crc;
  }

  get value(): number {
    return ~this.#crc >>> 0;
  }
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});
