import { countText, counted, shapeText } from '../../core/text/words.ts';
import type { Symmetry } from '../coo.ts';
import { quotedText, textOf } from './characters.ts';

// Recognises lists of entries (coordinate lists, lists of edges): an entry of the matrix per line, by row and column.

/** How the lines of a list of entries are read. Fields are numbered from 0; fields that are skipped have no number. */
export interface EntryList {
  readonly row: number;
  readonly column: number;
  /** null: no line has one, and every entry is 1 */
  readonly value: number | null;
  /** fields of a line */
  readonly width: number;
  /** fields with other content, such as a time, and a name for each */
  readonly unreadFields: readonly { readonly field: number; readonly name: string }[];
  /** whether indices count from 0; else from 1, unless one of them is 0 */
  readonly isFromZero: boolean;
  /** whether rows and columns are the same things, as in a graph */
  readonly isSquare: boolean;
  readonly symmetry: Symmetry;
  /** how the list was recognised: the line of names, the comments, the ending of the file's name, or the user's choice */
  readonly recognisedBy: 'names' | 'comments' | 'ending' | 'choice';
  /** whether version 0.2 read such a file as entries, too */
  readonly isKnownTo02: boolean;
}

/** Names of the columns of entries that version 0.2 recognised, in lower case: one of each list. */
const NAMES_OF_02: readonly (readonly string[])[] = [
  ['row', 'rows', 'row_index', 'i'],
  ['col', 'cols', 'column', 'col_index', 'j'],
  ['value', 'val', 'values', 'data', 'v'],
];

const ROW = 'row rows rowindex rowidx rowid rowno i'.split(' ');
const COLUMN = 'col cols column columns colindex columnindex colidx colid columnid colno j'.split(' ');
/** Names of the two ends of an edge, which go together. */
const ENDS: readonly (readonly [from: readonly string[], to: readonly string[]])[] = [
  [
    'source sourceid sourcenode src srcid'.split(' '),
    'target targetid targetnode tgt dst dstid dest destination'.split(' '),
  ],
  ['from fromid fromnode fromnodeid'.split(' '), 'to toid tonode tonodeid'.split(' ')],
  [['u'], ['v']],
  [['node1'], ['node2']],
];
const VALUE = 'value val values data v x weight weights w wt entry sign count'.split(' ');
/** Names of columns that programs write in addition to an edge, which are not read: Gephi, and lists of edges with times. */
const IGNORED = 'type id label timeset interval timestamp time'.split(' ');

/** A name as the lists above have it: 'Row Index', 'row_index' and 'RowIndex' are 'rowindex'. */
function normalised(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]/g, '');
}

/** The list of entries that names of columns describe; null if they do not. `recognisedBy`: where they are written. */
function namedEntries(names: readonly string[], recognisedBy: 'names' | 'comments'): EntryList | null {
  if (names.length < 2 || names.length > 2 + 1 + IGNORED.length) return null;
  const normalisedNames = names.map(normalised);
  // Names of a row and a column, or of the two ends of an edge, whose matrix is square.
  const [row, column, isSquare] = [
    [ROW, COLUMN, false] as const,
    ...ENDS.map(([from, to]) => [from, to, true] as const),
  ]
    .map(([from, to, square]) => [onlyIndex(normalisedNames, from), onlyIndex(normalisedNames, to), square] as const)
    .find(([from, to]) => from >= 0 && to >= 0) ?? [-1, -1, false];
  if (row < 0) return null;
  const value = normalisedNames.findIndex((name, field) => field !== row && field !== column && VALUE.includes(name));
  const unreadFields = names.flatMap((name, field) =>
    [row, column, value].includes(field) ? [] : [{ field, name: quotedText(name) }],
  );
  // With other columns it is a table, even if two of them have such names; rows and cols alone may be sizes.
  if (
    unreadFields.some(({ field }) => !IGNORED.includes(normalisedNames[field])) ||
    (unreadFields.length > 0 && !isSquare)
  )
    return null;
  if (value < 0 && [row, column].some((field) => /^(row|col|column)s$/.test(normalisedNames[field]))) return null;
  const isKnownTo02 = recognisedBy === 'names' && isEntriesOf02(names);
  return {
    row,
    column,
    unreadFields,
    isSquare,
    recognisedBy,
    isKnownTo02,
    value: value < 0 ? null : value,
    width: names.length,
    isFromZero: isSnap(normalisedNames) || !(isSquare || isOfR(normalisedNames)),
    symmetry: 'general',
  };
}

/** The index of the only name that is among `options`; -1 if there is none, or several. */
function onlyIndex(names: readonly string[], options: readonly string[]): number {
  const matches = names.filter((name) => options.includes(name));
  return matches.length === 1 ? names.indexOf(matches[0]) : -1;
}

function isEntriesOf02(names: readonly string[]): boolean {
  const lower = names.map((name) => name.toLowerCase());
  return names.length === 3 && NAMES_OF_02.every((options) => lower.some((name) => options.includes(name)));
}

/** Whether these are the names of columns that R prints for `summary` of a sparse matrix. R counts from 1. */
function isOfR(names: readonly string[]): boolean {
  return names.includes('i') && names.includes('j') && names.includes('x');
}

/** Whether these are the names of the Stanford collection (SNAP), which numbers nodes arbitrarily, with 0 among them. */
function isSnap(names: readonly string[]): boolean {
  return names.includes('fromnodeid');
}

/**
 * The list of entries without names: row and column, then perhaps a value and a time. `width`: fields of a line. Null
 * for lines of other widths.
 */
function unnamedEntries(width: number, recognisedBy: EntryList['recognisedBy'], isSquare: boolean): EntryList | null {
  if (width < 2 || width > (recognisedBy === 'choice' ? 3 : 4)) return null;
  return {
    row: 0,
    column: 1,
    value: width > 2 ? 2 : null,
    width,
    recognisedBy,
    isSquare,
    unreadFields: width > 3 ? [{ field: 3, name: 'field 4' }] : [],
    isFromZero: false,
    symmetry: 'general',
    isKnownTo02: false,
  };
}

/** Bytes of a comment that are read. */
export const COMMENT_BYTES = 256;
/** Number of comments that are read. */
const MAX_COMMENTS = 1000;

/** How R begins to print the entries of a sparse matrix: rows, x, cols, 'sparse Matrix of class "dgCMatrix", with 3 entries'. */
const PRINTED_BY_R =
  /^\s*(\d{1,10}) x (\d{1,10}) sparse Matrix of class "?([a-z])([a-z])\w*Matrix"?, with \d+ entr(?:y|ies)/;

/** Whether a line before the numbers was written by R. */
export function isPrintedByR(line: string): boolean {
  return PRINTED_BY_R.test(line);
}

/** Whether a file that begins with `head` is a list of edges of KONECT, the Network Repository or SNAP. */
export function isEdgeList(head: string): boolean {
  return KONECT.test(head) || /^#[^]*\n#\s*FromNodeId\s+ToNodeId\b/i.test(`#\n${head}`);
}

/** The first line of KONECT and the Network Repository: undirected, directed, or between two kinds of things. */
const KONECT = /^\s*%\s*(sym|asym|bip)\s+\w+/i;

/** Collects what the comments before the numbers state about a list of entries: shape, number of edges, names, symmetry. */
export class EntryComments {
  /** rows and columns */
  shape: readonly [rows: number, cols: number] | null = null;
  #edges: number | null = null;
  /** names of columns in the last comment that has some */
  #names: EntryList | null = null;
  /** 'sym', 'asym' or 'bip' */
  #konect: string | null = null;
  #isUndirected = false;
  #isOfR = false;
  #isSymmetricOfR = false;
  #count = 0;

  /** Reads a comment, or the line of R. */
  read(bytes: Uint8Array): void {
    if (this.#count++ >= MAX_COMMENTS) return;
    const line = textOf(bytes.subarray(0, COMMENT_BYTES));
    const text = line.replace(/^\s*(#|%|\/\/)+\s*/, '').trim();
    this.#names = namedEntries(text.split(/[\s,;]+/), 'comments') ?? this.#names;
    const konect = KONECT.exec(line);
    if (konect) this.#konect ??= konect[1].toLowerCase();
    this.#isUndirected ||= /\bundirected\b/i.test(text) || this.#konect === 'sym';
    const byR = PRINTED_BY_R.exec(line);
    if (byR) [this.#isOfR, this.#isSymmetricOfR] = [true, byR[4] === 's'];
    const counts = this.#konect === null ? null : /^(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})$/.exec(text);
    if (counts) this.#edges = Number(counts[1]);
    const shape =
      byR ??
      counts?.slice(1) ??
      /\bshape\b\W{0,3}(\d{1,10})\W{0,2}[x×,\s]\W{0,2}(\d{1,10})/i.exec(text) ??
      /\brows?\b\W{0,3}(\d{1,10})\W{1,3}col(?:umn)?s?\b\W{0,3}(\d{1,10})/i.exec(text);
    const nodes = /\bnodes\b\W{0,3}(\d{1,10})/i.exec(text);
    const edges = /\bedges\b\W{0,3}(\d{1,10})/i.exec(text);
    if (shape) this.shape = [Number(shape[1]), Number(shape[2])];
    else if (nodes) this.shape = [Number(nodes[1]), Number(nodes[1])];
    if (edges) this.#edges = Number(edges[1]);
  }

  /** Notes about entries that these comments announce; `lines`: the number of entries. */
  notes(lines: number): readonly string[] {
    return [
      ...(this.#edges === null || this.#edges === lines
        ? []
        : [`The comments announce ${counted(this.#edges, 'entry', 'entries')}, and there are ${countText(lines)}.`]),
      ...(this.#isUndirected
        ? ['The comments say “undirected”: an edge is the entry of its line, and not mirrored.']
        : []),
    ];
  }

  /**
   * The list of entries that the names above the numbers, the comments or the ending of the file's name describe; null if
   * none does. `readNames`: the names of the fields that are read; `width`: how many fields a line has.
   */
  entryList(readNames: readonly string[] | null, width: number, fileName: string): EntryList | null {
    const byNames = readNames === null ? null : namedEntries(readNames, 'names');
    const symmetry = this.#isSymmetricOfR ? 'symmetric' : 'general';
    if (byNames) {
      const isFromZero = byNames.isFromZero && !this.#isOfR;
      return byNames.width === width ? { ...byNames, isFromZero, symmetry } : null;
    }
    if (readNames !== null) return null;
    if (this.#names?.width === width) return this.#names;
    if (this.#konect !== null) return unnamedEntries(width, 'comments', this.#konect !== 'bip');
    return /\.(edges|edgelist)$/i.test(fileName) ? unnamedEntries(width, 'ending', true) : null;
  }
}

/** The list of entries if the user reads the lines as such; null unless lines have two or three fields. */
export function chosenEntries(width: number): EntryList | null {
  return unnamedEntries(width, 'choice', false);
}

/** Whether indices count from 0 or from 1. If from 1, subtracts 1 from every index of both arrays. */
export function countedFrom({ isFromZero }: EntryList, rowIndices: Uint32Array, colIndices: Uint32Array): 0 | 1 {
  if (isFromZero || rowIndices.includes(0) || colIndices.includes(0)) return 0;
  for (const indices of [rowIndices, colIndices]) for (let i = 0; i < indices.length; i++) indices[i]--;
  return 1;
}

/** The shape of a list of entries, whose indices now count from 0, and the note about it. */
export function shapeOf(
  { isSquare, isFromZero }: EntryList,
  firstIndex: 0 | 1,
  rowIndices: Uint32Array,
  colIndices: Uint32Array,
  announced: readonly [rows: number, cols: number] | null,
): { readonly shape: { readonly rows: number; readonly cols: number }; readonly note: string } {
  const needed = [rowIndices, colIndices].map((indices) => indices.reduce((n, index) => Math.max(n, index + 1), 0));
  const side = Math.max(needed[0], needed[1]);
  const [rows, cols] = isSquare ? [side, side] : needed;
  if (announced === null) {
    const largest = firstIndex === 0 ? 'one more than the largest' : 'the largest';
    const isFirstEmpty = isFromZero && !rowIndices.includes(0) && !colIndices.includes(0);
    return {
      shape: { rows, cols },
      note: `The shape is ${isSquare ? `square, ${largest} of all` : `${largest} of each`}.${isFirstEmpty ? ' No index is 0: row 0 and column 0 are empty.' : ''}`,
    };
  }
  const shape = { rows: Math.max(rows, announced[0]), cols: Math.max(cols, announced[1]) };
  const isEnough = shape.rows === announced[0] && shape.cols === announced[1];
  return {
    shape,
    note: isEnough
      ? 'The shape is given in the comments.'
      : `The comments say ${shapeText(announced[0], announced[1])}, and the largest indices need ${shapeText(shape.rows, shape.cols)}.`,
  };
}

/** How the note about a list of entries begins. */
const NOTE_BEGIN: Readonly<Record<EntryList['recognisedBy'], string>> = {
  names: 'Every line is an entry',
  comments: 'By its comments every line is an entry',
  ending: 'By the ending of the name every line is an entry',
  choice: 'Every line is an entry',
};

/** The note about how entries are read. `firstField`: the number of the first field that is read, counted from 1. */
export function entriesNote(
  { row, column, value, unreadFields, symmetry, recognisedBy }: EntryList,
  firstIndex: 0 | 1,
  firstField: number,
): string {
  return [
    `${NOTE_BEGIN[recognisedBy]}: row in field ${row + firstField}, column in field ${column + firstField}, both from ${firstIndex}.`,
    ...(value === null ? ['It has no value: every entry is 1.'] : []),
    ...(unreadFields.length > 0 ? [`Not read: ${unreadFields.map(({ name }) => name).join(', ')}.`] : []),
    ...(symmetry === 'symmetric' ? ['The matrix is symmetric: each is mirrored.'] : []),
  ].join(' ');
}

/** The note about lines that are read as rows of cells and may be entries. */
export function cellsNote(width: number, entries: EntryList | null): string {
  const fields = width === 2 ? 'row and column' : 'row, column and value';
  const why = entries === null ? `may be an entry (${fields})` : 'is an entry according to the lines above it';
  return `A line ${why}, and is read as a row of ${width} cells.`;
}
