import { unitText } from '../../../core/story/cell-unit.ts';
import { type Bar, bars } from '../../../core/story/flow/bars.ts';
import type { Cell, Span } from '../../../core/story/flow/cell-marks.ts';
import { type CellRow, cells } from '../../../core/story/flow/cells.ts';
import { apart, fitting, ink, key, note, stack } from '../../../core/story/flow/parts.ts';
import type { Part } from '../../../core/story/flow/room.ts';
import { counterBar } from '../../../core/story/flow/counter-bar.ts';
import type { FrameContext } from '../../../core/story/frames.ts';
import { wholeMegabytes } from '../../../core/story/rounded.ts';
import type { Tone } from '../../../core/story/scene.ts';
import { cellName } from '../../../core/story/scene-parts.ts';
import { bytesNumber, capitalised, counted, countText, shapeText, valueText } from '../../../core/story/words.ts';
import type { Block } from '../extract.ts';
import {
  type Facts,
  LANES_SHOWN,
  type FirstPair,
  largeBytes,
  lengthOf,
  listsAlone,
  rowsTitle,
  singles,
} from './facts.ts';

/* The parts that every picture of the story has: the matrix, the lists of column numbers below it, and the bytes. */

/** Rows that are drawn, and of these at most with words. */
const ROWS_SHOWN = 16;
const ROWS_WITH_WORDS = 8;
const WIDEST = 2.4;

/** The cells of some blocks. */
export function cellsOf(blocks: readonly Block[]): ReadonlySet<string> {
  return new Set(
    blocks.flatMap(({ rows, columns }) => Array.from(rows).flatMap((r) => Array.from(columns, (c) => cellName(r, c)))),
  );
}

/** Whether a cell is in a block. */
export const inBlock =
  ({ rows, columns }: Pick<Block, 'rows' | 'columns'>) =>
  (r: number, c: number): boolean =>
    rows.includes(r) && columns.includes(c);

/** The largest first; of these, the first rows. */
export const byLength = (blocks: readonly Block[]): readonly Block[] =>
  blocks.toSorted(
    (a, b) => b.rows.length - a.rows.length || a.rows[0] - b.rows[0] || b.columns.length - a.columns.length,
  );

/** How the matrix is drawn. */
interface MatrixLook {
  /** cells that the sentence is about; then `gone`: others in lists, and `ringed`: without a partner */
  readonly lit?: (row: number, col: number) => boolean;
  readonly gone?: ReadonlySet<string>;
  readonly ringed?: ReadonlySet<string>;
  /** the sentence is about columns, not weights: these have no words */
  readonly isQuiet?: boolean;
  /** rows that the sentence is about */
  readonly strong?: ArrayLike<number>;
  /** words beside rows */
  readonly beside?: ReadonlyMap<number, string>;
}

/** The rows that are drawn: those of the largest block and of the first pair, and others from the top. */
export function shownRows({ rows, largest, first }: Facts): readonly number[] {
  const own = [...new Set([...(largest?.rows ?? []), ...(first?.rows ?? [])])];
  const others = Array.from({ length: rows }, (_, r) => r).filter((r) => !own.includes(r));
  return [...own, ...others].slice(0, ROWS_SHOWN).toSorted((a, b) => a - b);
}

/** The matrix; without words where these have no room. */
export function matrix(f: Facts, look: MatrixLook): Part {
  const { lit = () => false, gone, ringed, isQuiet = false, strong = [], beside } = look;
  const cellOf = (r: number, c: number, isBare: boolean): Cell => {
    const [id, value] = [cellName(r, c), f.weightOf(r, c)];
    const label = `row ${f.rowNumber(r)}, column ${f.columnNumber(c)}: ${value === null ? '0' : valueText(value)}`;
    if (value === null) return { id, label };
    const isLit = lit(r, c);
    if (gone?.has(id) && !isLit) return { id: `gone ${id}`, look: 'ghost', label: `${label}, in a block`, about: [id] };
    const hasWords = !isBare && !isQuiet && (isLit || ringed?.has(id));
    return {
      id,
      tone: 'values',
      look: isLit ? 'lit' : 'plain',
      label,
      about: [id],
      ...(hasWords && { text: unitText(value, f.unit) }),
      ...(ringed?.has(id) && { ring: true }),
    };
  };
  const shown = shownRows(f);
  const draw = (isBare: boolean): Part =>
    cells(
      {
        count: f.cols,
        axis: (c) => String(f.columnNumber(c)),
        lines: 1,
        ...(isBare ? { bare: true } : { widest: f.texts, max: WIDEST }),
      },
      shown.map((r): CellRow => {
        const isStrong = Array.from(strong).includes(r);
        const title = `row ${f.rowNumber(r)}`;
        const after = beside?.get(r);
        return {
          id: `row ${r}`,
          title,
          ...(after !== undefined && { after }),
          strong: isStrong,
          tone: isStrong ? 'ink' : 'neutral',
          cell: (c) => cellOf(r, c, isBare),
        };
      }),
    );
  return shown.length > ROWS_WITH_WORDS ? low(draw(true)) : fitting(draw(false), draw(true));
}

/** px of the words beside many rows, in wide rooms: low rows leave room for larger words below. */
const LOW = 13;

function low(part: Part): Part {
  return { ...part, lay: (room, width) => part.lay({ ...room, em: Math.min(room.em, LOW) }, width) };
}

/** What coloured cells are. */
export function cellsKey({ unit }: Facts): Part {
  return key(
    'key',
    ['values', unit.name === null ? 'weight' : `weight, in ${unit.name}`],
    ['indices', 'column number'],
  );
}

/** A list of column numbers. */
interface List {
  readonly rows: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
  /** default: its rows */
  readonly title?: string;
  /** of a list that is not the one that is stored */
  readonly look?: Cell['look'];
  /** its columns that the sentence is about; default: all */
  readonly about?: ArrayLike<number>;
}

/** Lists of a picture, at most. */
const LISTS_SHOWN = 4;

interface ListsLook {
  /** rows of cells below the lists */
  readonly more?: readonly CellRow[];
  readonly said?: string;
  /** words right of the matrix */
  readonly afters?: readonly string[];
}

/** Lists of column numbers and more rows of the first, below their columns, or close together where these have no room; then these words. */
export function lists(f: Facts, all: readonly List[], { more = [], said = '', afters = [] }: ListsLook = {}): Part {
  const shown = all.slice(0, LISTS_SHOWN);
  const rest = all.length - shown.length;
  const hidden = [...new Set(shown.flatMap(({ rows }) => Array.from(rows)))].filter((r) => !shownRows(f).includes(r));
  const isHidden =
    hidden.length > 0
      ? `${capitalised(rowsTitle(f, hidden))} ${hidden.length === 1 ? 'is' : 'are'} not drawn above.`
      : '';
  const after = [rest > 0 ? `And ${counted(rest, 'more list')}.` : '', isHidden, said]
    .filter((one) => one !== '')
    .join(' ');
  const longest = shown.reduce((max, { columns }) => Math.max(max, columns.length), 0);
  // Equal columns below each other; where these have no room, from the left.
  const used = [...new Set(shown.flatMap(({ columns }) => Array.from(columns)))].toSorted((a, b) => a - b);
  const below = cells({ count: used.length, lines: 1, max: WIDEST, widest: more.length > 0 ? f.texts : [] }, [
    ...shown.map((list) => listRow(f, list, (i) => (Array.from(list.columns).includes(used[i]) ? used[i] : null))),
    ...more.map((row) => ({ ...row, cell: (i: number) => row.cell(used[i]) })),
  ]);
  const packed = cells({ count: longest, lines: 2, max: WIDEST, widest: f.texts }, [
    ...shown.map((list) => listRow(f, list, (i) => (i < list.columns.length ? list.columns[i] : null))),
    ...more.map((row) => ({ ...row, cell: (i: number) => row.cell(shown[0].columns[i]) })),
  ]);
  const isBare = shownRows(f).length > ROWS_WITH_WORDS;
  const aligned = cells({ count: f.cols, lines: 1, widest: f.texts, max: WIDEST, afters }, [
    ...shown.map((list) => listRow(f, list, (c) => (Array.from(list.columns).includes(c) ? c : null))),
    ...more,
  ]);
  const besides = apart(fitting(below, packed));
  return stack(isBare ? besides : fitting(aligned, besides), after === '' ? null : note('more lists', after));
}

function listRow(
  f: Facts,
  { rows, title = rowsTitle(f, rows), look, about }: List,
  columnAt: (i: number) => number | null,
): CellRow {
  return {
    id: `list of ${Array.from(rows).join(' ')}${look ? ` ${look}` : ''}`,
    title,
    tone: 'indices',
    cell: (i) => {
      const column = columnAt(i);
      if (column === null) return null;
      const isAbout = !about || Array.from(about).includes(column);
      const own = numberCell(f, rows[0], column, look ?? (isAbout ? 'lit' : 'plain'));
      return look ? { ...own, id: `${look} ${own.id}` } : own;
    },
  };
}

/** A column number in a list of rows, of which this is the first. */
export function numberCell(f: Facts, r: number, c: number, look: Cell['look'] = 'lit'): Cell {
  const text = String(f.columnNumber(c));
  return { id: `number ${r},${c}`, text, tone: 'indices', look, from: cellName(r, c), label: `column ${text}` };
}

/** Bytes of all weights, of stored zeros, of column numbers, and of the bookkeeping that finds them. */
function bytesBar({ bytes }: Facts, said: string, columns: number, zeros = 0, books = 0): Part {
  return counterBar({
    title: 'bytes',
    parts: [
      { tone: 'values', bytes: bytes.weights, name: 'weights' },
      { tone: 'padding', bytes: zeros, name: 'stored zeros' },
      { tone: 'indices', bytes: columns, name: 'column numbers' },
      { tone: 'metadata', bytes: books, name: 'bookkeeping' },
    ],
    dense: bytes.dense,
    said,
  });
}

/** The bytes with `kept` column numbers, and in the end with everything that is stored. */
export const numbersBar = (f: Facts, kept: number, said: string): Part => bytesBar(f, said, kept * f.numberBytes);
export const allBytes = (f: Facts, said: string, books = f.bytes.bookkeeping): Part =>
  bytesBar(f, said, f.bytes.columns, f.bytes.zeros, books);

/** The columns that both rows have. */
export function pairOf(f: Facts, rows: FirstPair['rows'], columns: readonly number[], look: MatrixLook = {}): Part {
  const lit = inBlock({ rows: Uint32Array.from(rows), columns: Uint32Array.from(columns) });
  return matrix(f, { lit, strong: rows, ...look });
}

export const startBar = (f: Facts): Part =>
  numbersBar(f, f.numbers.start, `${counted(f.numbers.start, 'column number')} in plain lists, one list for each row.`);

/** These columns, close together. */
export const sharedList = (f: Facts, count: number, cell: CellRow['cell'], spans: readonly Span[]): Part =>
  cells({ count, lines: 2, max: WIDEST, widest: f.texts }, [
    { id: 'shared', title: 'shared', tone: 'indices', cell, spans },
  ]);

export const bracket = (id: string, from: number, to: number, said: string): Span => ({
  id,
  from,
  to,
  said,
  tone: 'ink',
});

/** A list in the parts that lanes read: each reads some columns of its own in a turn. `said`: words behind the name of a part. */
export function laneCells(
  f: Facts,
  perLane: number,
  rows: readonly CellRow[],
  { said = '', widest = f.texts, max = WIDEST }: { said?: string; widest?: readonly string[]; max?: number } = {},
): Part {
  const { lanes } = f.t.encoded;
  const shown = Math.min(lanes, LANES_SHOWN);
  const spans = Array.from({ length: shown }, (_, lane) =>
    bracket(`lane ${lane}`, lane * perLane, (lane + 1) * perLane, `part ${lane + 1}${said}`),
  );
  const last = rows.length - 1;
  const look = { count: shown * perLane, group: perLane, whole: shown, lines: 2, max, widest };
  return cells(
    look,
    rows.map((one, i) => (i === last ? { ...one, spans } : one)),
  );
}

/** The lists of a level, and those of fewer rows that no larger one took. */
export const listsAt = ({ search: { levels, extraction } }: Facts, level: number): readonly Block[] =>
  byLength([...levels[level], ...extraction.sets.slice(1, level).flatMap(({ blocks }) => blocks)]);

/** Column numbers in the lists of a level, in those of fewer rows, and of weights that are left over. */
export function levelBar(f: Facts, level: number): Part {
  const kept = f.numbers.levels[level - 1];
  const all = listsAt(f, level);
  const lengths = all.length > LISTS_SHOWN ? [lengthOf(all)] : all.map(({ columns }) => columns.length);
  const alone = lengthOf(singles(f));
  const left = alone > 0 ? ` + ${countText(alone)} left over` : '';
  const sum = `${lengths.map(countText).join(' + ')} in lists${left}`;
  return numbersBar(f, kept, `${sum} = ${counted(kept, 'column number')}.`);
}

export const ALONE = 'plain lists';

/** Bytes of the cut with a list for each row, and as it is stored, by purpose. */
export function cutBars(f: Facts): readonly Bar[] {
  const { rows, bytes, numbers, numberBytes } = f;
  const { cut } = listsAlone(f, { whole: null });
  const bar = (id: string, title: string, all: number, parts: readonly (readonly [Tone, number, string])[]): Bar => {
    let end = 0;
    const shown = parts.filter(([, of]) => of > 0);
    return {
      id,
      title,
      after: [ink(counted(all, 'byte'))],
      parts: shown.map(([tone, of, said]) => ({ to: (end += of), tone, said: `${said} ${bytesNumber(of)} B` })),
    };
  };
  return [
    bar('alone', ALONE, cut, [
      ['values', bytes.weights, 'weights'],
      ['indices', numbers.start * numberBytes, 'column numbers'],
      ['metadata', 4 * (rows + 1), 'bookkeeping'],
    ]),
    bar('own', 'EC-SpMV', bytes.total, [
      ['values', bytes.weights, 'weights'],
      ['padding', bytes.zeros, 'stored zeros'],
      ['indices', bytes.columns, 'column numbers'],
      ['metadata', bytes.bookkeeping, 'bookkeeping'],
    ]),
  ];
}

/** Bytes of the whole matrix with a list for each row, and as it is stored; where the cut is all, of a large one. */
export function wholeBars(f: Facts, context: FrameContext): Part | null {
  const { all, own } = listsAlone(f, context);
  const { whole } = context;
  const isOwn = whole && all !== undefined;
  const large = isOwn
    ? { what: `the whole matrix, ${shapeText(whole.rows, whole.cols)}`, all, own }
    : largeBytes(context);
  if (!large) return null;
  const bar = (id: string, title: string, bytes: number, tone: Tone): Bar => ({
    id,
    title,
    parts: [{ to: bytes, tone, label: `${title}: ${counted(bytes, 'byte')}` }],
    after: [ink(isOwn ? counted(bytes, 'byte') : wholeMegabytes(bytes))],
  });
  const look = { id: 'whole', max: Math.max(large.all, large.own), height: 1.5, means: `another scale: ${large.what}` };
  return stack(
    bars(look, [bar('alone', ALONE, large.all, 'neutral'), bar('own', 'EC-SpMV', large.own, 'format')]),
    isOwn || large.own >= large.all ? null : note('why', 'Lists grow with the matrix, but the table does not.'),
  );
}
