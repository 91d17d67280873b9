import { MatrixError, ReadError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { type FileFormat, NO_JOB, stopIfCancelled } from './file-format.ts';
import { gunzipped, isGzip } from './gzip.ts';
import { mtx } from './mtx.ts';
import { npy } from './npy.ts';
import { type FileSource, fileSource, type MatrixFile, readHead } from './source.ts';
import { unsupportedKind } from './unsupported.ts';

export type { MatrixFile } from './source.ts';

/** Every format that is opened, in the order in which content is looked at. */
const FORMATS: readonly FileFormat[] = [npy, mtx];

/** Endings of the names of files that can be opened, for a picker; content decides. */
export const OPENED_EXTENSIONS: readonly string[] = [...FORMATS.flatMap((f) => f.extensions), '.gz'];

/** Bytes at the beginning by which a format is told. */
const HEAD_BYTES = 512;

export interface ReadOptions {
  /** Most bytes that a compressed file may have when decompressed. Default: 4 GiB. */
  readonly maxDecompressedBytes?: number;
}

export interface OpenedMatrix {
  readonly matrix: Matrix;
  /** sentences a person should read: duplicates summed, values rounded ... */
  readonly notes: readonly string[];
  /** 'mtx' or 'npy', with '.gz' behind it when it was compressed */
  readonly format: string;
}

/**
 * Opens a matrix file: Matrix Market or .npy, plain or compressed by gzip. Content decides which, and the name only
 * where content says nothing.
 *
 * Throws ReadError with position, found and expected when the file is broken or of a kind that is not opened, and
 * CancelledError when the job is cancelled. The thread is given back about every 25 ms. Memory: the matrix, and for
 * coordinate files 12 bytes per entry unless they are in row-major order.
 */
export async function readMatrix(file: MatrixFile, options?: ReadOptions, job: Job = NO_JOB): Promise<OpenedMatrix> {
  const source = fileSource(file);
  try {
    stopIfCancelled(job);
    return await readSource(source, options?.maxDecompressedBytes ?? 4 * 2 ** 30, job);
  } catch (error) {
    if (!(error instanceof ReadError || error instanceof MatrixError) || source.name === '') throw error;
    throw new ReadError(`${source.name}: ${error.message}`);
  }
}

async function readSource(source: FileSource, maxBytes: number, job: Job): Promise<OpenedMatrix> {
  const outerHead = await readHead(source, HEAD_BYTES);
  if (outerHead.length === 0) throw new ReadError('found an empty file, expected a matrix');
  if (!isGzip(outerHead)) {
    const format = formatOf(outerHead, source.name);
    return { ...(await format.read(source, job)), format: format.id };
  }
  const inner = gunzipped(source, maxBytes);
  const head = await readHead(inner, HEAD_BYTES);
  if (head.length === 0) throw new ReadError('found an empty file inside gzip, expected a matrix');
  const format = formatOf(head, inner.name);
  return { ...(await format.read(inner, job)), format: `${format.id}.gz` };
}

function formatOf(head: Uint8Array, name: string): FileFormat {
  const byContent = FORMATS.find((f) => f.sniff(head));
  if (byContent) return byContent;
  const byName = FORMATS.find((f) => f.extensions.some((ending) => name.toLowerCase().endsWith(ending)));
  const unsupported = unsupportedKind(head, byName ? '' : name);
  if (unsupported) {
    throw new ReadError(`found ${unsupported.title}, which is not opened; ${unsupported.remedy}`);
  }
  if (byName) return byName;
  throw new ReadError(
    `found a file of an unknown kind, expected Matrix Market (%%MatrixMarket ...) or NumPy (.npy), plain or in gzip`,
  );
}
