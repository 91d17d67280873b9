// The checks of a mutated matrix file: memory, time, messages, and the matrix that NumPy and SciPy read.

import { SparseScopeError } from '../../src/core/errors.ts';
import { type Matrix, rowBuffer } from '../../src/core/matrix/index.ts';
import { Random } from '../../src/core/number/random.ts';
import { type OpenedMatrix, readMatrix } from '../../src/io/index.ts';
import type { Fault } from '../target.ts';
import { errorFault, messageFault } from '../words.ts';
import { workDone } from '../work.ts';
import { bytesOf, type Cells, corpus, type CorpusFile } from './corpus.ts';
import { type Edit, applyEdits } from './edits.ts';
import { rewritten } from './rewrites.ts';
import type { SciPy } from './scipy.ts';

/** A file of the corpus, rewritten if `rewrite` is a seed, then changed. */
export interface ReaderCase {
  readonly file: string;
  readonly tensor: string | undefined;
  readonly rewrite: number | null;
  readonly edits: readonly Edit[];
}

/** Bytes that readers may allocate for any file: tables and initial buffers. */
const BASE_BYTES = 32 * 2 ** 20;
/** Bytes that readers may allocate for each byte of a file. */
const BYTES_PER_BYTE = 16;
/** Most steps (work.ts) for a file of some kilobytes. */
const MAX_STEPS = 5_000_000;
/** Of a larger matrix, only the first rows are checked. */
const MAX_CELLS = 2 ** 22;

export function bytesOfCase({ file, rewrite, edits }: ReaderCase): Uint8Array {
  const original = bytesOf(file);
  const base = rewrite === null ? original : (rewritten(file, original, new Random(rewrite)) ?? original);
  return applyEdits(base, edits);
}

/**
 * Opens a mutant, which may be rejected with a message, soon and without allocating more memory than the file can need.
 */
export async function readerFault(c: ReaderCase, scipy: Pick<SciPy, 'read'> | null): Promise<Fault | null> {
  const original = corpus().find(({ file, tensor }) => file === c.file && tensor === c.tensor);
  if (!original) throw new Error(`${c.file} is not in the corpus`);
  const bytes = bytesOfCase(c);
  const result = await openMutant(c, bytes);
  if (result.steps > MAX_STEPS)
    return { law: 'a small file is read in few steps', message: `${result.steps} steps for ${bytes.length} bytes` };
  const maxBytes = BASE_BYTES + BYTES_PER_BYTE * bytes.length;
  if (result.arrayBytes > maxBytes) {
    return {
      law: 'a reader allocates in proportion to the file',
      message: `${result.arrayBytes} bytes of arrays for ${bytes.length} bytes`,
    };
  }
  if ('error' in result) return rejectionFault(c, original, result.error);
  const { matrix, notes } = result.opened;
  for (const note of notes) {
    const fault = messageFault(note);
    if (fault) return fault;
  }
  const problem = matrixProblem(matrix);
  if (problem !== null) return { law: 'an opened file is a valid matrix', message: problem };
  return cellsFault(c, original, result.opened) ?? (scipy ? scipyFault(c, bytes, matrix, scipy) : null);
}

interface Cost {
  readonly steps: number;
  readonly arrayBytes: number;
}

async function openMutant(
  { file, tensor }: ReaderCase,
  bytes: Uint8Array,
): Promise<(Cost & { readonly opened: OpenedMatrix }) | (Cost & { readonly error: unknown })> {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const before = process.memoryUsage().arrayBuffers;
  const start = workDone();
  const cost = (): Cost => ({
    steps: workDone() - start,
    arrayBytes: process.memoryUsage().arrayBuffers - before,
  });
  try {
    const opened = await readMatrix({ name, bytes }, tensor === undefined ? {} : { tensor });
    return { ...cost(), opened };
  } catch (error) {
    return { ...cost(), error };
  }
}

function hasNoEdits({ edits }: ReaderCase): boolean {
  return edits.length === 0;
}

function rejectionFault(c: ReaderCase, original: CorpusFile, error: unknown): Fault | null {
  const fault = errorFault(error, SparseScopeError);
  if (fault || original.answer === null || !hasNoEdits(c)) return fault;
  return { law: 'a rewritten file is read as the same matrix', message: String(error) };
}

/** Files with a checksum over their content: if changed bytes open at all, the matrix is the same. */
const CHECKSUMMED = /\.(npz|zip|gz)$/;

function cellsFault(c: ReaderCase, original: CorpusFile, opened: OpenedMatrix): Fault | null {
  if (original.answer === null) {
    return hasNoEdits(c) ? { law: 'a file without expected cells is rejected', message: `${c.file} opens` } : null;
  }
  // Edits of an unpacked file may change the matrix. With a checksum they may still rename an array, so that another matrix is
  // read, or turn the file into one of another kind by bytes inserted at its beginning: these are not compared.
  const hasChecksum = CHECKSUMMED.test(c.file) && c.file.endsWith('.gz') === opened.format.endsWith('.gz');
  const isSame = hasNoEdits(c) || (hasChecksum && shapeText(opened.matrix) === shapeText(original.answer));
  if (!isSame) return null;
  const difference = firstDifference(opened.matrix, original.answer);
  if (difference === null) return null;
  const law = hasNoEdits(c) ? 'a rewritten file is read as the same matrix' : 'data under a checksum is read unchanged';
  return { law, message: difference };
}

const shapeText = ({ rows, cols }: { readonly rows: number; readonly cols: number }): string => `${rows} x ${cols}`;

/** The problem of an invalid matrix; null if it is valid. */
function matrixProblem(m: Matrix): string | null {
  const isExtent = (n: number): boolean => Number.isInteger(n) && n >= 0 && n < 2 ** 31;
  if (!isExtent(m.rows) || !isExtent(m.cols)) return shapeText(m);
  if (m.cols > MAX_CELLS) return null;
  const into = rowBuffer(m.cols);
  let entries = 0;
  const rows = Math.min(m.rows, Math.max(1, Math.floor(MAX_CELLS / Math.max(64, m.cols))));
  for (let row = 0; row < rows; row++) {
    const n = m.readRow(row, into);
    entries += n;
    for (let i = 0; i < n; i++) {
      if (into.values[i] === 0) return `row ${row} stores a zero`;
      if (into.columns[i] >= m.cols || (i > 0 && into.columns[i] <= into.columns[i - 1])) {
        return `row ${row}: column ${into.columns[i]} of ${m.cols} after ${into.columns[i - 1]}`;
      }
    }
  }
  if (rows === m.rows && entries !== m.nnz) return `nnz ${m.nnz}, but ${entries} entries`;
  return null;
}

/** The first position where a matrix differs from the expected cells; null if there is none. */
function firstDifference(m: Matrix, expected: Cells): string | null {
  if (m.rows !== expected.rows || m.cols !== expected.cols)
    return `found ${shapeText(m)}, expected ${shapeText(expected)}`;
  const into = rowBuffer(m.cols);
  for (let row = 0; row < m.rows; row++) {
    const found = new Float32Array(m.cols);
    const n = m.readRow(row, into);
    for (let i = 0; i < n; i++) found[into.columns[i]] = into.values[i];
    for (let col = 0; col < m.cols; col++) {
      const cell = expected.cells[row * m.cols + col];
      // 0 and -0 count as equal, since neither is an entry; Object.is makes NaN equal to NaN.
      if (Object.is(found[col], cell) || found[col] === cell) continue;
      return `row ${row}, column ${col}: found ${found[col]}, expected ${cell}`;
    }
  }
  return null;
}

const FORTRAN_EXPONENT = /[\d.][dD][+-]?\d/;

/** Compares with SciPy: if both read a mutant, they read the same matrix. */
async function scipyFault(
  { file, tensor }: ReaderCase,
  bytes: Uint8Array,
  m: Matrix,
  scipy: Pick<SciPy, 'read'>,
): Promise<Fault | null> {
  // Not compared: SciPy reads no files of PyTorch, and reads '1d5' as 1, without the Fortran exponent.
  if (file.startsWith('torch/')) return null;
  if (file.includes('.mtx') && FORTRAN_EXPONENT.test(Buffer.from(bytes).toString('latin1'))) return null;
  const answer = await scipy.read(file, bytes, tensor);
  if (answer === null) return null;
  const difference = firstDifference(m, answer);
  return difference === null
    ? null
    : { law: `SciPy reads the same in ${file.split('/')[0]}`, message: `${file}: ${difference}` };
}
