import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { denseMatrix } from '../../core/matrix/index.ts';
import { cooNotes, csrOf, mergedCoo } from '../coo.ts';
import { DecimalScanner } from '../decimal.ts';
import { counted } from '../../core/story/words.ts';
import type { FileFormat, ReadResult } from '../file-format.ts';
import { lineBlocks, CARRIAGE_RETURN, LINE_FEED, SPACE, TAB, wrongWordError } from './text-lines.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import { type FileSource, windows1252Text } from '../source.ts';
import { isComment, isNumber, isTable, mayBeNames, type TableHead, tableHead, WHY_UNREAD } from './table-head.ts';
import { ValueLosses } from '../value-losses.ts';
import { allocate } from '../read-checks.ts';

const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const QUOTE = 0x22;

/**
 * Tables of text (CSV and the like): the cells of a matrix line by line or, under a header that names row, column and
 * value, one entry per line with indices from 0. Commas, semicolons, tabs or spaces separate the fields, as in the
 * first line of numbers. Comments before the table, other headers and names of rows are skipped (see `tableHead`). A
 * comma may be the decimal point if tabs or semicolons separate the fields and no number has a dot.
 * A file is recognised by numbers between 'marks' (commas, semicolons or tabs) in its first lines, or by its extension.
 */
export const csv: FileFormat = {
  id: 'csv',
  title: 'table of text',
  extensions: ['.csv', '.tsv', '.txt', '.dat'],
  sniff: (head) => isTable(head, 'marks'),
  read,
};

async function read(source: FileSource, job: Job): Promise<ReadResult> {
  const table = new TableReader();
  await readTable(source, job, table);
  return table.head.entryFields ? entriesResult(table, source, job) : cellsResult(table);
}

async function readTable(source: FileSource, job: Job, table: TableReader): Promise<void> {
  const pacer = new Pacer();
  for await (const block of lineBlocks(source)) {
    throwIfCancelled(job);
    table.feed(block);
    job.report({ what: 'Reading', ...source.position() });
    await pacer.pauseIfDue();
  }
  if (table.lines === 0) throw new ReadError('found no line of numbers');
}

function cellsResult(table: TableReader): ReadResult {
  const cells = table.numbers.finish();
  return { matrix: denseMatrix(table.lines, table.width, cells), notes: [...table.notes(), ...table.losses.notes()] };
}

async function entriesResult(table: TableReader, source: FileSource, job: Job): Promise<ReadResult> {
  const { row = 0, column = 1 } = table.head.entryFields ?? {};
  const [rowIndices, colIndices] = [table.indices.row.finish(), table.indices.column.finish()];
  const [rows, cols] = [rowIndices, colIndices].map((indices) =>
    indices.reduce((n, index) => Math.max(n, index + 1), 0),
  );
  const data = table.numbers.finish();
  const coo = { rows, cols, length: table.lines, rowIndices, colIndices, data, sorted: false };
  // Duplicate entries are summed in f64: if f32 rounded a value, the file is read again for its exact values.
  const result = await csrOf(
    mergedCoo(coo, 'general'),
    job,
    !table.isRounded
      ? null
      : (add) => readTable(source, job, new TableReader((value, i) => add(rowIndices[i], colIndices[i], value))),
    table.losses,
  );
  const first = table.head.unreadColumn === null ? 1 : 2;
  const shape = `Every line is an entry: row in field ${row + first}, column in field ${column + first}, both from 0. The shape is one more than the largest of each.`;
  return { matrix: result.matrix, notes: [...table.notes(), shape, ...table.losses.notes(), ...cooNotes(result)] };
}

/** Indices of entries have to be below this, since arrays as long as the shape are allocated. */
const INDEX_LIMIT = 2 ** 24;

/** Reads the lines of a table, block by block. */
class TableReader {
  head: TableHead = tableHead(null, '');
  readonly losses = new ValueLosses();
  /** cells, or the values of entries */
  readonly numbers = new GrowingArray(Float32Array);
  /** the rows of all entries, and their columns */
  readonly indices = { row: new GrowingArray(Uint32Array), column: new GrowingArray(Uint32Array) } as const;
  lines = 0; // of numbers
  /** fields of a line that hold cells; 0 until the first */
  width = 0;
  /** whether any value is not that of the file */
  isRounded = false;
  readonly #visit: ((value: number, entry: number) => void) | null;
  readonly #scanner = new DecimalScanner();
  #separator = COMMA;
  #line = 0;
  #comments = 0;
  #names: string | null = null;
  /** the line that defined `head`; 0 until then */
  #firstLine = 0;
  /** the first number with a decimal comma, as written */
  #withComma = '';
  /** 0 or 1 if the first column has been a running number from there so far, else NaN */
  #runningFrom = Number.NaN;

  /** With `visit` nothing is stored: it gets the value of every entry, as the f64 nearest to its text. */
  constructor(visit: ((value: number, entry: number) => void) | null = null) {
    this.#visit = visit;
    this.#scanner.isNearest = visit !== null;
  }

  notes(): readonly string[] {
    const { hasNames, unreadColumn, entryFields } = this.head;
    const from = this.#runningFrom;
    const withComma = this.#withComma;
    // Values may count by chance: 0, or 1 and 2, below names are taken for an index; without names, three in order.
    const isNumbered = from >= 0 && this.width > 1 && unreadColumn === null && this.lines >= (hasNames ? 1 + from : 3);
    return [
      ...(this.#comments > 0 ? [`${counted(this.#comments, 'line')} of comments before the table: not read.`] : []),
      ...(hasNames && entryFields === null ? ['The first line holds names: not read.'] : []),
      ...(unreadColumn === null ? [] : [WHY_UNREAD[unreadColumn]]),
      ...(isNumbered
        ? [`The first column counts from ${from}: if it is an index, open the file without the first column.`]
        : []),
      ...(withComma === '' ? [] : [`Commas are decimal: ${withComma} is ${withComma.replace(',', '.')}.`]),
    ];
  }

  /** Continues with a block of whole lines. Throws ReadError with line, column, found and expected. */
  feed(bytes: Uint8Array): void {
    const hasByteOrderMark = this.#line === 0 && BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte);
    for (let at = hasByteOrderMark ? BYTE_ORDER_MARK.length : 0; at < bytes.length;) {
      this.#line++;
      // Most of a file may be empty lines.
      if (bytes[at] === LINE_FEED) {
        at++;
        continue;
      }
      const end = bytes.indexOf(LINE_FEED, at);
      if (!isBlank(bytes, at, end) && !this.#isBeforeNumbers(bytes.subarray(at, end))) this.#readLine(bytes, at);
      at = end + 1;
    }
  }

  /** Whether a line is before the numbers: a comment, or names. */
  #isBeforeNumbers(line: Uint8Array): boolean {
    if (this.#firstLine > 0) return false;
    // Most of a file may be comments: they are recognised without decoding them.
    const at = skipSpaces(line, 0, COMMA);
    if (isComment(String.fromCharCode(line[at], line[at + 1]))) {
      this.#comments++;
      return true;
    }
    const text = new TextDecoder().decode(line);
    if (this.#names === null && mayBeNames(text)) {
      this.#names = text;
      return true;
    }
    this.#firstLine = this.#line;
    this.head = tableHead(this.#names, text);
    this.#separator = this.head.separator.charCodeAt(0);
    return false;
  }

  #readLine(bytes: Uint8Array, start: number): void {
    const { entryFields, unreadColumn } = this.head;
    const separator = this.#separator;
    const scanner = this.#scanner;
    let at = unreadColumn === null ? start : this.#afterName(bytes, start);
    let fields = 0;
    for (;;) {
      at = skipSpaces(bytes, at, separator);
      const isQuoted = bytes[at] === QUOTE;
      const from = isQuoted ? at + 1 : at;
      let value = scanner.scan(bytes, from);
      if (bytes[scanner.end] === COMMA && !scanner.hasPoint && (separator === TAB || separator === SEMICOLON)) {
        scanner.point = COMMA;
        value = scanner.scan(bytes, from);
        this.#withComma = windows1252Text(bytes.subarray(from, scanner.end));
      }
      const isWhole = scanner.end > from && (!isQuoted || bytes[scanner.end] === QUOTE);
      const end = isQuoted ? scanner.end + 1 : scanner.end;
      const next = skipSpaces(bytes, end, separator);
      const isEnd = bytes[next] === LINE_FEED;
      const isNext = separator === SPACE ? next > end : bytes[next] === separator;
      if (!isWhole || !(isEnd || isNext)) throw this.#wrongField(bytes, at);
      this.#take(value, fields, bytes, at);
      fields++;
      if (isEnd) break;
      at = separator === SPACE ? next : next + 1;
    }
    const expected = entryFields ? 3 : this.width;
    if (this.head.refused !== null) throw new ReadError(`line ${this.#line}: ${this.head.refused}`);
    if (this.lines === 0 && !entryFields) this.width = fields;
    else if (fields !== expected) {
      const unread = unreadColumn === null ? 0 : 1;
      throw new ReadError(
        `line ${this.#line}: found ${counted(fields + unread, 'field')}, expected ${expected + unread}`,
      );
    }
    this.lines++;
  }

  /** Handles one number of a line: the index of an entry, its value, or a cell. */
  #take(value: number, field: number, bytes: Uint8Array, at: number): void {
    const { entryFields } = this.head;
    if (field === 0) {
      if (this.lines === 0) this.#runningFrom = value === 0 || value === 1 ? value : Number.NaN;
      else if (value !== this.#runningFrom + this.lines) this.#runningFrom = Number.NaN;
    }
    if (entryFields === null || field === entryFields.value) {
      if (Math.fround(value) !== value || this.#scanner.isBeyondRange) {
        this.isRounded = true;
        this.losses.countScanned(value, this.#scanner.significand);
      }
      if (this.#visit) this.#visit(value, this.lines);
      else this.numbers.push(value);
      return;
    }
    const name = field === entryFields.row ? 'row' : 'column';
    if (field !== entryFields[name]) return;
    if (!Number.isInteger(value) || value < 0 || value >= INDEX_LIMIT) {
      throw this.#wrongField(bytes, at, `a ${name} from 0 to ${INDEX_LIMIT - 1}`);
    }
    if (this.#visit === null) this.indices[name].push(value);
  }

  /** The start of the field after the name of a row at `at`. */
  #afterName(bytes: Uint8Array, at: number): number {
    const from = skipSpaces(bytes, at, this.#separator);
    const to = this.#endOfField(bytes, from);
    if (bytes[to] === LINE_FEED) throw this.#wrongField(bytes, to, 'a number after the name of the row');
    const name = windows1252Text(bytes.subarray(from, to)).trim();
    if (this.head.unreadColumn === 'named rows' && isNumber(name, this.head.separator)) {
      throw this.#wrongField(bytes, from, `the name of a row, as in line ${this.#firstLine}`);
    }
    return to + 1;
  }

  /** The separator after the field at `at`, or the end of the line. */
  #endOfField(bytes: Uint8Array, at: number): number {
    let inQuotes = false;
    let i = at;
    for (; bytes[i] !== LINE_FEED; i++) {
      if (bytes[i] === QUOTE) inQuotes = !inQuotes;
      else if (!inQuotes && (bytes[i] === this.#separator || (bytes[i] === TAB && this.#separator === SPACE))) break;
    }
    return i;
  }

  #wrongField(bytes: Uint8Array, at: number, expected?: string): ReadError {
    const inner = bytes.subarray(at, bytes.indexOf(LINE_FEED, at)).indexOf(CARRIAGE_RETURN);
    if (inner >= 0 && skipSpaces(bytes, at + inner, SPACE) === at + inner) {
      return new ReadError(`line ${this.#line}: found a lone carriage return, expected lines that end in line feeds`);
    }
    const to = this.#endOfField(bytes, at);
    const found = windows1252Text(bytes.subarray(at, to)).trim();
    return wrongWordError(bytes, this.#line, at, expected ?? this.#expectedFor(found), at + found.length);
  }

  /** What should be in place of a field that is no number. */
  #expectedFor(found: string): string {
    const [point, other] = this.#scanner.point === COMMA ? [',', '.'] : ['.', ','];
    const isGrouped = new RegExp(`\\d[${other}' \u00a0]\\d{3}(?!\\d)`).test(found) || /\d[.,]\d+[.,]\d/.test(found);
    if (isGrouped) return 'a number without a thousands separator';
    if (new RegExp(`\\d[${other}]\\d`).test(found)) return `a number with '${point}' before its fraction`;
    return this.#line === this.#firstLine && this.#names === null ? 'a number, or a line of names alone' : 'a number';
  }
}

/** Skips spaces, of which carriage returns are some only where a line ends. */
function skipSpaces(bytes: Uint8Array, from: number, separator: number): number {
  let at = from;
  while (bytes[at] === SPACE || (bytes[at] === TAB && separator !== TAB)) at++;
  let end = at;
  while (bytes[end] === SPACE || bytes[end] === CARRIAGE_RETURN) end++;
  return bytes[end] === LINE_FEED ? end : at;
}

function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] !== SPACE && bytes[i] !== CARRIAGE_RETURN) return false;
  return true;
}

/** An array of numbers whose count is known only at the end; its capacity doubles. */
class GrowingArray<A extends Float32Array | Uint32Array> {
  readonly #type: new (length: number) => A;
  #array: A;
  #length = 0;

  constructor(type: new (length: number) => A) {
    this.#type = type;
    this.#array = new type(1024);
  }

  push(value: number): void {
    if (this.#length === this.#array.length) this.#grow();
    this.#array[this.#length++] = value;
  }

  /** The numbers; nothing may be added afterwards. */
  finish(): A {
    const whole = this.#array;
    return whole.length === this.#length ? whole : (whole.slice(0, this.#length) as A);
  }

  #grow(): void {
    const length = 2 * this.#array.length;
    const larger = allocate(`${length} numbers`, 4 * length, () => new this.#type(length));
    larger.set(this.#array);
    this.#array = larger;
  }
}
