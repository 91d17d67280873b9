import { amount } from '../read-checks.ts';
import { openArchive, isSystemFile } from './archive.ts';
import { type Container, type ContainerContext, type ContainerFormat, randomAccess } from '../container.ts';
import { type FileSource, beyondEnd, nameText, type RandomAccessSource, readBytes, streamChunks } from '../source.ts';
import { ReadError } from '../../core/errors.ts';
import { counted } from '../../core/text/words.ts';
import { DecompressionLimitError, MAX_DECOMPRESSED_BYTES } from './decompression-limit.ts';
import { rejectMembers } from '../unsupported-kinds.ts';
import { Crc32 } from './crc32.ts';
import { decompress, MAX_RATIO } from './gzip.ts';

// Reads zip archives: their directory, and their members, whose size and checksum have to be as in the directory.

/** A file of a zip archive, from its directory. */
export interface ZipMember {
  readonly name: string;
  readonly method: 'stored' | 'deflated';
  readonly compressedSize: number;
  readonly size: number;
  readonly crc32: number;
  /** where its local header begins */
  readonly offset: number;
}

// Signatures with which the records of an archive begin, and the lengths of their fixed parts in bytes. The positions of
// fields inside records below are from APPNOTE 4.3.
const LOCAL_HEADER = { signature: 0x04034b50, bytes: 30 };
const DIRECTORY_ENTRY = { signature: 0x02014b50, bytes: 46 };
const END_RECORD = { signature: 0x06054b50, bytes: 22 };
const ZIP64_LOCATOR = { signature: 0x07064b50, bytes: 20 };
const ZIP64_END_RECORD = { signature: 0x06064b50, bytes: 56 };
const DIGITAL_SIGNATURE = 0x05054b50;

/** Maximum size of the end record, which ends with a comment of at most 2^16 - 1 bytes. */
const MAX_END_BYTES = END_RECORD.bytes + 2 ** 16;
const MAX_DIRECTORY_BYTES = 2 ** 26;
/** A member with a higher compression ratio is nearly all zeros: f32 with one non-zero in 100 has half this ratio. */
const EMPTY_RATIO = 100;
/** Id of the extra field with the 64-bit sizes and offset of an entry (zip64). */
const ZIP64_EXTRA = 1;

/** Whether a file begins like a zip archive. */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4;
}

/**
 * The members of an archive, from its directory (APPNOTE 6.3, with zip64). Throws ReadError for archives that are
 * truncated, split, encrypted, compressed by methods other than deflate, or that have two files of one name;
 * DecompressionLimitError for those with a member above `maxDecompressedBytes`.
 */
export async function readZipDirectory(source: RandomAccessSource, maxDecompressedBytes: number): Promise<ZipMember[]> {
  const { count, offset, size } = await readEnd(source);
  if (size > MAX_DIRECTORY_BYTES || offset + size > source.size) {
    throw new ReadError(
      `zip: found a directory of ${amount(size, 'byte')} at byte ${offset}, expected at most ${MAX_DIRECTORY_BYTES} within the file of ${source.size}`,
    );
  }
  const bytes = await readBytes(source, offset, offset + size);
  const members: ZipMember[] = [];
  const names = new Set<string>();
  let entryStart = 0;
  for (let i = 0; i < count; i++) {
    const { member, next } = readEntry(bytes, entryStart, offset);
    entryStart = next;
    if (member === null) continue;
    if (names.has(member.name)) throw new ReadError(`zip: found two members named '${member.name}'`);
    names.add(member.name);
    if (member.offset + member.compressedSize > source.size) {
      throw new ReadError(`zip, ${member.name}: ${beyondEnd(member.compressedSize, member.offset, source.size)}`);
    }
    // The size to which these compressed bytes can be decompressed.
    const maxSize = member.method === 'stored' ? member.compressedSize : member.compressedSize * MAX_RATIO;
    const max = Math.min(maxSize, maxBytesOf(member, maxDecompressedBytes));
    if (member.size > max) {
      const Rejection = member.size > maxSize ? ReadError : DecompressionLimitError;
      throw new Rejection(
        `zip, ${member.name}: found ${amount(member.size, 'byte')} decompressed, expected at most ${max}`,
      );
    }
    members.push(member);
  }
  // If the count is too low, files would be omitted silently.
  if (entryStart < size && !hasDigitalSignature(viewOf(bytes), entryStart)) {
    throw new ReadError(
      `zip: found ${counted(count, 'entry', 'entries')} in a directory of ${amount(size, 'byte')}, which ${count === 1 ? 'ends' : 'end'} at byte ${entryStart} of it, expected them to fill it`,
    );
  }
  return members;
}

/** Whether the digital signature of a directory begins at `position`. */
function hasDigitalSignature(view: DataView, position: number): boolean {
  return position + 4 <= view.byteLength && view.getUint32(position, true) === DIGITAL_SIGNATURE;
}

/** The size limit of a member: an eighth of the limit for nearly all zeros, unless the user has raised the limit. */
function maxBytesOf({ size, compressedSize }: ZipMember, maxDecompressedBytes: number): number {
  const isRaised = maxDecompressedBytes > MAX_DECOMPRESSED_BYTES;
  return isRaised || size < EMPTY_RATIO * compressedSize ? maxDecompressedBytes : maxDecompressedBytes / 8;
}

/** The content of a member, checked against its size and checksum when it is read to the end. */
export function zipMember(source: RandomAccessSource, member: ZipMember): FileSource & { readonly size: number } {
  const { name, size } = member;
  let position = 0;
  return {
    name,
    size,
    maxSize: size,
    position: () => ({ done: position, total: size }),
    async *chunks() {
      position = 0;
      const crc = new Crc32();
      for await (const chunk of contentChunks(source, member)) {
        position += chunk.length;
        if (position > size) break;
        crc.feed(chunk);
        yield chunk;
      }
      if (position !== size) {
        const found = position > size ? `more than ${size}` : String(position);
        throw new ReadError(`zip, ${name}: found ${amount(found, 'byte')}, expected ${size}`);
      }
      if (crc.value !== member.crc32) {
        throw new ReadError(`zip, ${name}: found the checksum ${crc.value}, expected ${member.crc32}`);
      }
    },
  };
}

/** The bytes of a member as stored, still compressed if it is; neither size nor checksum are compared. */
export async function zipContent(
  source: RandomAccessSource,
  { name, offset, compressedSize }: ZipMember,
): Promise<RandomAccessSource> {
  const header = viewOf(await readBytes(source, offset, offset + LOCAL_HEADER.bytes));
  if (header.getUint32(0, true) !== LOCAL_HEADER.signature) {
    throw new ReadError(`zip, ${name}: found no local header at byte ${offset}`);
  }
  const [nameLength, extraLength] = [header.getUint16(26, true), header.getUint16(28, true)];
  const start = offset + LOCAL_HEADER.bytes + nameLength + extraLength;
  if (start + compressedSize > source.size) {
    throw new ReadError(`zip, ${name}: ${beyondEnd(compressedSize, start, source.size)}`);
  }
  return source.slice(start, start + compressedSize);
}

/** The bytes of a member, decompressed. */
async function* contentChunks(source: RandomAccessSource, member: ZipMember): AsyncIterable<Uint8Array> {
  const { name } = member;
  const content = await zipContent(source, member);
  if (member.method === 'stored') {
    yield* content.chunks();
    return;
  }
  yield* streamChunks(decompress(content, 'deflate-raw'), (error) =>
    error instanceof ReadError ? error : new ReadError(`zip, ${name}: found a broken deflate stream`),
  );
}

/** The number of entries, the offset and the size of the directory, from the end record at the end of the file. */
async function readEnd(source: RandomAccessSource): Promise<{ count: number; offset: number; size: number }> {
  const start = Math.max(0, source.size - MAX_END_BYTES);
  const tail = await readBytes(source, start, source.size);
  const view = viewOf(tail);
  for (let position = tail.length - END_RECORD.bytes; position >= 0; position--) {
    if (view.getUint32(position, true) !== END_RECORD.signature) continue;
    const disk = view.getUint16(position + 4, true);
    if (disk !== 0 && disk !== 0xffff) {
      throw new ReadError('zip: found one part of a split archive, expected a whole one');
    }
    const zip64 = await readZip64End(source, start + position - ZIP64_LOCATOR.bytes);
    return (
      zip64 ?? {
        count: view.getUint16(position + 10, true),
        size: view.getUint32(position + 12, true),
        offset: view.getUint32(position + 16, true),
      }
    );
  }
  throw new ReadError(`byte ${source.size}: found the end, expected a zip directory`);
}

/** Reads the zip64 end record; null if there is no zip64 locator at `locatorAt`. */
async function readZip64End(
  source: RandomAccessSource,
  locatorAt: number,
): Promise<{ count: number; offset: number; size: number } | null> {
  if (locatorAt < 0) return null;
  const locator = viewOf(await readBytes(source, locatorAt, locatorAt + ZIP64_LOCATOR.bytes));
  if (locator.getUint32(0, true) !== ZIP64_LOCATOR.signature) return null;
  const { signature, bytes } = ZIP64_END_RECORD;
  const position = u64At(locator, 8);
  if (position + bytes > source.size)
    throw new ReadError(`zip, end record: ${beyondEnd(bytes, position, source.size)}`);
  const end = viewOf(await readBytes(source, position, position + bytes));
  if (end.getUint32(0, true) !== signature) throw new ReadError(`zip: found no end record at byte ${position}`);
  return {
    count: u64At(end, 32),
    size: u64At(end, 40),
    offset: u64At(end, 48),
  };
}

/**
 * Reads the entry at `position` of the directory, which begins at byte `base` of the file. `member` is null for a folder and for a
 * system file; `next`: where the next entry begins.
 */
function readEntry(bytes: Uint8Array, position: number, base: number): { member: ZipMember | null; next: number } {
  const view = viewOf(bytes);
  const where = `byte ${base + position}`;
  if (position + DIRECTORY_ENTRY.bytes > bytes.length || view.getUint32(position, true) !== DIRECTORY_ENTRY.signature) {
    throw new ReadError(`${where}: found no zip directory entry`);
  }
  const nameLength = view.getUint16(position + 28, true);
  const nameStart = position + DIRECTORY_ENTRY.bytes;
  const extraStart = nameStart + nameLength;
  const extraEnd = extraStart + view.getUint16(position + 30, true);
  const next = extraEnd + view.getUint16(position + 32, true);
  if (next > bytes.length) throw new ReadError(`${where}: found an entry beyond the zip directory`);
  const name = nameText(bytes.subarray(nameStart, extraStart));
  if (name.endsWith('/') || isSystemFile(name)) return { member: null, next };
  if (view.getUint16(position + 8, true) & 1) throw new ReadError(`zip, ${name}: found an encrypted file`);
  const methodCode = view.getUint16(position + 10, true);
  if (methodCode !== 0 && methodCode !== 8) {
    throw new ReadError(`zip, ${name}: found compression method ${methodCode}, expected 0 (stored) or 8 (deflate)`);
  }
  const [size, compressedSize, offset] = zip64Fields(
    view,
    [view.getUint32(position + 24, true), view.getUint32(position + 20, true), view.getUint32(position + 42, true)],
    extraStart,
    extraEnd,
  );
  const method = methodCode === 0 ? 'stored' : 'deflated';
  return { member: { name, method, size, compressedSize, offset, crc32: view.getUint32(position + 16, true) }, next };
}

/** The fields of an entry; the values of fields that are 0xffffffff are in its zip64 extra field, in the same order. */
function zip64Fields(view: DataView, fields: readonly number[], start: number, end: number): readonly number[] {
  for (let position = start; position + 4 <= end;) {
    const id = view.getUint16(position, true);
    const extraEnd = position + 4 + view.getUint16(position + 2, true);
    if (id === ZIP64_EXTRA && extraEnd <= end) {
      let next = position + 4;
      return fields.map((field) => {
        if (field !== 0xffffffff || next + 8 > extraEnd) return field;
        next += 8;
        return u64At(view, next - 8);
      });
    }
    position = extraEnd;
  }
  return fields;
}

/** Reads a number of 64 bits. Throws ReadError, with its digits, if it is 2^53 or more. */
function u64At(view: DataView, position: number): number {
  const value = view.getBigUint64(position, true);
  if (value >= 2n ** 53n) throw new ReadError(`zip: found ${value} as a size or position, expected below 2^53`);
  return Number(value);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** A zip archive of matrix files. Archives of NumPy and PyTorch are zip too, and recognised before this format. */
export const zip: ContainerFormat = {
  id: 'zip',
  title: 'zip archive',
  extensions: ['.zip'],
  reads: 'parts',
  sniff: isZip,
  open,
};

async function open(source: FileSource, context: ContainerContext): Promise<Container> {
  const file = randomAccess(source, 'a zip archive');
  const members = await readZipDirectory(file, context.maxDecompressedBytes);
  rejectMembers(members.map(({ name }) => name));
  return openArchive(
    'zip',
    members.map((member) => ({ ...member, open: () => zipMember(file, member) })),
    context,
  );
}
