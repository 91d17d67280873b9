import { denseMatrix } from '../../core/matrix/index.ts';
import type { Job } from '../../core/job.ts';
import { type AddEntry, cooNotes, csrOf, mergedCoo } from '../coo.ts';
import { type FileFormat, type ReadResult } from '../file-format.ts';
import { amount, allocate } from '../read-checks.ts';
import { lineBlocks, CARRIAGE_RETURN, LINE_FEED, SPACE, TAB, wrongWordError } from './text-lines.ts';
import { CoordinateReader } from './mtx-coordinate.ts';
import { type MtxHeader, MtxHeaderReader } from './mtx-header.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import { type FileSource, windows1252Text } from '../source.ts';
import { ReadError } from '../../core/errors.ts';
import { DecimalScanner } from '../decimal.ts';
import { ValueLosses } from '../value-losses.ts';

// Reads Matrix Market files (.mtx): coordinates of entries, or an array of all values.

const PERCENT = 0x25;

/** Reads the values of an array file, column by column; for a symmetric matrix the lower triangle. */
class ArrayReader {
  readonly losses = new ValueLosses();
  /** row-major cells */
  readonly cells: Float32Array;
  readonly #header: MtxHeader;
  readonly #scanner = new DecimalScanner();
  #line: number;
  #count = 0;
  #row: number;
  #col = 0;

  /** `line`: number of lines before the values */
  constructor(header: MtxHeader, line: number) {
    this.#header = header;
    this.#line = line;
    this.#row = header.symmetry === 'skew-symmetric' ? 1 : 0;
    const count = header.rows * header.cols;
    this.cells = allocate(`${header.rows} × ${header.cols} cells`, 4 * count, () => new Float32Array(count));
  }

  /** Continues with a block of whole lines, from `start`. Throws ReadError with line, column, found and expected. */
  feed(bytes: Uint8Array, start: number): void {
    const { entries, field } = this.#header;
    const scanner = this.#scanner;
    let i = start;
    let isLineStart = true;
    while (i < bytes.length) {
      if (isLineStart) this.#line++;
      isLineStart = false;
      const c = bytes[i];
      if (c === SPACE || c === TAB || c === CARRIAGE_RETURN) {
        i++;
      } else if (c === LINE_FEED) {
        isLineStart = true;
        i++;
      } else if (c === PERCENT) {
        i = bytes.indexOf(LINE_FEED, i);
      } else {
        if (this.#count === entries) {
          throw wrongWordError(bytes, this.#line, i, `the end after ${amount(entries, 'value')}${this.#triangle()}`);
        }
        const value = scanner.scan(bytes, i);
        if (scanner.end === i || bytes[scanner.end] > SPACE) throw wrongWordError(bytes, this.#line, i, 'a number');
        if (field === 'integer' && !Number.isInteger(value))
          throw wrongWordError(bytes, this.#line, i, 'a whole number');
        if (Math.fround(value) !== value || scanner.isBeyondRange) {
          this.losses.countScanned(value, field === 'integer' ? Number.POSITIVE_INFINITY : scanner.significand);
        }
        this.#put(value);
        i = scanner.end;
      }
    }
  }

  /** Text for messages about a file of a triangle: which cells have values; '' for a file with all cells. */
  #triangle(): string {
    const { symmetry } = this.#header;
    if (symmetry === 'general') return '';
    const diagonal = symmetry === 'symmetric' ? 'with' : 'without';
    return `: a ${symmetry} array contains only the lower triangle, ${diagonal} the diagonal`;
  }

  /** Throws ReadError if there are fewer values than the shape requires. */
  complete(): Float32Array {
    const { rows, cols, entries } = this.#header;
    if (this.#count < entries) {
      throw new ReadError(
        `line ${this.#line + 1}: found the end after ${this.#count} of ${amount(entries, 'value')} for ${rows} × ${cols}`,
      );
    }
    return this.cells;
  }

  /** Stores the next value, in its cell and in the cell that symmetry gives. */
  #put(value: number): void {
    const { rows, cols, symmetry } = this.#header;
    this.cells[this.#row * cols + this.#col] = value;
    if (symmetry !== 'general') this.cells[this.#col * cols + this.#row] = symmetry === 'symmetric' ? value : -value;
    this.#count++;
    if (++this.#row < rows) return;
    this.#col++;
    this.#row = symmetry === 'general' ? 0 : symmetry === 'symmetric' ? this.#col : this.#col + 1;
  }
}

/** Initial capacity, in entries, for a compressed file: its decompressed size is not known. */
const CAPACITY_OF_COMPRESSED = 2 ** 16;

/**
 * Matrix Market exchange format, coordinate and array (Boisvert, Pozo, Remington, NISTIR 5935).
 * Deviations: comments and blank lines may occur between entries, duplicates are summed, and the
 * banner may begin with one percent sign, as the Network Repository writes it.
 */
export const mtx: FileFormat = {
  id: 'mtx',
  title: 'Matrix Market',
  extensions: ['.mtx', '.mm'],
  sniff: (head) => /^(\u00ef\u00bb\u00bf)?%%?matrixmarket/i.test(windows1252Text(head.subarray(0, 32))),
  read,
};

async function read(source: FileSource, job: Job): Promise<ReadResult> {
  const capacity = source.size === null ? CAPACITY_OF_COMPRESSED : Number.POSITIVE_INFINITY;
  const { header, reader } = await readEntries(source, job, (declared, line) =>
    declared.layout === 'array' ? new ArrayReader(declared, line) : new CoordinateReader(declared, line, capacity),
  );
  if (reader instanceof ArrayReader) {
    return { matrix: denseMatrix(header.rows, header.cols, reader.complete()), notes: reader.losses.notes() };
  }
  const readAgain = async (add: AddEntry): Promise<void> => {
    await readEntries(source, job, (declared, line) => new CoordinateReader(declared, line, 0, add));
  };
  const merging = mergedCoo(reader.complete(), header.symmetry);
  const result = await csrOf(
    merging,
    job,
    reader.isRounded ? readAgain : null,
    reader.losses,
    header.symmetry !== 'general',
  );
  const pattern = header.field === 'pattern' ? ['A pattern without values: every entry is 1.'] : [];
  return { matrix: result.matrix, notes: [...reader.losses.notes(), ...pattern, ...cooNotes(result)] };
}

/** Reads the header of a file, then its entries with the reader from `makeReader`; `line`: number of lines of the header. */
async function readEntries<R extends CoordinateReader | ArrayReader>(
  source: FileSource,
  job: Job,
  makeReader: (header: MtxHeader, line: number) => R,
): Promise<{ readonly header: MtxHeader; readonly reader: R }> {
  const headerReader = new MtxHeaderReader(source.maxSize);
  const pacer = new Pacer();
  let reader: R | null = null;
  for await (const block of lineBlocks(source)) {
    throwIfCancelled(job);
    const entriesStart = headerReader.feed(block);
    if (headerReader.header) {
      reader ??= makeReader(headerReader.header, headerReader.line);
      reader.feed(block, entriesStart);
    }
    job.report({ what: 'Reading', ...source.position() });
    await pacer.pauseIfDue();
  }
  const header = headerReader.complete();
  return { header, reader: reader ?? makeReader(header, headerReader.line) };
}
