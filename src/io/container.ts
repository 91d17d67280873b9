import { ReadError, SparseScopeError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import type { ReadResult } from './file-format.ts';
import { type FileSource, isRandomAccess, type RandomAccessSource } from './source.ts';

/** What is known of one matrix of a container before it is read. */
export interface TensorInfo {
  /** unique in its container */
  readonly name: string;
  /** empty if it is known only after reading, as for a text file in an archive */
  readonly shape: readonly number[];
  /** element type in the container's terms, in lower case: 'f16', 'q4_k', 'mtx' */
  readonly dtype: string;
  /** its bytes in the container */
  readonly bytes: number;
  /** why it cannot be opened, as found and expected; null if it can */
  readonly refused: string | null;
}

/** An opened file that may hold several matrices: only its list has been read. */
export interface Container {
  readonly tensors: readonly TensorInfo[];
  /** the default if there are several */
  readonly preferred: string | null;
  /** Reads one of `tensors` that is not refused, and only the bytes needed for that. Throws ReadError. */
  read(name: string, job: Job): Promise<ReadResult>;
}

/** The environment in which a container is opened. */
export interface ContainerContext {
  readonly job: Job;
  /** maximum size of a decompressed member */
  readonly maxDecompressedBytes: number;
  /** the file of this name in the same folder; null if there is none */
  sibling(name: string): Promise<FileSource | null>;
  /** Reads a matrix file inside it. Throws ReadError. */
  readInner(source: FileSource, job: Job): Promise<ReadResult>;
  /** Opens a file of several tensors inside it. Throws ReadError. */
  openInner(source: FileSource): Promise<Container>;
}

/** One format of files with several matrices. Each has a file of its own that exports one of these. */
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

/** Rejects an opening that needs a choice: not a failure, and the list contains the options. */
export class TensorChoiceError extends SparseScopeError {
  override name = 'TensorChoiceError';
  readonly tensors: readonly TensorInfo[];

  constructor(tensors: readonly TensorInfo[]) {
    super(`found ${tensors.length} tensors, expected the name of one`);
    this.tensors = tensors;
  }
}

/** A container that needs random access. Throws ReadError if it is inside a stream. */
export function partsOf(source: FileSource, title: string): RandomAccessSource {
  if (isRandomAccess(source)) return source;
  throw new ReadError(`found ${title} inside a compressed file; decompress it first`);
}

/** Why a tensor of this shape is not a matrix; null if it is one. One dimension is opened as a row. */
export function shapeRefusal(shape: readonly number[]): string | null {
  if (shape.length === 1 || shape.length === 2) return null;
  const advice = shape.length > 2 ? '; reshape it, or save a slice' : '';
  return `found shape (${shape.join(', ')}), expected two dimensions${advice}`;
}

/** Rows and columns of a shape of one or two dimensions, and a note about it. */
export function rowsAndCols(shape: readonly number[]): { rows: number; cols: number; notes: readonly string[] } {
  if (shape.length === 2) return { rows: shape[0], cols: shape[1], notes: [] };
  return {
    rows: 1,
    cols: shape[0],
    notes: [`The array has one dimension: one row of ${shape[0]}.`],
  };
}

/** The error for a name that no tensor of a file has; `of`: how many tensors the file has. */
export function unknownTensor(name: string, of: number): ReadError {
  const known = of === 1 ? 'the only one' : `one of the ${of}`;
  return new ReadError(`found no tensor '${name}', expected ${known} in the file`);
}

/** The only tensor that can be opened, or the chosen one. Throws TensorChoiceError and ReadError. */
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
  // A single one needs no choice, unless there are others that are refused: then a person should see them.
  if (tensors.length === 1) return openable[0].name;
  throw new TensorChoiceError(tensors);
}
