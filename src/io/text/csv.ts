import { ReadError } from '../../core/errors.ts';
import { finishAsync, type Job } from '../../core/job.ts';
import { denseMatrix } from '../../core/matrix/index.ts';
import { cooNotes, csrFromCoo } from '../coo.ts';
import { DecimalScanner } from '../decimal.ts';
import { allocate, type FileFormat, type ReadResult } from '../file-format.ts';
import { isTable } from './csv-sniff.ts';
import { lineBlocks } from './line-blocks.ts';
import { Pacer, threadPace, throwIfCancelled } from '../../core/pace.ts';
import type { FileSource } from '../source.ts';
import { wrongWord } from './text-position.ts';
import { ValueLosses } from '../value-losses.ts';

type Numbers = Float32Array | Uint32Array;

/** An array of numbers whose count is known only at the end; its capacity doubles. */
class GrowingArray<A extends Numbers> {
  readonly #type: new (length: number) => A;
  #array: A;
  #length = 0;

  constructor(type: new (length: number) => A) {
    this.#type = type;
    this.#array = new type(1024);
  }

  push(value: number): void {
    this.put(this.#length, value);
  }

  /** Sets one at or past the end; elements in between are 0. */
  put(at: number, value: number): void {
    if (at >= this.#array.length) this.#grow(at + 1);
    this.#array[at] = value;
    if (at >= this.#length) this.#length = at + 1;
  }

  /** The numbers; nothing may be added afterwards. */
  finish(): A {
    const whole = this.#array;
    return whole.length === this.#length ? whole : (whole.slice(0, this.#length) as A);
  }

  #grow(min: number): void {
    const length = Math.max(min, 2 * this.#array.length);
    const larger = allocate(`${length} numbers`, 4 * length, () => new this.#type(length));
    larger.set(this.#array);
    this.#array = larger;
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const COMMA = 0x2c;
/** The byte order mark that some programs write. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const QUOTE = 0x22;

/** Names of the three columns of a table of entries, in lower case. */
const TRIPLET_NAMES: readonly (readonly string[])[] = [
  ['row', 'rows', 'row_index', 'i'],
  ['col', 'cols', 'column', 'col_index', 'j'],
  ['value', 'val', 'values', 'data', 'v'],
];

/**
 * Tables of text: cells of a matrix line by line or, under a header that names row, column and value, one entry per
 * line with indices from 0. Fields are separated by comma, semicolon or tab, whichever the first line uses. A header of
 * other names is skipped, and so is a first column without a name, as pandas writes its index.
 * Recognised by its first lines if these are numbers between commas, semicolons or tabs (see `isTable`); otherwise by
 * name.
 */
export const csv: FileFormat = {
  id: 'csv',
  title: 'table of text',
  extensions: ['.csv', '.tsv'],
  sniff: isTable,
  read,
};

/** The structure declared by the first line. */
interface TableHead {
  readonly separator: number;
  /** the positions of row, column and value among the three fields; null for a table of cells */
  readonly triplet: readonly number[] | null;
  readonly hasHeader: boolean;
  readonly hasIndex: boolean;
}

async function read(source: FileSource, job: Job): Promise<ReadResult> {
  const pacer = new Pacer();
  const table = new TableReader();
  for await (const block of lineBlocks(source)) {
    throwIfCancelled(job);
    table.feed(block);
    job.report({ what: 'Reading', ...source.position() });
    await pacer.breathe();
  }
  if (table.lines === 0) throw new ReadError('found no line of numbers');
  return table.head.triplet ? entriesResult(table, job) : cellsResult(table);
}

function cellsResult(table: TableReader): ReadResult {
  const cells = table.numbers.finish();
  return { matrix: denseMatrix(table.lines, table.width, cells), notes: [...table.notes(), ...table.losses.notes()] };
}

async function entriesResult(table: TableReader, job: Job): Promise<ReadResult> {
  const places = table.head.triplet ?? [];
  const numbers = table.indices.finish();
  const length = table.lines;
  const rowIndices = new Uint32Array(length);
  const colIndices = new Uint32Array(length);
  let rows = 0;
  let cols = 0;
  for (let i = 0; i < length; i++) {
    const row = numbers[2 * i];
    const col = numbers[2 * i + 1];
    rowIndices[i] = row;
    colIndices[i] = col;
    rows = Math.max(rows, row + 1);
    cols = Math.max(cols, col + 1);
  }
  const data = table.numbers.finish();
  const coo = { rows, cols, length, rowIndices, colIndices, data, sorted: false };
  const result = await finishAsync(csrFromCoo(coo, 'general'), job, threadPace);
  const shape = `Every line is an entry: row in field ${places[0] + 1}, column in field ${places[1] + 1}, both from 0. The shape is one more than the largest of each.`;
  return { matrix: result.matrix, notes: [shape, ...table.losses.notes(), ...cooNotes(result)] };
}

/**
 * Interprets the first line that is not empty. It holds names if none of its fields begins like a number: one odd
 * character in a line of numbers does not make it names. An empty first field is above an index, and then the others
 * may be whole numbers, as pandas names columns. Anything else is read as numbers.
 */
function readHead(line: Uint8Array): TableHead {
  const text = new TextDecoder().decode(line).replace(/^[ \r]+|[ \r]+$/g, '');
  const separator = ['\t', ';', ','].find((c) => text.includes(c)) ?? ',';
  const fields = splitFields(text, separator);
  const hasIndex = fields[0] === '' && fields.length > 1;
  const named = hasIndex ? fields.slice(1) : fields;
  const isNames = named.every(isName) && named.some((field) => field !== '');
  const hasHeader = isNames || (hasIndex && named.every((field) => /^\d+$/.test(field)));
  const known = { separator: separator.charCodeAt(0), hasHeader, hasIndex: hasHeader && hasIndex };
  const lower = fields.map((field) => field.toLowerCase());
  const places = TRIPLET_NAMES.map((names) => lower.findIndex((field) => names.includes(field)));
  const isTriplet = hasHeader && fields.length === 3 && places.every((at) => at >= 0);
  return { ...known, triplet: isTriplet ? places : null };
}

/** Whether a field is a name: neither a number nor a malformed one, and without control characters. */
function isName(field: string): boolean {
  return !/^([+-]?[.\d]|[+-]?(nan|inf|infinity)$)/i.test(field) && !/\p{Cc}/u.test(field);
}

/** The fields of a line, without the quotes around them. */
function splitFields(line: string, separator: string): readonly string[] {
  const fields: string[] = [''];
  let inQuotes = false;
  for (const c of line) {
    if (c === '"') inQuotes = !inQuotes;
    else if (c === separator && !inQuotes) fields.push('');
    else fields[fields.length - 1] += c;
  }
  return fields.map((field) => field.trim());
}

/** Largest index of an entry: arrays of the shape's length are allocated. */
const MAX_INDEX = 2 ** 24;

/** Reads the lines of a table. */
class TableReader {
  head: TableHead = { separator: COMMA, triplet: null, hasHeader: false, hasIndex: false };
  readonly losses = new ValueLosses();
  /** cells, or the values of entries */
  readonly numbers = new GrowingArray(Float32Array);
  /** row and column of each entry */
  readonly indices = new GrowingArray(Uint32Array);
  /** lines of numbers */
  lines = 0;
  /** fields that count in a line; 0 until the first */
  width = 0;
  readonly #scanner = new DecimalScanner();
  #line = 0;
  /** the line that defined `head`; 0 until then */
  #firstLine = 0;

  notes(): readonly string[] {
    const { hasHeader, hasIndex } = this.head;
    return [
      ...(hasHeader ? ['The first line holds names: not read.'] : []),
      ...(hasIndex ? ['The first column has no name: an index, not read.'] : []),
    ];
  }

  /** Continues with a block of whole lines. Throws ReadError with line, column, found and expected. */
  feed(bytes: Uint8Array): void {
    const hasMark = this.#line === 0 && BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte);
    for (let at = hasMark ? BYTE_ORDER_MARK.length : 0; at < bytes.length;) {
      this.#line++;
      // Most of a file may be empty lines.
      if (bytes[at] === LINE_FEED) {
        at++;
        continue;
      }
      const end = bytes.indexOf(LINE_FEED, at);
      if (!isBlank(bytes, at, end) && !this.#takesHead(bytes.subarray(at, end))) this.#readLine(bytes, at);
      at = end + 1;
    }
  }

  /** Whether a line is the first and holds names. */
  #takesHead(line: Uint8Array): boolean {
    if (this.#firstLine > 0) return false;
    this.#firstLine = this.#line;
    this.head = readHead(line);
    return this.head.hasHeader;
  }

  #readLine(bytes: Uint8Array, start: number): void {
    const { separator, triplet, hasIndex } = this.head;
    let at = start;
    let fields = 0;
    if (hasIndex) at = this.#afterField(bytes, at);
    for (;;) {
      at = skipSpaces(bytes, at, separator);
      const isQuoted = bytes[at] === QUOTE;
      const from = isQuoted ? at + 1 : at;
      const value = this.#scanner.scan(bytes, from);
      let next = this.#scanner.end;
      if (isQuoted && bytes[next] === QUOTE) next++;
      next = skipSpaces(bytes, next, separator);
      const isEnd = bytes[next] === LINE_FEED;
      if (this.#scanner.end === from || !(isEnd || bytes[next] === separator)) {
        const names = this.#line === this.#firstLine ? ', or a line of names alone' : '';
        throw wrongWord(bytes, this.#line, at, `a number${names}`);
      }
      this.#take(value, fields, bytes, at);
      fields++;
      at = next + 1;
      if (isEnd) break;
    }
    const wanted = triplet ? 3 : this.width;
    if (this.lines === 0 && !triplet) this.width = fields;
    else if (fields !== wanted) {
      throw new ReadError(`line ${this.#line}: found ${fields} fields, expected ${wanted}`);
    }
    this.lines++;
  }

  #take(value: number, field: number, bytes: Uint8Array, at: number): void {
    const { triplet } = this.head;
    if (triplet === null || field === triplet[2]) {
      if (Math.fround(value) !== value || this.#scanner.isBeyondRange)
        this.losses.countText(value, this.#scanner.significand);
      this.numbers.push(value);
      return;
    }
    const which = triplet.indexOf(field);
    if (which < 0) return;
    if (!Number.isInteger(value) || value < 0 || value >= MAX_INDEX) {
      const name = which === 0 ? 'row' : 'column';
      throw wrongWord(bytes, this.#line, at, `a ${name} from 0 to ${MAX_INDEX - 1}`);
    }
    this.indices.put(2 * this.lines + which, value);
  }

  /** The start of the field after the one at `at`. */
  #afterField(bytes: Uint8Array, at: number): number {
    let inQuotes = false;
    for (let i = at; bytes[i] !== LINE_FEED; i++) {
      if (bytes[i] === QUOTE) inQuotes = !inQuotes;
      else if (bytes[i] === this.head.separator && !inQuotes) return i + 1;
    }
    throw wrongWord(bytes, this.#line, at, 'a number after the index');
  }
}

function skipSpaces(bytes: Uint8Array, from: number, separator: number): number {
  let at = from;
  while (bytes[at] === SPACE || bytes[at] === CARRIAGE_RETURN || (bytes[at] === TAB && separator !== TAB)) at++;
  return at;
}

function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] !== SPACE && bytes[i] !== CARRIAGE_RETURN) return false;
  return true;
}
