import { constants, deflateRawSync } from 'node:zlib';
import type { TestFile } from './files.ts';

/** The only member of the archive, of 6 GB by its header. */
function tarHeader(): Buffer {
  const header = Buffer.alloc(512);
  header.write('zeros.bin', 0);
  header.write('0000644\0', 100);
  header[124] = 0x80;
  header.writeBigUInt64BE(6_000_000_000n, 128);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** A .tar.gz of about 5 MB that unpacks to more than 4 GiB: 16 MiB of zeros, packed once and repeated. */
export function gzipBomb(name: string): TestFile {
  const flushed = { finishFlush: constants.Z_FULL_FLUSH, level: 9 };
  const zeros = deflateRawSync(Buffer.alloc(2 ** 24), flushed);
  const begin = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  const parts = [begin, deflateRawSync(tarHeader(), flushed), ...Array<Buffer>(270).fill(zeros)];
  return { name, mimeType: 'application/gzip', buffer: Buffer.concat(parts) };
}
