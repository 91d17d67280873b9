import { counted } from '../../core/text/words.ts';
import { EntryComments, type EntryList, isPrintedByR } from './entry-list.ts';

// Recognises tables of text by their first lines: separator, names of columns, names of rows, remarks (comments).

const SNIFFED_BYTES = 512;
/** Fields that the lines of a table need at least: several lines, or a single line. */
const MIN_FIELDS = 2;
const MIN_FIELDS_OF_ONE_LINE = 4;

/** A whole field that is a number. Digits match in one way only: else a million of them would take minutes. */
const NUMBER = /^[+-]?((\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|nan|inf(inity)?|true|false)$/i;

/** Separators, in the order in which a line is searched for them; ' ' stands for any number of spaces. */
const SEPARATORS = ['\t', ';', ',', ' '];

/** A line of remarks, as NumPy, MATLAB and others write them around their numbers. */
const COMMENT = /^\s*(#|%|\/\/)/;

/**
 * Match a remark and, as group 1, what is before it: a number or a space. '%' and '//' begin a remark only if a line of
 * remarks begins so, because a number may have a percent sign.
 */
const REMARK = { '#': /(^|\s|(?:^|[\s,;])[+-]?[\d.]+(?:e[+-]?\d+)?)#/i, '%': /(\s)%/, '//': /(\s)\/\// } as const;
/** How a remark begins. */
export type Remark = keyof typeof REMARK;

/** Notes for the page: why the first column is not read. Of 'named rows', none of its fields may be a number. */
export const WHY_UNREAD = {
  'unnamed index': 'The first column has no name: it is an index and is not read.',
  'one name fewer':
    'There is one name fewer than columns: the first column contains the names of rows and is not read.',
  'named rows': 'The first column contains the names of rows and is not read.',
} as const;

/** What the first lines of a table determine about all others. */
export interface TableHead {
  readonly separator: string;
  readonly hasNames: boolean;
  /** why the first field of every line is not read; null if it is read */
  readonly unreadColumn: keyof typeof WHY_UNREAD | null;
  /** the entries that the lines contain according to the lines above them; null for rows of cells */
  readonly entries: EntryList | null;
  /** fields of the first line that are read */
  readonly width: number;
  /** what was found and expected if there are too few or too many names for the fields, else null */
  readonly refused: string | null;
}

/**
 * The head of a table, from its line of names, if it has one, and its first line of numbers, without a remark after them.
 * The first column contains the names of rows if there is one name fewer than fields, as R writes them, or if that column
 * has no name or has words. `comments`: the comments before the numbers; `name`: the file's.
 */
export function tableHead(
  names: string | null,
  line: string,
  comments = new EntryComments(),
  name = '',
  separator = separatorOf(line),
): TableHead {
  const fields = fieldsOf(line, separator);
  if (names === null) {
    const width = fields.length;
    const spaced = line.trim().split(/\s+/).length;
    // Lists of edges mix tabs and spaces.
    const entries = comments.entryList(null, /[\t ]/.test(separator) ? spaced : width, name);
    const isSpaced = entries !== null && separator === '\t';
    return {
      separator: isSpaced ? ' ' : separator,
      hasNames: false,
      unreadColumn: null,
      entries,
      width: isSpaced ? spaced : width,
      refused: null,
    };
  }
  const nameFields = fieldsOf(names, separator);
  const isWord = fields[0] !== '' && isName(fields[0]);
  const unreadColumn = unreadColumnOf(nameFields, fields, isWord || line.trimStart().startsWith('"'), isWord);
  const isOneMore = unreadColumn === 'one name fewer';
  const readNames = unreadColumn === null || isOneMore ? nameFields : nameFields.slice(1);
  const rejection =
    isOneMore || fields.length === nameFields.length
      ? null
      : `found ${counted(fields.length, 'field')} under ${counted(nameFields.length, 'name')}, expected ${nameFields.length}, or ${nameFields.length + 1} with the name of the row first`;
  const width = fields.length - (unreadColumn === null ? 0 : 1);
  const entries = comments.entryList(readNames, width, name);
  return { separator, hasNames: true, unreadColumn, entries, width, refused: rejection };
}

/** Why the first column is not read. `isWord`: its first field is a word; `isNamed`: it is a word or in quotes. */
function unreadColumnOf(
  nameFields: readonly string[],
  fields: readonly string[],
  isNamed: boolean,
  isWord: boolean,
): keyof typeof WHY_UNREAD | null {
  if (hasUnnamedFirst(nameFields)) return 'unnamed index';
  // A single name may be the title of the table.
  if (fields.length === nameFields.length + 1 && (nameFields.length > 1 || isNamed)) return 'one name fewer';
  return isWord && fields.length > 1 ? 'named rows' : null;
}

/** How a line of remarks begins; null for any other line. */
export function remarkOf(line: string): Remark | null {
  return (COMMENT.exec(line)?.[1] as Remark | undefined) ?? null;
}

/** A line of numbers without the remark at its end; `usedMarks`: how lines of remarks before it begin. */
export function withoutRemark(line: string, usedMarks: ReadonlySet<Remark>): string {
  const bare = line.replace(/"[^"]*"/g, (text) => '0'.repeat(text.length));
  const ends = (['#', '%', '//'] as const).map((remark) => {
    const match = remark === '#' || usedMarks.has(remark) ? REMARK[remark].exec(bare) : null;
    return match ? match.index + match[1].length : line.length;
  });
  // bounded: three kinds of remarks
  return line.slice(0, Math.min(...ends));
}

/** Whether a line may contain names: no field begins like a number, or all are whole numbers after an empty one. */
export function mayBeNames(line: string, separator = separatorOf(line)): boolean {
  const fields = fieldsOf(line, separator);
  const isUnnamed = hasUnnamedFirst(fields);
  const nameFields = isUnnamed ? fields.slice(1) : fields;
  if (isUnnamed && nameFields.every((field) => /^\d+$/.test(field) || TRUTH.test(field))) return true;
  return (
    nameFields.every((field) => isName(field) || TRUTH.test(field)) &&
    nameFields.some((field) => field !== '' && isName(field))
  );
}

/** The separator that a first line 'sep=;' names, as Excel reads and writes it; null for any other line. */
export function namedSeparator(line: string): string | null {
  return /^\ufeff?"?sep=([,;\t ])"?\s*$/i.exec(line)?.[1] ?? null;
}

/**
 * Whether a line may be names or values: it has only numbers in quotes, or True and False, perhaps after a name. It is a
 * line of names unless the next line is like it.
 */
export function isDoubtful(line: string, separator = separatorOf(line)): boolean {
  const [first, ...others] = fieldsOf(line, separator);
  if (areQuoted(line) && [first, ...others].every((field) => isNumber(field, separator))) return true;
  const mayBegin = TRUTH.test(first) || (others.length > 0 && first !== '' && isName(first));
  return mayBegin && others.every((field) => TRUTH.test(field));
}

/** Whether a line of numbers is like the doubtful line before it. */
export function isLikeDoubtful(doubtful: string, line: string, separator = separatorOf(line)): boolean {
  if (areQuoted(doubtful)) return areQuoted(line);
  return fieldsOf(line, separator).some((field) => TRUTH.test(field));
}

const TRUTH = /^(true|false)$/i;

/** Whether every field of a line is in quotes. */
function areQuoted(line: string): boolean {
  return /^\s*"/.test(line) && /^[\s,;]*$/.test(line.replace(/"[^"]*"/g, ''));
}

/** Whether a whole field is a number; its decimal point may be a comma where commas do not separate. */
export function isNumber(field: string, separator: string): boolean {
  return NUMBER.test(separator === ',' ? field : field.replace(',', '.'));
}

/**
 * Whether a file that begins with `head` (up to 512 bytes) is certainly a table of numbers: two lines or more with the
 * same number of fields, or one with four or more, after comments and at most one line of names. `between`: the fields
 * are separated by 'spaces', or by 'marks' (commas, semicolons or tabs).
 */
export function isTable(head: Uint8Array, between: 'marks' | 'spaces'): boolean {
  const lines = new TextDecoder().decode(head).split(/\r?\n/);
  const declaredSeparator = namedSeparator(lines[0]) ?? undefined;
  if (declaredSeparator !== undefined) lines.shift();
  const last = lines.pop() ?? '';
  // A file that ends here has no truncated line.
  if (head.length < SNIFFED_BYTES) lines.push(last);
  const filledLines = lines.filter((line) => line.trim() !== '');
  const remarks = new Set(filledLines.flatMap((line) => remarkOf(line) ?? []));
  const tableLines = filledLines.flatMap((line, i) =>
    remarkOf(line) !== null || (i === 0 && isPrintedByR(line)) ? [] : [withoutRemark(line, remarks)],
  );
  const names = tableLines.length > 0 && mayBeNames(tableLines[0], declaredSeparator) ? tableLines[0] : null;
  const rows = names === null ? tableLines : tableLines.slice(1);
  // `head` ends inside the first line, whose last field may be truncated.
  const isTruncated = tableLines.length === 0;
  const first = isTruncated ? last : rows[0];
  if (first === undefined) return false;
  const {
    separator,
    unreadColumn,
    refused: rejection,
  } = tableHead(names, first, undefined, undefined, declaredSeparator);
  if (rejection !== null || (separator === ' ') !== (between === 'spaces')) return false;
  const areNumbers = (fields: readonly string[], min: number): boolean =>
    fields.length >= min && fields.every((field) => isNumber(field, separator));
  if (isTruncated) return areNumbers(fieldsOf(last, separator).slice(0, -1), MIN_FIELDS_OF_ONE_LINE);
  const fields = rows.map((row) => fieldsOf(row, separator));
  const isEven = fields.every((row) => row.length === fields[0].length);
  const read = unreadColumn === null ? fields : fields.map((row) => row.slice(1));
  return (
    isEven &&
    read.every((row) => areNumbers(row, MIN_FIELDS)) &&
    (tableLines.length > 1 || fields[0].length >= MIN_FIELDS_OF_ONE_LINE)
  );
}

/** The separator of a line: the first of SEPARATORS that it contains outside quotes; ',' if it contains none. */
function separatorOf(line: string): string {
  const bare = line.replace(/"[^"]*"/g, '0');
  return SEPARATORS.find((separator) => (separator === ' ' ? bare.trim() : bare).includes(separator)) ?? ',';
}

/** The fields of a line, without the quotes around them. */
function fieldsOf(line: string, separator: string): readonly string[] {
  const isSpaced = separator === ' ';
  const text = isSpaced ? line.trim().replace(/("[^"]*")|\s+/g, (_, quoted?: string) => quoted ?? separator) : line;
  const fields: string[] = [''];
  let inQuotes = false;
  for (const c of text) {
    if (c === '"') inQuotes = !inQuotes;
    else if (c === separator && !inQuotes) fields.push('');
    else fields[fields.length - 1] += c;
  }
  return fields.map((field) => field.trim());
}

function hasUnnamedFirst(fields: readonly string[]): boolean {
  return fields[0] === '' && fields.length > 1;
}

/** Whether a field is a name: neither a number nor a malformed one, and without control characters. */
function isName(field: string): boolean {
  if (/\p{Cc}|^[[{<]/u.test(field)) return false;
  if (/^\d+\p{L}{2}/u.test(field)) return true;
  // Digits of any script: a line of numbers that cannot be read is not one of names.
  const isNumeral =
    /^[+-]?([.\p{Nd}]|(nan|inf|infinity|true|false)$)/iu.test(field) ||
    (/\p{Nd}/u.test(field) && !/\p{L}/u.test(field));
  return !isNumeral;
}
