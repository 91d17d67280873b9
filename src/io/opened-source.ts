import { ReadError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import type { Container, ContainerContext, ContainerFormat } from './container.ts';
import { rejectByName, rejectUnsupported } from './unsupported-kinds.ts';
import { csv } from './text/csv.ts';
import { isTable } from './text/table-head.ts';
import { DeclaredSizeError, DecompressionLimitError, MAX_DECOMPRESSED_BYTES } from './archives/decompression-limit.ts';
import type { FileFormat, LinesAs, MatrixCount, ReadResult } from './file-format.ts';
import { gguf } from './tensors/gguf.ts';
import { gunzipped, isGzip, MAX_RATIO } from './archives/gzip.ts';
import { mtx } from './text/mtx.ts';
import { npy } from './numpy/npy.ts';
import { npz } from './numpy/npz.ts';
import { safetensorsIndex } from './tensors/safetensors-index.ts';
import { safetensors } from './tensors/safetensors.ts';
import { smtx } from './text/smtx.ts';
import { torch } from './tensors/torch.ts';
import { type FileSource, fromUtf16, isRandomAccess, readHead, utf16Of } from './source.ts';
import { tar } from './archives/tar.ts';
import { unpackedSource } from './archives/unpacked-source.ts';
import { zip } from './archives/zip.ts';

// Opens one file of any supported format: recognises the format by the content or the name, and decompresses gzip.

/** The supported formats with one matrix per file, in the order in which they are tried. */
const FORMATS: readonly FileFormat[] = [npy, mtx, smtx, csv];
// A pickle may contain the name of an .npy, by which an .npz is recognised.
const CONTAINERS: readonly ContainerFormat[] = [torch, npz, safetensors, safetensorsIndex, gguf, tar, zip];
const ALL_FORMATS = [...FORMATS, ...CONTAINERS];
/** The formats of text: their readers check the content. */
const TEXT_FORMATS: typeof ALL_FORMATS = [mtx, smtx, csv, safetensorsIndex];

/** Endings of the names of supported files. Any program writes .bin, so that only the content of such a file counts. */
export const OPENED_EXTENSIONS: readonly string[] = [
  ...ALL_FORMATS.flatMap((f) => f.extensions),
  '.gz',
  '.json',
  '.bin',
];

/** The supported formats, for messages: 'Matrix Market (.mtx, .mm), ... or one of these in gzip (.gz)'. */
const READ_KINDS = `${ALL_FORMATS.map(({ title, extensions }) => `${title} (${extensions.join(', ')})`).join(', ')}, or one of these in gzip (.gz)`;

/** Bytes at the beginning by which a format is recognised. */
export const HEAD_BYTES = 512;

/** Whether the beginning of a file, or its name, indicates a supported format. */
export function isKnownFormat(head: Uint8Array, name: string): boolean {
  try {
    formatOf(head, name);
    return true;
  } catch (error) {
    if (error instanceof ReadError) return false;
    throw error;
  }
}

/** How a file is opened. */
interface OpenOptions {
  /** maximum size of a compressed file once decompressed; default: 4 GiB */
  readonly maxDecompressedBytes?: number;
  /** how the lines of a text table are read */
  readonly as?: LinesAs | '0.2';
}

/** A file whose format is known: one matrix, still to be read, or the list of its tensors. */
export type OpenedSource =
  | {
      readonly kind: 'matrix';
      readonly format: string;
      /** whether it is a table of text, whose lines can be read in several ways */
      readonly hasLines: boolean;
      read(job: Job): Promise<ReadResult>;
      /** absent: the matrix has to be read */
      count?(job: Job): Promise<MatrixCount>;
    }
  | { readonly kind: 'container'; readonly format: string; readonly container: Container };

/** Opens a file, decompressed if it is gzip. */
export async function openSource(
  source: FileSource,
  sibling: ContainerContext['sibling'],
  options: OpenOptions,
  job: Job,
): Promise<OpenedSource> {
  const maxDecompressedBytes = options.maxDecompressedBytes ?? MAX_DECOMPRESSED_BYTES;
  const context: ContainerContext = {
    job,
    maxDecompressedBytes,
    sibling,
    readInner: (inner, reading) => readInner(inner, reading, options.as),
    openInner: (inner) => openInner(inner, context),
  };
  const outerHead = await readHead(source, HEAD_BYTES);
  if (outerHead.length === 0) throw new ReadError('found an empty file');
  if (!isGzip(outerHead)) return openPlain(source, outerHead, '', context, options.as);
  const inner = gunzipped(source, maxDecompressedBytes);
  const head = await readHead(inner, HEAD_BYTES);
  if (head.length === 0) throw new ReadError('found an empty file inside gzip');
  const opened = await openPlain(inner, head, '.gz', context, options.as);
  // If gzip could unpack to more than the limit, a larger declared size means a low limit rather than a broken file.
  const isLimited = source.maxSize * MAX_RATIO > maxDecompressedBytes;
  if (opened.kind === 'container' || !isLimited) return opened;
  const limited = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw error instanceof DeclaredSizeError ? new DecompressionLimitError(error.message) : error;
    });
  const { count } = opened;
  return {
    ...opened,
    read: (reading) => limited(opened.read(reading)),
    ...(count && { count: (counting: Job) => limited(count(counting)) }),
  };
}

/** Opens a file that is not compressed, or no longer; `ending` ('.gz' or '') is appended to the id of its format. */
async function openPlain(
  source: FileSource,
  head: Uint8Array,
  ending: string,
  context: ContainerContext,
  as: OpenOptions['as'],
): Promise<OpenedSource> {
  const { format, decoded, notes } = await recognise(source, head);
  const formatId = `${format.id}${ending}`;
  if ('read' in format) {
    const { count } = format;
    return {
      kind: 'matrix',
      format: formatId,
      hasLines: format === csv,
      read: async (job) => withNotes(await format.read(decoded, job, as), notes),
      ...(count && { count: async (job: Job) => withNotes(await count(decoded, job), notes) }),
    };
  }
  return { kind: 'container', format: formatId, container: await openContainer(format, decoded, context) };
}

/** Opens a container; a stream is unpacked first if the format needs random access. */
async function openContainer(
  format: ContainerFormat,
  source: FileSource,
  context: ContainerContext,
): Promise<Container> {
  const isReady = format.reads === 'stream' || isRandomAccess(source);
  return format.open(isReady ? source : await unpackedSource(source, format.title, context.job), context);
}

/** Opens a container inside an archive, which may not contain further ones. */
async function openInner(source: FileSource, context: ContainerContext): Promise<Container> {
  const format = formatOf(await readHead(source, HEAD_BYTES), source.name);
  if ('read' in format || format === zip || format === tar) {
    throw new ReadError(
      `${source.name}: found a ${format.title} inside an archive, expected the kind that its name states`,
    );
  }
  return openContainer(format, source, context);
}

/** Reads a matrix file inside an archive: neither an archive nor a compressed file. */
async function readInner(source: FileSource, job: Job, as: OpenOptions['as']): Promise<ReadResult> {
  const { format, decoded, notes } = await recognise(source, await readHead(source, HEAD_BYTES));
  if ('read' in format) return withNotes(await format.read(decoded, job, as), notes);
  throw new ReadError(`${source.name}: found ${format.title} inside an archive, expected a matrix file`);
}

/** A result with notes before its own. */
function withNotes<T extends Pick<ReadResult, 'notes'>>(result: T, notes: readonly string[]): T {
  return { ...result, notes: [...notes, ...result.notes] };
}

/** The format of a file, and its source, with UTF-16 as UTF-8 and a note about it. Throws ReadError for an unknown format. */
async function recognise(
  source: FileSource,
  head: Uint8Array,
): Promise<{ format: FileFormat | ContainerFormat; decoded: FileSource; notes: readonly string[] }> {
  const utf16 = ALL_FORMATS.some((f) => f.sniff(head)) ? null : utf16Of(head);
  if (utf16 === null) return { format: formatOf(head, source.name), decoded: source, notes: [] };
  const decoded = fromUtf16(source, utf16);
  const notes = utf16.hasMark ? [] : [`The text is in UTF-16, ${utf16.order}, without a byte order mark.`];
  return { format: formatOf(await readHead(decoded, HEAD_BYTES), source.name), decoded, notes };
}

/** The format of a file by its content, or by its name if the content is ambiguous. Throws ReadError. */
function formatOf(head: Uint8Array, name: string): FileFormat | ContainerFormat {
  const byContent = ALL_FORMATS.find((f) => f.sniff(head));
  if (byContent) return byContent;
  rejectUnsupported(head);
  const byName = ALL_FORMATS.find((f) => f.extensions.some((ending) => name.toLowerCase().endsWith(ending)));
  if (byName && TEXT_FORMATS.includes(byName)) return byName;
  if (isTable(head, 'spaces')) return csv;
  rejectByName(head, name, byName ? `a ${byName.title} file` : null);
  if (byName) return byName;
  throw new ReadError(`found a file of an unknown kind, expected ${READ_KINDS}`);
}
