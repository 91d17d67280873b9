import { ReadError } from '../../core/errors.ts';
import type { AddEntry, CooArrays } from '../coo.ts';
import { DecimalScanner } from '../decimal.ts';
import { amount, allocate } from '../read-checks.ts';
import type { MtxHeader } from './mtx-header.ts';
import { CARRIAGE_RETURN, LINE_FEED, SPACE, TAB, wrongWordError } from './text-lines.ts';
import { ValueLosses } from '../value-losses.ts';

const PERCENT = 0x25;
const ZERO = 0x30;

/** Reads the entries of a Matrix Market coordinate file, one per line: row, column and, except in patterns, value. */
export class CoordinateReader {
  readonly losses = new ValueLosses();
  /** whether any value differs from that in the file */
  isRounded = false;
  readonly #header: MtxHeader;
  readonly #add: AddEntry | null;
  readonly #scanner = new DecimalScanner();
  #line: number;
  #length = 0;
  #rowIndices: Uint32Array;
  #colIndices: Uint32Array;
  #data: Float32Array;
  #sorted = true;
  #lastRow = -1;
  #lastCol = -1;

  /** `line`: lines before the entries; `capacity`: initial. Entries are stored or, with `add`, passed on unrounded. */
  constructor(header: MtxHeader, line: number, capacity: number, add: AddEntry | null = null) {
    this.#header = header;
    this.#line = line;
    this.#add = add;
    this.#scanner.isNearest = add !== null;
    const entries = makeArrays(header, Math.min(header.entries, capacity));
    this.#rowIndices = entries.rowIndices;
    this.#colIndices = entries.colIndices;
    this.#data = entries.data;
  }

  /**
   * Continues with a block of whole lines, from `start`. Throws ReadError with line, column, found and expected. One long
   * function with its state in local variables, for speed: files have millions of lines.
   */
  feed(bytes: Uint8Array, start: number): void {
    const { rows, cols, entries, field, symmetry } = this.#header;
    const add = this.#add;
    const hasValues = field !== 'pattern';
    const scanner = this.#scanner;
    let rowIndices = this.#rowIndices;
    let colIndices = this.#colIndices;
    let data = this.#data;
    let n = this.#length;
    let line = this.#line;
    let lastRow = this.#lastRow;
    let lastCol = this.#lastCol;
    let sorted = this.#sorted;

    let i = start;
    while (i < bytes.length) {
      line++;
      let c = bytes[i];
      while (c === SPACE || c === TAB || c === CARRIAGE_RETURN) c = bytes[++i];
      if (c === LINE_FEED) {
        i++;
        continue;
      }
      if (c === PERCENT) {
        i = bytes.indexOf(LINE_FEED, i) + 1;
        continue;
      }
      if (n === entries) {
        throw wrongWordError(bytes, line, i, `the end after ${amount(entries, 'entry', 'entries')}`);
      }
      if (n === data.length && add === null) {
        this.#grow();
        rowIndices = this.#rowIndices;
        colIndices = this.#colIndices;
        data = this.#data;
      }

      // The row and the column: digits, followed by a space.
      let wordStart = i;
      let row = 0;
      let digit = c - ZERO;
      while (digit >= 0 && digit <= 9) {
        row = row * 10 + digit;
        digit = bytes[++i] - ZERO;
      }
      c = bytes[i];
      if (row < 1 || row > rows || (c !== SPACE && c !== TAB)) {
        throw wrongWordError(bytes, line, wordStart, `a row from 1 to ${rows}`);
      }
      while (c === SPACE || c === TAB) c = bytes[++i];

      wordStart = i;
      let col = 0;
      digit = c - ZERO;
      while (digit >= 0 && digit <= 9) {
        col = col * 10 + digit;
        digit = bytes[++i] - ZERO;
      }
      c = bytes[i];
      if (col < 1 || col > cols || (c !== SPACE && c !== TAB && c !== CARRIAGE_RETURN && c !== LINE_FEED)) {
        throw wrongWordError(bytes, line, wordStart, `a column from 1 to ${cols}`);
      }
      while (c === SPACE || c === TAB) c = bytes[++i];

      // The value, and the end of the line.
      let value = 1;
      if (hasValues) {
        value = scanner.scan(bytes, i);
        const end = scanner.end;
        c = bytes[end];
        if (end === i || (c !== SPACE && c !== TAB && c !== CARRIAGE_RETURN && c !== LINE_FEED)) {
          throw wrongWordError(bytes, line, i, 'a number');
        }
        if (field === 'integer' && !Number.isInteger(value)) throw wrongWordError(bytes, line, i, 'a whole number');
        if (Math.fround(value) !== value || scanner.isBeyondRange) {
          this.isRounded = true;
          this.losses.countScanned(value, field === 'integer' ? Number.POSITIVE_INFINITY : scanner.significand);
        }
        i = end;
      }
      while (c === SPACE || c === TAB || c === CARRIAGE_RETURN) c = bytes[++i];
      if (c !== LINE_FEED) throw wrongWordError(bytes, line, i, 'the end of the line');
      i++;

      // From here on, indices count from 0.
      row--;
      col--;
      if (row === col && symmetry === 'skew-symmetric' && value !== 0) {
        throw new ReadError(`line ${line}: found ${value} on the diagonal, expected 0 in a skew-symmetric matrix`);
      }
      if (row < lastRow || (row === lastRow && col <= lastCol)) sorted = false;
      lastRow = row;
      lastCol = col;
      if (add !== null) {
        n++;
        add(row, col, value);
        if (symmetry !== 'general' && row !== col) add(col, row, symmetry === 'symmetric' ? value : -value);
        continue;
      }
      rowIndices[n] = row;
      colIndices[n] = col;
      data[n++] = value;
    }
    this.#length = n;
    this.#line = line;
    this.#lastRow = lastRow;
    this.#lastCol = lastCol;
    this.#sorted = sorted;
  }

  /** The entries. Throws ReadError if there are fewer than the header declares. */
  complete(): CooArrays {
    const { rows, cols, entries } = this.#header;
    if (this.#length < entries) {
      throw new ReadError(
        `line ${this.#line + 1}: found the end after ${this.#length} of ${amount(entries, 'entry', 'entries')}`,
      );
    }
    return {
      rows,
      cols,
      length: this.#length,
      rowIndices: this.#rowIndices,
      colIndices: this.#colIndices,
      data: this.#data,
      sorted: this.#sorted,
    };
  }

  /** Doubles the arrays. */
  #grow(): void {
    const { entries } = this.#header;
    const { rowIndices, colIndices, data } = makeArrays(
      this.#header,
      Math.min(entries, Math.max(1024, 2 * this.#data.length)),
    );
    rowIndices.set(this.#rowIndices);
    colIndices.set(this.#colIndices);
    data.set(this.#data);
    this.#rowIndices = rowIndices;
    this.#colIndices = colIndices;
    this.#data = data;
  }
}

function makeArrays(header: MtxHeader, capacity: number): Pick<CooArrays, 'rowIndices' | 'colIndices' | 'data'> {
  return allocate(`${header.entries} entries`, 12 * capacity, () => ({
    rowIndices: new Uint32Array(capacity),
    colIndices: new Uint32Array(capacity),
    data: new Float32Array(capacity),
  }));
}
