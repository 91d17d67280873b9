import type { Job } from '../core/job.ts';
import type { Matrix } from '../core/matrix/index.ts';
import type { FileSource } from './source.ts';

/** A matrix read from a file, with notes for a person about how it was read. */
export interface ReadResult {
  readonly matrix: Matrix;
  /** sentences: duplicates summed, values rounded ... */
  readonly notes: readonly string[];
}

/** The size of a matrix and its non-zeros, with the notes of reading it. */
export interface MatrixCount extends Pick<Matrix, 'rows' | 'cols' | 'nnz'>, Pick<ReadResult, 'notes'> {}

/** A file format whose files hold one matrix each: how these files are recognised and read. */
export interface FileFormat {
  /** value of `format` in what `readMatrix` returns */
  readonly id: string;
  readonly title: string;
  /** endings of file names, with the dot, in lower case */
  readonly extensions: readonly string[];
  /** Whether a file that begins with `head` (up to 512 bytes) is of this format. */
  sniff(head: Uint8Array): boolean;
  /** Throws ReadError with position, found and expected; CancelledError if the job is cancelled. */
  read(source: FileSource, job: Job): Promise<ReadResult>;
  /** Like `read`, but keeps no values. Absent: it has to read the matrix. */
  count?(source: FileSource, job: Job): Promise<MatrixCount>;
}
