import { ReadError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import type { Matrix } from '../core/matrix/index.ts';
import type { FileSource } from './source.ts';

/** A matrix out of a file, with what a person should know about how it was read. */
export interface ReadResult {
  readonly matrix: Matrix;
  /** sentences: duplicates summed, values rounded ... */
  readonly notes: readonly string[];
}

/** One file format. Each has a file of its own that exports one of these. */
export interface FileFormat {
  /** value of `format` in what `readMatrix` returns */
  readonly id: string;
  readonly title: string;
  /** endings of file names, with the dot, in lower case */
  readonly extensions: readonly string[];
  /** Whether a file that begins with `head` (up to 512 bytes) is of this format. */
  sniff(head: Uint8Array): boolean;
  /** Throws ReadError with position, found and expected; CancelledError when the job is. */
  read(source: FileSource, job: Job): Promise<ReadResult>;
}

/** The job of a caller that does not want to hear or stop anything. */
export const NO_JOB: Job = { report: () => {}, cancelled: false };

/** A dimension above this needs as many bytes in the file: index arrays as long as it are made. */
const FREE_DIMENSION = 2 ** 24;

/** Throws ReadError when a dimension that a file declares is too large for any matrix, or for a file of its size. */
export function checkDimensions(where: string, rows: number, cols: number, maxSize: number): void {
  for (const [name, n] of [
    ['rows', rows],
    ['cols', cols],
  ] as const) {
    if (n >= 2 ** 31) throw new ReadError(`${where}: found ${n} ${name}, expected at most ${2 ** 31 - 1}`);
    if (n > FREE_DIMENSION && n > maxSize) {
      throw new ReadError(
        `${where}: found ${n} ${name} in a file of at most ${maxSize} bytes, expected at most ${FREE_DIMENSION} or one byte for each`,
      );
    }
  }
}

/** `make()`, with the refusal of a machine that has too little memory said as a ReadError. */
export function allocate<T>(what: string, bytes: number, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ReadError(`${what}: needs ${bytes} bytes, expected no more than this machine has free`);
  }
}
