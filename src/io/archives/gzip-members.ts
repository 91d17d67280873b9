import { amount } from '../read-checks.ts';
import { Gunzip } from 'fflate';
import { ReadError } from '../../core/errors.ts';
import { quotedWords } from '../../core/error-messages.ts';
import { joinedBytes } from '../source.ts';
import { Crc32 } from './crc32.ts';

/** Decompresses a gzip file of several members, checking checksums and lengths. Zeros may follow. Throws ReadError. */
export async function* gunzipMembers(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let yielded = 0;
  const broken = (reason: string): ReadError =>
    new ReadError(
      `gzip: found a broken stream after ${amount(yielded, 'decompressed byte')} (${reason}), expected whole gzip members`,
    );
  let content: Uint8Array[] = [];
  let crc = new Crc32();
  let length = 0;
  /** the newest bytes of the file, and their position in it */
  let recent = new Uint8Array(0);
  let recentStart = 0;

  /** Whether the trailer of the member just unpacked ends at byte `end`. */
  const endsAt = (end: number): boolean => {
    const at = end - recentStart - TRAILER_BYTES;
    if (at < 0 || end - recentStart > recent.length) return false;
    const view = new DataView(recent.buffer, recent.byteOffset);
    return view.getUint32(at, true) === crc.value && view.getUint32(at + 4, true) === length;
  };
  /** Whether only zeros follow the trailer, which may itself end with zeros. */
  const endsWithZeros = (): boolean => {
    const zerosAt = recentStart + recent.findLastIndex((byte) => byte !== 0) + 1;
    for (let end = zerosAt; end <= zerosAt + TRAILER_BYTES; end++) if (endsAt(end)) return true;
    return false;
  };

  const gunzip = new Gunzip((chunk) => {
    content.push(chunk); // bounded: the content of a piece
    crc.feed(chunk);
    length = (length + chunk.length) >>> 0;
  });
  gunzip.onmember = (start) => {
    if (!endsAt(start)) throw broken(`a wrong checksum before byte ${start}`);
    crc = new Crc32();
    length = 0;
  };
  let hasEnded = false;
  const push = (piece: Uint8Array, isLast: boolean): void => {
    try {
      gunzip.push(piece, isLast);
    } catch (error) {
      if (error instanceof ReadError) throw error;
      hasEnded = endsWithZeros();
      if (!hasEnded) throw broken(quotedWords(error));
    }
  };

  for await (const piece of pieces) {
    const kept = recent.subarray(-KEPT_BYTES);
    recentStart += recent.length - kept.length;
    recent = joinedBytes([kept, piece]);
    if (hasEnded) {
      if (piece.some((byte) => byte !== 0)) throw broken('other bytes behind its end');
      continue;
    }
    push(piece, false);
    for (const chunk of content) {
      yielded += chunk.length;
      yield chunk;
    }
    content = [];
  }
  if (hasEnded) return;
  push(new Uint8Array(0), true);
  if (!endsWithZeros()) throw broken('a wrong checksum');
}

/** Bytes after the content of a member: its checksum and its length. */
const TRAILER_BYTES = 8;
/** Bytes that are examined again with the next piece: a trailer, and the header after it, which may contain names. */
const KEPT_BYTES = 2 ** 17;
