import { amount } from './read-checks.ts';
import { ReadError, SparseScopeError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import { counted } from '../core/text/words.ts';
import type { MatrixCount, ReadResult } from './file-format.ts';
import { type FileSource, isRandomAccess, type RandomAccessSource } from './source.ts';

/** A tensor that is listed but not yet read. A container is a file that may contain several matrices. */
export interface TensorInfo {
  /** unique in its container */
  readonly name: string;
  /** empty if it is known only after reading, as for a text file in an archive */
  readonly shape: readonly number[];
  /** element type in the container's terms, in lower case: 'f16', 'q4_k', 'mtx' */
  readonly dtype: string;
  /** number of its bytes in the container */
  readonly bytes: number;
  /** why it cannot be opened, in the words 'found ..., expected ...'; null if it can */
  readonly refused: string | null;
}

/** A container that has been opened: only the list of its tensors has been read. */
export interface Container {
  readonly tensors: readonly TensorInfo[];
  /** name of the default tensor if there are several */
  readonly preferred: string | null;
  /** where the file ends before its last tensor does, in the words 'found ..., expected ...'; absent if it is whole */
  readonly truncation?: string | null;
  /** Reads a supported tensor, and only the bytes needed for it. Throws ReadError. */
  read(name: string, job: Job): Promise<ReadResult>;
  /** Like `read`, but keeps no values; null for a tensor that has to be read. Absent: all have to. */
  count?(name: string, job: Job): Promise<MatrixCount> | null;
}

/** What opening a container needs: the job, a size limit, the files next to the container, readers for files inside. */
export interface ContainerContext {
  readonly job: Job;
  /** maximum size of a decompressed member */
  readonly maxDecompressedBytes: number;
  /** the file of this name in the same folder; null if there is none */
  sibling(name: string): Promise<FileSource | null>;
  /** Reads a matrix file inside the container. Throws ReadError. */
  readInner(source: FileSource, job: Job): Promise<ReadResult>;
  /** Opens a file of several tensors inside the container. Throws ReadError. */
  openInner(source: FileSource): Promise<Container>;
}

/** A file format for several matrices, such as safetensors: how its files are recognised and opened. */
export interface ContainerFormat {
  /** value of `format` in what `readMatrix` returns */
  readonly id: string;
  readonly title: string;
  /** endings of file names, with the dot, in lower case */
  readonly extensions: readonly string[];
  /** whether it needs random access, or reads from the beginning to the end */
  readonly reads: 'parts' | 'stream';
  /** Whether a file that begins with `head` (up to 512 bytes) is of this format. */
  sniff(head: Uint8Array): boolean;
  /** Reads the list. Throws ReadError with position, found and expected. */
  open(source: FileSource, context: ContainerContext): Promise<Container>;
}

/** Thrown if a file has several tensors and none was chosen: a request to choose among `tensors`, not a failure. */
export class TensorChoiceError extends SparseScopeError {
  override name = 'TensorChoiceError';
  readonly tensors: readonly TensorInfo[];

  constructor(tensors: readonly TensorInfo[]) {
    super(`found ${amount(tensors.length, 'tensor')}, expected the name of one`);
    this.tensors = tensors;
  }
}

/**
 * Where a file of `size` bytes ends before its tensors do, which end at `ends`; null if it has them all. Tensors
 * of an unknown type may end later.
 */
export function truncationOf(size: number, ends: readonly number[]): string | null {
  const expected = ends.reduce((end, each) => Math.max(end, each), 0);
  if (expected <= size) return null;
  const truncatedCount = ends.filter((end) => end > size).length;
  return `found ${counted(size, 'byte')}, expected ${expected}: the file ends ${counted(expected - size, 'byte')} early, and ${truncatedCount} of ${counted(ends.length, 'tensor')} cannot be read`;
}

/** The source if it has random access. Throws ReadError if it is a stream, as inside a compressed file. */
export function randomAccess(source: FileSource, title: string): RandomAccessSource {
  if (isRandomAccess(source)) return source;
  throw new ReadError(`found ${title} inside a compressed file; decompress it first`);
}

/** Why a tensor of this shape is not a matrix; null if it is one. One dimension is opened as a row. */
export function shapeRejection(shape: readonly number[]): string | null {
  if (shape.length === 1 || shape.length === 2) return null;
  const advice = shape.length > 2 ? '; reshape it, or save a slice' : '';
  return `found shape (${shape.join(', ')}), expected two dimensions${advice}`;
}

/** Rows and columns of a shape of one or two dimensions, and a note about it. */
export function rowsAndCols(shape: readonly number[]): { rows: number; cols: number; notes: readonly string[] } {
  if (shape.length === 2) return { rows: shape[0], cols: shape[1], notes: [] };
  return { rows: 1, cols: shape[0], notes: [`The array has one dimension: one row of ${shape[0]}.`] };
}

/** The error for a name that none of the `count` tensors of a file has. */
export function unknownTensor(name: string, count: number): ReadError {
  const known = count === 1 ? 'the only one' : `one of the ${count}`;
  return new ReadError(`found no tensor '${name}', expected ${known} in the file`);
}

/** The name of the tensor to read: chosen, preferred or the only one. Throws TensorChoiceError and ReadError. */
export function chosenTensor({ tensors, preferred }: Container, chosen: string | undefined): string {
  if (chosen !== undefined) {
    const tensor = tensors.find((t) => t.name === chosen);
    if (!tensor) throw unknownTensor(chosen, tensors.length);
    if (tensor.refused !== null) throw new ReadError(`${chosen}: ${tensor.refused}`);
    return chosen;
  }
  if (preferred !== null) return preferred;
  const openable = tensors.filter((t) => t.refused === null);
  if (openable.length === 0) {
    const [first] = tensors;
    throw new ReadError(first ? `${first.name}: ${first.refused ?? ''}` : 'found no tensor');
  }
  // A single tensor needs no choice, unless others are rejected: then the user should see these.
  if (tensors.length === 1) return openable[0].name;
  throw new TensorChoiceError(tensors);
}
