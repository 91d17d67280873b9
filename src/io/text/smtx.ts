import { QUOTED_LENGTH } from '../../core/bounds/bounds.ts';
import { clip } from '../../core/bounds/quote.ts';
import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { CsrMatrix } from '../../core/matrix/index.ts';
import { Random } from '../../core/number/random.ts';
import { csrOf, mergedRows } from '../coo.ts';
import { type FileFormat, type ReadResult } from '../file-format.ts';
import { amount, allocate, checkDimensions } from '../read-checks.ts';
import { readPieces } from '../pieces.ts';
import { type FileSource, windows1252Text } from '../source.ts';
import { isSpace, quoted } from './text-lines.ts';

/** Seed of the random values that the pattern gets. */
const SMTX_SEED = 1;
/** Numbers before the offsets: rows, cols and entries. */
const HEAD_NUMBERS = 3;

const ZERO = 0x30;
const COMMA = 0x2c;

/**
 * A sparsity pattern of the deep learning matrix collection (Gale, Zaharia, Young, Elsen 2020): rows, cols and entries,
 * then the offsets of the rows, then the columns of the entries; whole numbers separated by commas or white space.
 * The values are random, and the notes say so. Recognised by the first line, three numbers between commas, and the
 * second, which begins with the offset 0; otherwise by the name of the file.
 */
export const smtx: FileFormat = {
  id: 'smtx',
  title: 'deep learning matrix collection',
  extensions: ['.smtx'],
  sniff: (head) => /^\s*\d+, *\d+, *\d+[ \r]*\n0 +\d/.test(windows1252Text(head)),
  read,
};

async function read(source: FileSource, job: Job): Promise<ReadResult> {
  const numbers = new PatternReader(source.maxSize);
  const end = await readPieces(source, 0, source.maxSize, job, (piece, at) => numbers.feed(piece, at));
  const { rows, cols, indptr, indices } = numbers.complete(end);
  const data = allocate(`${indices.length} values`, 4 * indices.length, () => new Float32Array(indices.length));
  data.fill(1);
  const { matrix, summedCells } = await csrOf(mergedRows({ rows, cols, indptr, indices, data }), job, null);
  if (summedCells > 0) {
    throw new ReadError(`columns: found ${amount(summedCells, 'cell')} more than once, expected each once`);
  }
  const values = new Float32Array(matrix.nnz);
  new Random(SMTX_SEED).fillNormal(values);
  return {
    matrix: new CsrMatrix({ rows, cols, indptr: matrix.indptr, indices: matrix.indices, data: values }),
    notes: [`A pattern without values: they are random (seed ${SMTX_SEED}).`],
  };
}

/** The bytes of the UTF-8 character that begins at index `at`. */
function firstCharacter(bytes: Uint8Array, at: number): Uint8Array {
  let end = at + 1;
  while ((bytes[end] & 0xc0) === 0x80) end++;
  return bytes.subarray(at, end);
}

/** The error for a number of 2^53 or more: quotes its digits, of which those before index `at` are read as `value`. */
function tooLarge(value: number, bytes: Uint8Array, at: number, start: number): ReadError {
  let end = at;
  while (bytes[end] >= ZERO && bytes[end] <= ZERO + 9) end++;
  const found = clip(`${value}${windows1252Text(bytes.subarray(at, Math.min(end, at + 2 * QUOTED_LENGTH)))}`);
  return new ReadError(`before byte ${start + end}: found ${found}, expected a whole number below 2^53`);
}

/** Reads the numbers of a pattern from pieces of the file, in order. */
class PatternReader {
  readonly #maxSize: number;
  readonly #head: number[] = [];
  #indptr = new Uint32Array(0);
  #indices = new Uint32Array(0);
  #count = 0;
  #value = 0;
  #inNumber = false;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** Continues with the bytes at offset `start` in the file. */
  feed(bytes: Uint8Array, start: number): void {
    for (let i = 0; i < bytes.length; i++) {
      const digit = bytes[i] - ZERO;
      if (digit >= 0 && digit <= 9) {
        const value = this.#value * 10 + digit;
        if (value > Number.MAX_SAFE_INTEGER) throw tooLarge(this.#value, bytes, i, start);
        this.#value = value;
        this.#inNumber = true;
      } else if (bytes[i] === COMMA || isSpace(bytes[i])) {
        if (this.#inNumber) this.#take(start + i);
      } else {
        throw new ReadError(
          `byte ${start + i}: found ${quoted(firstCharacter(bytes, i))}, expected whole numbers from 0`,
        );
      }
    }
  }

  /** The pattern after the last byte, which is before `end`. Throws ReadError if numbers are missing. */
  complete(end: number): { rows: number; cols: number; indptr: Uint32Array; indices: Uint32Array } {
    if (this.#inNumber) this.#take(end);
    const [rows, cols, entries] = this.#head;
    const expected = this.#head.length < HEAD_NUMBERS ? HEAD_NUMBERS : HEAD_NUMBERS + rows + 1 + entries;
    if (this.#count < expected) {
      throw new ReadError(`byte ${end}: found the end after ${amount(this.#count, 'number')}, expected ${expected}`);
    }
    return { rows, cols, indptr: this.#indptr, indices: this.#indices };
  }

  /** Checks and stores the number that ends before byte `end`. */
  #take(end: number): void {
    const value = this.#value;
    const index = this.#count++;
    this.#value = 0;
    this.#inNumber = false;
    if (index < HEAD_NUMBERS) {
      this.#head.push(value);
      if (index === HEAD_NUMBERS - 1) this.#allocateArrays();
      return;
    }
    const [rows, cols, entries] = this.#head;
    const where = `before byte ${end}`;
    if (index < HEAD_NUMBERS + rows + 1) {
      const row = index - HEAD_NUMBERS;
      const min = row === 0 ? 0 : this.#indptr[row - 1];
      const max = row === 0 ? 0 : entries;
      if (value < min || value > max || (row === rows && value !== entries)) {
        const expected = row === rows ? String(entries) : `a number from ${min} to ${max}`;
        throw new ReadError(`${where}: found the offset ${value} of row ${row}, expected ${expected}`);
      }
      this.#indptr[row] = value;
      return;
    }
    const entry = index - (HEAD_NUMBERS + rows + 1);
    if (entry >= entries)
      throw new ReadError(`${where}: found a number after ${amount(entries, 'column')}, expected the end`);
    if (value >= cols) throw new ReadError(`${where}: found column ${value}, expected below ${cols}`);
    this.#indices[entry] = value;
  }

  /** Checks rows, cols and entries, and allocates the arrays. */
  #allocateArrays(): void {
    const [rows, cols, entries] = this.#head;
    checkDimensions('line 1', rows, cols, this.#maxSize);
    // Every number needs a digit and a separator.
    const max = Math.ceil(this.#maxSize / 2);
    if (rows + entries > max) {
      throw new ReadError(
        `line 1: found ${rows} rows and ${amount(entries, 'entry', 'entries')}, expected at most ${amount(max, 'number')} in this file`,
      );
    }
    this.#indptr = allocate('offsets', 4 * (rows + 1), () => new Uint32Array(rows + 1));
    this.#indices = allocate('columns', 4 * entries, () => new Uint32Array(entries));
  }
}
