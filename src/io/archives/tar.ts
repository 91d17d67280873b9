import { amount } from '../read-checks.ts';
import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { isSystemFile, openArchive } from './archive.ts';
import type { Container, ContainerContext, ContainerFormat } from '../container.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import { type FileSource, isRandomAccess, nameText, sequentialPart } from '../source.ts';

// Reads tar archives: headers of 512 bytes, each followed by the file's content, padded to whole blocks of 512 bytes.

/** A file in a tar archive: `size` bytes from byte `from` of the archive. */
interface TarMember {
  readonly name: string;
  readonly from: number;
  readonly size: number;
}

const BLOCK = 512;

/** A field of a header: its offset and length, in bytes. */
type Field = readonly [offset: number, length: number];

const FIELD = { name: [0, 100], size: [124, 12], checksum: [148, 8], mark: [257, 5], prefix: [345, 155] } as const;
/** Offset of the type, one byte. */
const TYPE_AT = 156;
const MAX_MEMBERS = 100_000;
/** Maximum bytes of an extension before a file's header: a long name, or a block of pax records. */
const MAX_EXTENSION_BYTES = 2 ** 16;

/**
 * Types of extension headers, which describe the next file or all files: GNU long name ('L') and long link ('K'), pax records
 * of one file ('x') and of all ('g').
 */
const EXTENSIONS: ReadonlySet<string> = new Set(['L', 'K', 'x', 'g']);

/** Whether a file begins with a header: ustar, of POSIX or GNU, or Version 7, which has no mark but a checksum. */
function isTar(head: Uint8Array): boolean {
  return isUstar(head) || isVersion7(head);
}

function isUstar(head: Uint8Array): boolean {
  return textAt(head, FIELD.mark) === 'ustar';
}

/** Whether a block is a header of Version 7: a name, and a checksum of its bytes in octal digits. */
function isVersion7(head: Uint8Array): boolean {
  return head.length >= BLOCK && head[0] !== 0 && !isUstar(head) && octal(head, FIELD.checksum) === checksum(head);
}

/** A tar archive of matrix files; preferred: name/name.mtx, as in SuiteSparse. Compressed, read to list and to open. */
export const tar: ContainerFormat = {
  id: 'tar',
  title: 'tar archive',
  extensions: ['.tar', '.tgz'],
  reads: 'stream',
  sniff: isTar,
  open,
};

async function open(source: FileSource, context: ContainerContext): Promise<Container> {
  const blocks = new Blocks(source, context.job);
  // Closed even if the tar is rejected: otherwise its request would stay open.
  const members = await readMembers(blocks).finally(() => blocks.close());
  return openArchive(
    'tar',
    members.map((member) => ({ ...member, open: () => partOf(source, member) })),
    context,
  );
}

/** The content of a file in the archive. */
function partOf(source: FileSource, { name, from, size }: TarMember): FileSource {
  if (!isRandomAccess(source)) return sequentialPart(source, name, from, size);
  return { ...source.slice(from, from + size), name };
}

/** Walks through the headers: Version 7, ustar with prefix, GNU long names, pax path and size. Throws ReadError. */
async function readMembers(blocks: Blocks): Promise<readonly TarMember[]> {
  const members: TarMember[] = [];
  const names = new Set<string>();
  let longName: string | null = null;
  let paxSize: number | null = null;
  for (;;) {
    const headerStart = blocks.position;
    const header = await blocks.take(BLOCK);
    // A block of zeros, or no block, marks the end.
    if (!header.some((b) => b !== 0)) {
      await blocks.finish();
      break;
    }
    if (header.length < BLOCK) throw new ReadError(`tar, byte ${headerStart}: found the end, expected a header`);
    if (!isTar(header) || octal(header, FIELD.checksum) !== checksum(header)) {
      throw new ReadError(`tar, byte ${headerStart}: found a wrong checksum`);
    }
    // In Version 7 a folder is a file whose name ends with a slash.
    const isFolder = isVersion7(header) && nameOf(header).endsWith('/');
    const type = isFolder ? '5' : String.fromCharCode(header[TYPE_AT] || 0x30);
    const isExtension = EXTENSIONS.has(type);
    const size: number = (isExtension ? null : paxSize) ?? octal(header, FIELD.size);
    if (!Number.isSafeInteger(size)) {
      throw new ReadError(`tar, byte ${headerStart + FIELD.size[0]}: found no size, expected octal digits`);
    }
    const paddedSize = Math.ceil(size / BLOCK) * BLOCK;
    // The content of an extension describes the next file: its long name, or its pax records.
    if (isExtension) {
      if (size > MAX_EXTENSION_BYTES) {
        throw new ReadError(
          `tar, byte ${headerStart}: found an extension of ${amount(size, 'byte')}, expected at most ${MAX_EXTENSION_BYTES}`,
        );
      }
      const bytes = await blocks.take(paddedSize);
      const text = nameText(bytes.subarray(0, size));
      if (type === 'L') longName = textAt(bytes, [0, size]);
      else if (type === 'x') {
        if (/\d GNU\.sparse\./.test(text)) throw sparseFileError(headerStart);
        longName = /(?:^|\n)\d+ path=(.*)\n/.exec(text)?.[1] ?? longName;
        const record = /(?:^|\n)\d+ size=(\d+)\n/.exec(text)?.[1];
        if (record !== undefined) paxSize = Number(record);
      }
      continue;
    }
    const name = longName ?? nameOf(header);
    if (type === 'S') throw sparseFileError(headerStart);
    // Types '0' and '7' are files; folders, links and devices are skipped.
    if ((type === '0' || type === '7') && !isSystemFile(name)) {
      if (names.has(name)) throw new ReadError(`tar, byte ${headerStart}: found '${name}' twice`);
      names.add(name);
      members.push({ name, from: blocks.position, size });
      if (members.length > MAX_MEMBERS) throw new ReadError(`tar: found more than ${MAX_MEMBERS} files`);
    }
    longName = null;
    paxSize = null;
    if ((await blocks.skip(paddedSize)) < size)
      throw new ReadError(`tar, ${name}: found the end, expected ${amount(size, 'byte')}`);
  }
  return members;
}

/** The error for a sparse GNU file: its content is a list of pieces, and the gaps between them are omitted. */
function sparseFileError(at: number): ReadError {
  return new ReadError(`tar, byte ${at}: found a file stored with holes; pack it without --sparse`);
}

/** The name in a header, with the prefix of ustar. */
function nameOf(header: Uint8Array): string {
  const prefix = isUstar(header) ? textAt(header, FIELD.prefix) : '';
  const name = textAt(header, FIELD.name);
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** The text of a field, up to the first byte 0. */
function textAt(header: Uint8Array, [at, length]: Field): string {
  const end = header.subarray(at, at + length).indexOf(0);
  return nameText(header.subarray(at, at + (end < 0 ? length : end)));
}

/** A number in octal digits, or in binary after a byte 0x80 (GNU, above 8 GiB); NaN for anything else. */
function octal(header: Uint8Array, field: Field): number {
  const [at, length] = field;
  if (header[at] === 0x80) return header.subarray(at + 1, at + length).reduce((n, b) => n * 256 + b, 0);
  const text = textAt(header, field).trim();
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
}

/** The sum of the header's bytes, with spaces instead of the checksum. */
function checksum(header: Uint8Array): number {
  const [start, length] = FIELD.checksum;
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += i >= start && i < start + length ? 0x20 : header[i];
  return sum;
}

/** Reads and skips bytes of a source; with random access, skipped bytes are not read. */
class Blocks {
  readonly #source: FileSource;
  readonly #job: Job;
  readonly #pacer = new Pacer();
  #chunks: AsyncIterator<Uint8Array> | null = null;
  /** bytes of the current chunk that were not read yet */
  #unread: Uint8Array = new Uint8Array(0);
  /** offset of the next byte in the source */
  position = 0;

  constructor(source: FileSource, job: Job) {
    this.#source = source;
    this.#job = job;
  }

  /** The next bytes, fewer at the end. */
  async take(length: number): Promise<Uint8Array> {
    const out = new Uint8Array(length);
    let filled = 0;
    while (filled < length && (await this.#fill())) {
      const part = this.#unread.subarray(0, length - filled);
      out.set(part, filled);
      filled += part.length;
      this.#unread = this.#unread.subarray(part.length);
    }
    this.position += filled;
    return out.subarray(0, filled);
  }

  /** Skips bytes; returns how many, fewer at the end. */
  async skip(length: number): Promise<number> {
    if (isRandomAccess(this.#source) && length > this.#unread.length) {
      const end = Math.min(this.#source.size, this.position + length);
      const skipped = end - this.position;
      this.close();
      this.#unread = new Uint8Array(0);
      this.#chunks = this.#source.slice(end, this.#source.size).chunks()[Symbol.asyncIterator]();
      this.position = end;
      return skipped;
    }
    let skipped = 0;
    while (skipped < length && (await this.#fill())) {
      const n = Math.min(this.#unread.length, length - skipped);
      this.#unread = this.#unread.subarray(n);
      skipped += n;
    }
    this.position += skipped;
    return skipped;
  }

  /** Reads to the end of a stream, where gzip compares the checksum of the whole archive. */
  async finish(): Promise<void> {
    if (!isRandomAccess(this.#source)) await this.skip(Number.POSITIVE_INFINITY);
  }

  close(): void {
    void this.#chunks?.return?.();
  }

  /** Reads the next chunk into `#unread` if that is empty. Returns false at the end of the source. */
  async #fill(): Promise<boolean> {
    throwIfCancelled(this.#job);
    this.#job.report({ what: 'Reading', ...this.#source.position() });
    await this.#pacer.pauseIfDue();
    this.#chunks ??= this.#source.chunks()[Symbol.asyncIterator]();
    while (this.#unread.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done) return false;
      this.#unread = value;
    }
    return true;
  }
}
