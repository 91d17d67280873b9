import type { Job } from '../core/job.ts';
import type { Matrix } from '../core/matrix/index.ts';
import type { FileSource } from './source.ts';

/** What a line of a text table contains: one entry (row, column and value), or one row of cells. */
export type LinesAs = 'entries' | 'table';

/** How the lines of a table of text were read. */
export interface LinesReading {
  readonly chosen: LinesAs;
  /** how version 0.2 read them: links written by it rely on that reading */
  readonly inVersion02: LinesAs;
  /** the other reading, if the lines allow it and something suggests it; else null */
  readonly otherReading: LinesAs | null;
}

/** A matrix read from a file, with notes for the user about how it was read. */
export interface ReadResult {
  readonly matrix: Matrix;
  /** for example duplicates summed, values rounded ... */
  readonly notes: readonly string[];
  /** of a table of text */
  readonly lines?: LinesReading;
}

/** The size of a matrix and its non-zeros, with the notes of reading it. */
export interface MatrixCount extends Pick<Matrix, 'rows' | 'cols' | 'nnz'>, Pick<ReadResult, 'notes' | 'lines'> {}

/** The count of a matrix that was read. */
export function countOf({ matrix: { rows, cols, nnz }, ...rest }: ReadResult): MatrixCount {
  return { rows, cols, nnz, ...rest };
}

/** A file format with one matrix per file: how these files are recognised and read. */
export interface FileFormat {
  /** value of `format` in what `readMatrix` returns */
  readonly id: string;
  readonly title: string;
  /** endings of file names, with the dot, in lower case */
  readonly extensions: readonly string[];
  /** Whether a file that begins with `head` (up to 512 bytes) is of this format. */
  sniff(head: Uint8Array): boolean;
  /**
   * Throws ReadError with position, found and expected; CancelledError if cancelled. `linesAs`, for the lines of a text
   * table: how to read them; '0.2': as version 0.2 did; absent: as their names and comments and the file's ending suggest.
   */
  read(source: FileSource, job: Job, linesAs?: LinesAs | '0.2'): Promise<ReadResult>;
  /** Like `read`, but keeps no values. Absent: it has to read the matrix. */
  count?(source: FileSource, job: Job): Promise<MatrixCount>;
}
