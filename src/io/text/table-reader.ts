import { ReadError } from '../../core/errors.ts';
import { DecimalScanner } from '../decimal.ts';
import { counted } from '../../core/text/words.ts';
import type { LinesAs } from '../file-format.ts';
import { textOf } from './characters.ts';
import { chosenEntries, COMMENT_BYTES, EntryComments, type EntryList, isPrintedByR } from './entry-list.ts';
import { CARRIAGE_RETURN, isSpace, LINE_FEED, SPACE, TAB, wrongWordError } from './text-lines.ts';
import { joinedBytes, windows1252Text } from '../source.ts';
import {
  isDoubtful,
  isLikeDoubtful,
  isNumber,
  mayBeNames,
  namedSeparator,
  type Remark,
  remarkOf,
  type TableHead,
  tableHead,
  WHY_UNREAD,
  withoutRemark,
} from './table-head.ts';
import { ValueLosses } from '../value-losses.ts';
import { allocate } from '../read-checks.ts';

// Reads the lines of a text table: rows of cells, or entries with their indices and values.

const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const QUOTE = 0x22;
const HASH = 0x23;
const PERCENT = 0x25;
const SLASH = 0x2f;

/** Indices of entries have to be below this, since arrays as long as the shape are allocated. */
const INDEX_LIMIT = 2 ** 24;

/** Whether a number may be an index of an entry. */
function isIndex(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < INDEX_LIMIT;
}

/** Reads the lines of a table, block by block: comments, names, then lines of numbers. */
export class TableReader {
  head: TableHead = tableHead(null, '');
  readonly losses = new ValueLosses();
  /** cells, or the values of entries */
  readonly numbers = new GrowingArray(Float32Array);
  /** the rows of all entries, and their columns */
  readonly indices = { row: new GrowingArray(Uint32Array), column: new GrowingArray(Uint32Array) } as const;
  /** number of lines of numbers */
  lines = 0;
  /** fields of a line that contain cells; 0 until the first */
  width = 0;
  /** whether any value differs from the value in the file */
  isRounded = false;
  /** how entries are read; null for cells */
  list: EntryList | null = null;
  /** what the comments before the numbers announce about entries */
  readonly entryComments = new EntryComments();
  /** whether the first two fields of every line may be indices of an entry */
  areIndices = true;
  readonly #name: string;
  readonly #linesAs: LinesAs | '0.2' | undefined;
  readonly #visit: ((value: number, entry: number) => void) | null;
  readonly #scanner = new DecimalScanner();
  #separator = COMMA;
  /** number of the current line, from 1 */
  #line = 0;
  /** number of comment lines before the numbers */
  #commentsBefore = 0;
  /** number of comments between and after the numbers */
  #commentsAmong = 0;
  /** how comment lines before the numbers begin */
  readonly #remarkMarks = new Set<Remark>();
  /** the line of names before the numbers */
  #names: string | null = null;
  /** a first line that is names or numbers, depending on the next one: its text, its bytes and its number */
  #doubtful: { readonly text: string; readonly bytes: Uint8Array; readonly line: number } | null = null;
  /** the separator that the first line of the file names */
  #givenSeparator: string | undefined;
  /** whether any cell is True or False */
  #hasTruths = false;
  /** the line that defined `head`; 0 until then */
  #firstLine = 0;
  /** the first number with a decimal comma, as written */
  #withComma = '';
  /** 0 or 1 if the first column has been a running number from there so far, else NaN */
  #runningFrom = Number.NaN;

  /** `name`: the file's. With `visit` nothing is stored: it receives each entry's value, the f64 nearest to its text. */
  constructor(
    name: string,
    linesAs: LinesAs | '0.2' | undefined,
    visit: ((value: number, entry: number) => void) | null = null,
  ) {
    this.#name = name;
    this.#linesAs = linesAs;
    this.#visit = visit;
    this.#scanner.isNearest = visit !== null;
  }

  /** Whether every field is a number, so that the lines may be rows of cells: Gephi writes words next to its numbers. */
  get hasOnlyNumbers(): boolean {
    return this.list === null || this.list.unreadFields.length === 0 || this.list.recognisedBy !== 'names';
  }

  notes(): readonly string[] {
    const { hasNames, unreadColumn, entries } = this.head;
    // Comments that determine how entries are read, or their shape.
    const isRead = this.list !== null && (this.list.recognisedBy === 'comments' || this.entryComments.shape !== null);
    const from = this.#runningFrom;
    const withComma = this.#withComma;
    // Values may count by chance: 0, or 1 and 2, below names are taken for an index; without names, three in order.
    const isNumbered = from >= 0 && this.width > 1 && unreadColumn === null && this.lines >= (hasNames ? 1 + from : 3);
    return [
      ...(this.#commentsBefore > 0 && !isRead
        ? [`${counted(this.#commentsBefore, 'line')} of comments before the table: not read.`]
        : []),
      ...(this.#commentsAmong > 0 ? [`${counted(this.#commentsAmong, 'comment')} among the numbers: not read.`] : []),
      ...(hasNames && (this.list === null || entries === null)
        ? ['The first line contains names and is not read.']
        : []),
      ...(unreadColumn === null ? [] : [WHY_UNREAD[unreadColumn]]),
      ...(isNumbered
        ? [`The first column counts from ${from}: if it is an index, open the file without the first column.`]
        : []),
      ...(this.#hasTruths ? ['True and False are read as 1 and 0.'] : []),
      ...(withComma === '' ? [] : [`Commas are decimal: ${withComma} is ${withComma.replace(',', '.')}.`]),
    ];
  }

  /** Continues with a block of whole lines. Throws ReadError with line, column, found and expected. */
  feed(bytes: Uint8Array): void {
    const hasByteOrderMark = this.#line === 0 && BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte);
    for (let position = hasByteOrderMark ? BYTE_ORDER_MARK.length : 0; position < bytes.length;) {
      this.#line++;
      // Most of a file may be empty lines.
      if (bytes[position] === LINE_FEED) {
        position++;
        continue;
      }
      const end = bytes.indexOf(LINE_FEED, position);
      if (
        !isBlank(bytes, position, end) &&
        !this.#takeLineBeforeNumbers(bytes.subarray(position, end)) &&
        !this.#takeComment(bytes, position)
      ) {
        this.#readLine(bytes, position);
      }
      position = end + 1;
    }
  }

  /**
   * Reads a line that is before the numbers: a comment, or names. Returns false for a line of numbers, which is not read
   * yet; the first of them begins the numbers.
   */
  #takeLineBeforeNumbers(line: Uint8Array): boolean {
    if (this.#firstLine > 0) return false;
    // Most of a file may be comments: they are recognised by their first bytes.
    const position = skipSpaces(line, 0, COMMA);
    const remark = remarkOf(String.fromCharCode(line[position], line[position + 1]));
    if (remark !== null) {
      this.#commentsBefore++;
      this.#remarkMarks.add(remark);
      this.entryComments.read(line.subarray(position, position + COMMENT_BYTES));
      return true;
    }
    const text = new TextDecoder().decode(line);
    const declared = this.#line === 1 ? namedSeparator(text) : null;
    if (declared !== null) {
      this.#givenSeparator = declared;
      return true;
    }
    const quote = openQuote(line, 0, line.length);
    if (quote >= 0) throw openQuoteError(this.#line, quote);
    if (this.#names === null && isPrintedByR(text)) {
      this.#commentsBefore++;
      this.entryComments.read(line);
      return true;
    }
    if (this.#names === null && this.#doubtful === null) {
      if (isDoubtful(text, this.#givenSeparator)) {
        this.#doubtful = { text, bytes: joinedBytes([line, Uint8Array.of(LINE_FEED)]), line: this.#line };
        return true;
      }
      if (mayBeNames(text, this.#givenSeparator)) {
        this.#names = text;
        return true;
      }
    }
    if (this.#doubtful !== null && !isLikeDoubtful(this.#doubtful.text, text, this.#givenSeparator)) {
      this.#names = this.#doubtful.text;
      this.#doubtful = null;
    }
    if (this.#doubtful === null) this.#begin(text);
    else this.finish();
    return false;
  }

  /** Reads a doubtful line as numbers if no other line follows, or if the next is like it. */
  finish(): void {
    const doubtful = this.#doubtful;
    if (doubtful === null) return;
    this.#doubtful = null;
    const line = this.#line;
    this.#line = doubtful.line;
    this.#begin(doubtful.text);
    this.#readLine(doubtful.bytes, 0);
    this.#line = line;
  }

  /** Begins the numbers with this line. */
  #begin(text: string): void {
    this.#firstLine = this.#line;
    const first = withoutRemark(text, this.#remarkMarks);
    this.head = tableHead(this.#names, first, this.entryComments, this.#name, this.#givenSeparator);
    this.#separator = this.head.separator.charCodeAt(0);
    this.list = this.#chosenList();
  }

  /** How entries are read; null for cells. Throws ReadError if the user chose entries and the lines cannot be entries. */
  #chosenList(): EntryList | null {
    const { entries, width, unreadColumn } = this.head;
    switch (this.#linesAs) {
      case 'table':
        return null;
      case '0.2':
        return entries?.isKnownTo02 === true ? entries : null;
      case 'entries': {
        const chosen = entries ?? chosenEntries(width);
        if (chosen) return chosen;
        const unread = unreadColumn === null ? 0 : 1;
        throw new ReadError(
          `line ${this.#line}: found ${counted(width + unread, 'field')}, expected ${2 + unread} or ${3 + unread} for an entry: row, column and value`,
        );
      }
      default:
        return entries;
    }
  }

  /** Counts a line among the numbers if it is a comment, and returns whether it is one. */
  #takeComment(bytes: Uint8Array, start: number): boolean {
    const position = skipSpaces(bytes, start, COMMA);
    if (
      bytes[position] !== HASH &&
      bytes[position] !== PERCENT &&
      !(bytes[position] === SLASH && bytes[position + 1] === SLASH)
    )
      return false;
    if (this.head.unreadColumn !== null) {
      // The name of a row may begin with the same characters: then a number follows it.
      const next = this.#endOfField(bytes, position) + 1;
      this.#scanner.scan(bytes, skipSpaces(bytes, next, this.#separator));
      if (bytes[next - 1] !== LINE_FEED && this.#scanner.end > next) return false;
    }
    this.#commentsAmong++;
    return true;
  }

  /** Whether a comment begins at `position`, after a number that ends at `end`. */
  #isRemarkBehind(bytes: Uint8Array, end: number, position: number): boolean {
    if (bytes[position] === HASH) return true;
    if (position === end) return false;
    if (bytes[position] === PERCENT) return this.#remarkMarks.has('%');
    return bytes[position] === SLASH && bytes[position + 1] === SLASH && this.#remarkMarks.has('//');
  }

  /** Reads the fields of a line of numbers that begins at `start`. Throws ReadError for a field that is not a number. */
  #readLine(bytes: Uint8Array, start: number): void {
    const { unreadColumn } = this.head;
    const { list } = this;
    const hasUnreadFields = list !== null && list.unreadFields.length > 0;
    const separator = this.#separator;
    const scanner = this.#scanner;
    let position = unreadColumn === null ? start : this.#afterName(bytes, start);
    let fields = 0; // read so far
    for (;;) {
      position = skipSpaces(bytes, position, separator);
      if (hasUnreadFields && list.unreadFields.some(({ field }) => field === fields)) {
        position = this.#endOfField(bytes, position);
        fields++;
        if (bytes[position] === LINE_FEED) break;
        position++;
        continue;
      }
      const isQuoted = bytes[position] === QUOTE;
      const from = isQuoted ? position + 1 : position;
      let value = scanner.scan(bytes, from);
      if (bytes[scanner.end] === COMMA && !scanner.hasPoint && (separator === TAB || separator === SEMICOLON)) {
        scanner.point = COMMA;
        value = scanner.scan(bytes, from);
        this.#withComma = windows1252Text(bytes.subarray(from, scanner.end));
      }
      if (scanner.end === from) {
        const truth = truthAt(bytes, from);
        if (truth !== null) {
          [value, scanner.end] = truth;
          this.#hasTruths = true;
        }
      }
      const isNumeric = scanner.end > from && (!isQuoted || bytes[scanner.end] === QUOTE);
      const end = isQuoted ? scanner.end + 1 : scanner.end;
      const next = skipSpaces(bytes, end, separator);
      const isRemark = this.#isRemarkBehind(bytes, end, next);
      if (isRemark) this.#commentsAmong++;
      const isEnd = isRemark || bytes[next] === LINE_FEED;
      const isSeparated = separator === SPACE ? next > end : bytes[next] === separator;
      if (!isNumeric || !(isEnd || isSeparated)) throw this.#wrongField(bytes, position);
      this.#addNumber(value, fields, bytes, position);
      fields++;
      if (isEnd) break;
      position = separator === SPACE ? next : next + 1;
    }
    const expected = list?.width ?? this.width;
    if (this.head.refused !== null) throw new ReadError(`line ${this.#line}: ${this.head.refused}`);
    if (this.lines === 0 && list === null) this.width = fields;
    else if (fields !== expected) {
      const unread = unreadColumn === null ? 0 : 1;
      throw new ReadError(
        `line ${this.#line}: found ${counted(fields + unread, 'field')}, expected ${expected + unread}`,
      );
    }
    this.lines++;
  }

  /** Handles one number of a line: the index of an entry, its value, or a cell. */
  #addNumber(value: number, field: number, bytes: Uint8Array, position: number): void {
    const { list } = this;
    if (field < 2 && this.areIndices) this.areIndices = isIndex(value);
    if (field === 0) {
      if (this.lines === 0) this.#runningFrom = value === 0 || value === 1 ? value : Number.NaN;
      else if (value !== this.#runningFrom + this.lines) this.#runningFrom = Number.NaN;
    }
    if (list === null || field === list.value) {
      if (Math.fround(value) !== value || this.#scanner.isBeyondRange) {
        this.isRounded = true;
        this.losses.countScanned(value, this.#scanner.significand);
      }
      if (this.#visit) this.#visit(value, this.lines);
      else this.numbers.push(value);
      return;
    }
    const name = field === list.row ? 'row' : 'column';
    if (field !== list[name]) return;
    if (!isIndex(value)) {
      throw this.#wrongField(bytes, position, `a ${name} from 0 to ${INDEX_LIMIT - 1}`);
    }
    if (this.#visit === null) this.indices[name].push(value);
  }

  /** The start of the field after the name of a row at `position`. */
  #afterName(bytes: Uint8Array, position: number): number {
    const from = skipSpaces(bytes, position, this.#separator);
    const to = this.#endOfField(bytes, from);
    if (bytes[to] === LINE_FEED) throw this.#wrongField(bytes, to, 'a number after the name of the row');
    const name = textOf(bytes.subarray(from, to)).trim();
    if (this.head.unreadColumn === 'named rows' && isNumber(name, this.head.separator)) {
      throw this.#wrongField(bytes, from, `the name of a row, as in line ${this.#firstLine}`);
    }
    return to + 1;
  }

  /** The separator after the field at `position`, or the end of the line. */
  #endOfField(bytes: Uint8Array, position: number): number {
    let inQuotes = false;
    let i = position;
    for (; bytes[i] !== LINE_FEED; i++) {
      if (bytes[i] === QUOTE) inQuotes = !inQuotes;
      else if (!inQuotes && (bytes[i] === this.#separator || (bytes[i] === TAB && this.#separator === SPACE))) break;
    }
    return i;
  }

  /** The error for the field at `position`. */
  #wrongField(bytes: Uint8Array, position: number, expected?: string): ReadError {
    const lineStart = position === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, position - 1) + 1;
    const quote = openQuote(bytes, lineStart, bytes.indexOf(LINE_FEED, position));
    if (quote >= 0) return openQuoteError(this.#line, quote - lineStart);
    const inner = bytes.subarray(position, bytes.indexOf(LINE_FEED, position)).indexOf(CARRIAGE_RETURN);
    if (inner >= 0 && skipSpaces(bytes, position + inner, SPACE) === position + inner) {
      return new ReadError(`line ${this.#line}: found a lone carriage return, expected lines that end in line feeds`);
    }
    let to = this.#endOfField(bytes, position);
    while (to > position && isSpace(bytes[to - 1])) to--;
    return wrongWordError(
      bytes,
      this.#line,
      position,
      expected ?? this.#expectedFor(textOf(bytes.subarray(position, to))),
      to,
    );
  }

  /** What was expected instead of a field that is not a number, for the error message. */
  #expectedFor(fieldText: string): string {
    const [point, other] = this.#scanner.point === COMMA ? [',', '.'] : ['.', ','];
    const isGrouped =
      new RegExp(`\\d[${other}' \u00a0\u2009\u202f\u2019]\\d{3}(?!\\d)`).test(fieldText) ||
      /\d[.,]\d+[.,]\d/.test(fieldText);
    if (isGrouped) return 'a number without a thousands separator';
    if (new RegExp(`\\d[${other}]\\d`).test(fieldText)) return `a number with '${point}' before its fraction`;
    return this.#line === this.#firstLine && this.#names === null ? 'a number, or a line of names alone' : 'a number';
  }
}

/** The position of a quote without an end in the bytes [from, to): the last, if the number of quotes is odd; else -1. */
function openQuote(bytes: Uint8Array, from: number, to: number): number {
  let open = -1;
  for (
    let position = bytes.indexOf(QUOTE, from);
    position >= 0 && position < to;
    position = bytes.indexOf(QUOTE, position + 1)
  ) {
    open = open < 0 ? position : -1;
  }
  return open;
}

function openQuoteError(line: number, position: number): ReadError {
  return new ReadError(
    `line ${line}, column ${position + 1}: found a quote that does not end, expected another in this line`,
  );
}

/** The value (1 or 0) and the end of the word True or False at `position`, as NumPy, pandas and Excel write it; null for others. */
function truthAt(bytes: Uint8Array, position: number): readonly [value: number, end: number] | null {
  const [word] = /^(true|false)(?!\w)/i.exec(String.fromCharCode(...bytes.subarray(position, position + 6))) ?? []; // bounded: six
  return word === undefined ? null : [word.length === 4 ? 1 : 0, position + word.length];
}

/** Skips spaces. A carriage return counts as a space only at the end of a line. */
function skipSpaces(bytes: Uint8Array, from: number, separator: number): number {
  let position = from;
  while (bytes[position] === SPACE || (bytes[position] === TAB && separator !== TAB)) position++;
  let end = position;
  while (bytes[end] === SPACE || bytes[end] === CARRIAGE_RETURN) end++;
  return bytes[end] === LINE_FEED ? end : position;
}

/** Whether the bytes [from, to) are spaces and carriage returns only. */
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
    const array = this.#array;
    return array.length === this.#length ? array : (array.slice(0, this.#length) as A);
  }

  #grow(): void {
    const length = 2 * this.#array.length;
    const larger = allocate(`${length} numbers`, 4 * length, () => new this.#type(length));
    larger.set(this.#array);
    this.#array = larger;
  }
}
