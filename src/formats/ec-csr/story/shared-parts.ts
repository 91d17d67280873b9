import { unitText } from '../../../story/cell-unit.ts';
import { type Bar, bars } from '../../../story/flow/bars.ts';
import type { Cell, Span } from '../../../story/flow/cell-marks.ts';
import { type CellRow, cells } from '../../../story/flow/cells.ts';
import { withGapAbove, fitting, ink, legend, note, stack } from '../../../story/flow/parts.ts';
import type { Part } from '../../../story/flow/layout-space.ts';
import { counterBar } from '../../../story/flow/counter-bar.ts';
import type { FrameContext } from '../../../story/frames.ts';
import { wholeMegabytes } from '../../../core/text/rounded.ts';
import { cellName } from '../../../story/scene-parts.ts';
import { bytesNumber, capitalised, counted, countText, valueText } from '../../../core/text/words.ts';
import type { Block } from '../extract.ts';
import { SET_FIELDS } from '../layout.ts';
import {
  type Facts,
  LANES_SHOWN,
  LISTS_SHOWN,
  type FirstPair,
  lengthOf,
  type Purposes,
  singles,
  stepSums,
} from './facts.ts';
import { LARGE, totalOf, twoWays } from './saved-bytes.ts';
import { blockColumns, columnStep, type EcCsrParams } from '../params.ts';
import { rowsTitle } from './step-texts.ts';

/* The parts of every picture of the EC-CSR story: the matrix, the lists of column numbers below it, and the bytes. */

/** Most rows that are drawn, and most rows with texts in their cells. */
const ROWS_SHOWN = 16;
const ROWS_WITH_WORDS = 8;
/** Widest cell, in em. */
const WIDEST = 2.4;

/** The ids of the cells of the matrix that are in these blocks. */
export function cellsOf(blocks: readonly Block[]): ReadonlySet<string> {
  return new Set(
    blocks.flatMap(({ rows, columns }) => Array.from(rows).flatMap((r) => Array.from(columns, (c) => cellName(r, c)))),
  );
}

/** Tests whether a cell is in the block. */
export const inBlock =
  ({ rows, columns }: Pick<Block, 'rows' | 'columns'>) =>
  (r: number, c: number): boolean =>
    rows.includes(r) && columns.includes(c);

/** Sorts blocks by number of rows, the most first; equal ones by their first row, then by number of columns, the most first. */
export const byRowCount = (blocks: readonly Block[]): readonly Block[] =>
  blocks.toSorted(
    (a, b) => b.rows.length - a.rows.length || a.rows[0] - b.rows[0] || b.columns.length - a.columns.length,
  );

/** How the matrix is drawn. */
interface MatrixStyle {
  /** tests whether the text is about a cell, which is highlighted */
  readonly lit?: (row: number, col: number) => boolean;
  /** ids of cells that have moved into a block, which are dashed */
  readonly moved?: ReadonlySet<string>;
  /** ids of cells that are left over, which have a ring */
  readonly ringed?: ReadonlySet<string>;
  /** which weights have their number as text; default: the weights of `lit` and `ringed` */
  readonly words?: 'all' | 'none';
  /** rows that the text is about */
  readonly strong?: ArrayLike<number>;
  /** texts next to rows */
  readonly labels?: ReadonlyMap<number, string>;
}

/** The rows that are drawn: the rows of the largest block and of the first pair, and others from the top. */
export function visibleRows({ rows, largest, first }: Facts): readonly number[] {
  const blockRows = [...new Set([...(largest?.rows ?? []), ...(first?.rows ?? [])])];
  const otherRows = Array.from({ length: rows }, (_, r) => r).filter((r) => !blockRows.includes(r));
  return [...blockRows, ...otherRows].slice(0, ROWS_SHOWN).toSorted((a, b) => a - b);
}

/** Draws the matrix; without texts in cells where these do not fit. */
export function matrix(f: Facts, style: MatrixStyle): Part {
  const { lit = () => false, moved, ringed, words, strong = [], labels } = style;
  const cellOf = (r: number, c: number, isBare: boolean): Cell => {
    const [id, value] = [cellName(r, c), f.weightOf(r, c)];
    const label = `row ${f.rowNumber(r)}, column ${f.columnNumber(c)}: ${value === null ? '0' : valueText(value)}`;
    if (value === null) return { id, label };
    const isLit = lit(r, c);
    const isRinged = ringed?.has(id) === true;
    if (moved?.has(id) && !isLit)
      return { id: `gone ${id}`, style: 'ghost', label: `${label}, in a block`, highlightNames: [id], ring: isRinged };
    const hasWords = !isBare && words !== 'none' && (words === 'all' || isLit || isRinged);
    return {
      id,
      tone: 'values',
      style: isLit ? 'lit' : 'plain',
      label,
      highlightNames: [id],
      ...(hasWords && { text: unitText(value, f.unit) }),
      ring: isRinged,
    };
  };
  const drawnRows = visibleRows(f);
  const draw = (isBare: boolean): Part =>
    cells(
      {
        count: f.cols,
        axis: (c) => String(f.columnNumber(c)),
        lines: 1,
        ...(isBare ? { bare: true } : { widest: f.texts, max: WIDEST }),
      },
      drawnRows.map((r): CellRow => {
        const isStrong = Array.from(strong).includes(r);
        const title = `row ${f.rowNumber(r)}`;
        const after = labels?.get(r);
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
  return isBareMatrix(f) ? withSmallText(draw(true)) : fitting(draw(false), draw(true));
}

/** Largest text of a matrix with many rows, in px: so the text below has space to be larger. */
const SMALL_TEXT = 13;

function withSmallText(part: Part): Part {
  return {
    ...part,
    lay: (available, width) => part.lay({ ...available, em: Math.min(available.em, SMALL_TEXT) }, width),
  };
}

/** Whether the cells of the matrix have no room for numbers. */
export const isBareMatrix = (f: Facts): boolean => visibleRows(f).length > ROWS_WITH_WORDS;

/** The legend of the colours of cells, with the unit of weights where these are written. */
export function cellsKey(f: Facts): Part {
  const { name } = f.unit;
  return legend(
    'key',
    ['values', name === null || isBareMatrix(f) ? 'weight' : `weight, in ${name}`],
    ['indices', 'column number'],
  );
}

/** A block whose column numbers are drawn as a list. */
interface List {
  readonly rows: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
  /** default: the numbers of the rows */
  readonly title?: string;
  /** style of all cells, for a list that differs from the stored list */
  readonly style?: Cell['style'];
  /** columns that the text is about; default: all */
  readonly columnsOfText?: ArrayLike<number>;
}

interface ListsStyle {
  /** `more`: rows of cells below the lists; `message`: the text below those rows */
  readonly more?: readonly CellRow[];
  readonly message?: string;
  /** texts to the right of the matrix; the lists leave the same width for them, so that columns align */
  readonly afters?: readonly string[];
}

/**
 * Draws lists, then `more` rows of cells for the first list. Each number is below its column of the matrix (`aligned`) or,
 * where that does not fit, next to the number before it (`packed`). A text below says what is not drawn.
 */
export function lists(f: Facts, all: readonly List[], { more = [], message = '', afters = [] }: ListsStyle = {}): Part {
  const drawnLists = all.slice(0, LISTS_SHOWN);
  const listsNotDrawn = all.slice(LISTS_SHOWN);
  const numbersNotDrawn = listsNotDrawn.reduce((sum, { columns }) => sum + columns.length, 0);
  const rowsNotDrawn = [...new Set(drawnLists.flatMap(({ rows }) => Array.from(rows)))].filter(
    (r) => !visibleRows(f).includes(r),
  );
  const rowsText =
    rowsNotDrawn.length > 0
      ? `${capitalised(rowsTitle(f, rowsNotDrawn))} ${rowsNotDrawn.length === 1 ? 'is' : 'are'} not drawn above.`
      : '';
  const textBelow = [
    listsNotDrawn.length > 0
      ? `And ${counted(listsNotDrawn.length, 'more list')} with ${counted(numbersNotDrawn, 'number')}.`
      : '',
    rowsText,
    message,
  ]
    .filter((text) => text !== '')
    .join(' ');
  const longest = drawnLists.reduce((max, { columns }) => Math.max(max, columns.length), 0);
  const packed = cells({ count: longest, lines: 2, max: WIDEST, grows: true, widest: f.texts }, [
    ...drawnLists.map((list) => listRow(f, list, (i) => (i < list.columns.length ? list.columns[i] : null))),
    ...more.map((row) => ({ ...row, cell: (i: number) => row.cell(drawnLists[0].columns[i]) })),
  ]);
  const isBare = isBareMatrix(f);
  const aligned = cells({ count: f.cols, lines: 1, widest: f.texts, max: WIDEST, afters }, [
    ...drawnLists.map((list) => listRow(f, list, (c) => (Array.from(list.columns).includes(c) ? c : null))),
    ...more,
  ]);
  const packedLists = withGapAbove(packed);
  return stack(
    isBare ? packedLists : fitting(aligned, packedLists),
    textBelow === '' ? null : note('more lists', textBelow),
  );
}

function listRow(
  f: Facts,
  { rows, title = rowsTitle(f, rows), style, columnsOfText }: List,
  columnAt: (i: number) => number | null,
): CellRow {
  return {
    id: `list of ${Array.from(rows).join(' ')}${style ? ` ${style}` : ''}`,
    title,
    tone: 'indices',
    cell: (i) => {
      const column = columnAt(i);
      if (column === null) return null;
      const isHighlighted = !columnsOfText || Array.from(columnsOfText).includes(column);
      const cell = numberCell(f, rows[0], column, style ?? (isHighlighted ? 'lit' : 'plain'));
      return style ? { ...cell, id: `${style} ${cell.id}` } : cell;
    },
  };
}

/** The cell of column `c` in the list of a block whose first row is `r`. */
export function numberCell(f: Facts, r: number, c: number, style: Cell['style'] = 'lit'): Cell {
  const text = String(f.columnNumber(c));
  return { id: `number ${r},${c}`, text, tone: 'indices', style, from: cellName(r, c), label: `column ${text}` };
}

/** The bar of bytes: weights, stored zeros, column numbers, and bookkeeping (rows and starts of blocks). */
export function bytesBar({ bytes }: Facts, text: string, columns: number, zeros = 0, bookkeeping = 0): Part {
  return counterBar({
    title: 'bytes',
    parts: [
      { tone: 'values', bytes: bytes.weights, name: 'weights' },
      { tone: 'padding', bytes: zeros, name: 'stored zeros' },
      { tone: 'indices', bytes: columns, name: 'column numbers' },
      { tone: 'metadata', bytes: bookkeeping, name: 'bookkeeping' },
    ],
    dense: bytes.dense,
    text,
  });
}

/** A bar with the bytes of the weights and of `count` column numbers. */
export const numbersBar = (f: Facts, count: number, text: string): Part => bytesBar(f, text, count * f.numberBytes);
/** A bar with the bytes of everything that is stored. */
export const allBytes = (f: Facts, text: string, bookkeeping = f.bytes.bookkeeping): Part =>
  bytesBar(f, text, f.bytes.columns, f.bytes.zeros, bookkeeping);

/** The matrix with these cells of two rows lit. */
export function pairOf(f: Facts, rows: FirstPair['rows'], columns: readonly number[], style: MatrixStyle = {}): Part {
  const lit = inBlock({ rows: Uint32Array.from(rows), columns: Uint32Array.from(columns) });
  return matrix(f, { lit, strong: rows, ...style });
}

export const startBar = (f: Facts): Part =>
  numbersBar(f, f.numbers.start, `${counted(f.numbers.start, 'column number')} in plain lists, one list for each row.`);

/** The cells of shared columns, without gaps. */
export const sharedList = (f: Facts, count: number, cell: CellRow['cell'], spans: readonly Span[]): Part =>
  cells({ count, lines: 2, max: WIDEST, grows: true, widest: f.texts }, [
    { id: 'shared', title: 'shared', tone: 'indices', cell, spans },
  ]);

export const bracket = (id: string, from: number, to: number, text: string): Span => ({
  id,
  from,
  to,
  text,
  tone: 'ink',
});

/** The first reads of each drawn thread, from any list: cells without numbers, those of the first read dark. */
export function threadReads(f: Facts): Part {
  const { vectorSize } = f.t.encoded;
  const perLane = READS_DRAWN * vectorSize;
  const cell = (i: number): Cell => ({
    id: `place ${i}`,
    style: i % perLane < vectorSize ? 'lit' : 'plain',
    label: 'column number',
  });
  return laneCells(f, perLane, [{ id: 'any list', title: 'any list', tone: 'indices', cell }], { reads: READS_DRAWN });
}

const READS_DRAWN = 2;

/** Draws a list in the parts that threads (lanes) read, and marks the first `reads` reads of each. */
export function laneCells(
  f: Facts,
  perLane: number,
  rows: readonly CellRow[],
  { id = '', message = '', widest = f.texts, max = WIDEST, reads = 1 }: LanesStyle = {},
): Part {
  const { lanes, vectorSize } = f.t.encoded;
  const drawnLanes = Math.min(lanes, LANES_SHOWN);
  const spans = Array.from({ length: drawnLanes }, (_, lane) =>
    bracket(`${id}lane ${lane}`, lane * perLane, (lane + 1) * perLane, `thread ${lane + 1}${message}`),
  );
  const readSpans = Array.from({ length: drawnLanes * reads }, (_, i): Span => {
    const [lane, read] = [Math.floor(i / reads), i % reads];
    const from = lane * perLane + read * vectorSize;
    const to = Math.min(from + vectorSize, (lane + 1) * perLane);
    return { ...bracket(`read ${read + 1} of ${lane}`, from, to, `read ${read + 1}`), above: true };
  });
  const last = rows.length - 1;
  const style = {
    count: drawnLanes * perLane,
    group: perLane,
    groupsPerLine: drawnLanes,
    lines: 2,
    max,
    grows: true,
    widest,
  };
  return cells(
    style,
    rows.map((row, i) => ({ ...row, spans: [...(i === 0 ? readSpans : []), ...(i === last ? spans : [])] })),
  );
}

interface LanesStyle {
  /** prefix of the ids of marks */
  readonly id?: string;
  /** text after a thread's name */
  readonly message?: string;
  readonly widest?: readonly string[];
  readonly max?: number;
  /** how many reads of each thread are marked */
  readonly reads?: number;
}

/** The lists of a level, and the remaining lists of earlier levels. */
export const listsAt = ({ search: { levels, extraction } }: Facts, level: number): readonly Block[] =>
  byRowCount([...levels[level], ...extraction.sets.slice(1, level).flatMap(({ blocks }) => blocks)]);

/** A bar with the bytes after a level: the weights, and the column numbers of shared lists and of left-over weights. */
export function levelBar(f: Facts, level: number): Part {
  const numbers = f.numbers.levels[level - 1];
  const all = listsAt(f, level);
  const lengths = all.length > LISTS_SHOWN ? [lengthOf(all)] : all.map(({ columns }) => columns.length);
  const leftOver = lengthOf(singles(f));
  const leftOverText = leftOver > 0 ? ` + ${countText(leftOver)} left over` : '';
  const sum = `${lengths.map(countText).join(' + ')} shared${leftOverText}`;
  return numbersBar(f, numbers, `${sum} = ${counted(numbers, 'column number')}.`);
}

/** The title of the bar of bytes that plain lists, one for each row, would need. */
export const ALONE = 'plain lists';

/** Purposes of bytes, in the order of a bar. */
const PURPOSES = [
  ['weights', 'values', 'weights'],
  ['zeros', 'padding', 'stored zeros'],
  ['columns', 'indices', 'column numbers'],
  ['bookkeeping', 'metadata', 'bookkeeping'],
] as const;

/** A bar of bytes by purpose, with a dashed rest up to `max`. `textFor` returns the text in a part of the bar. */
function purposeBar(
  { id, title, after }: Pick<Bar, 'id' | 'title' | 'after'>,
  bytes: Purposes,
  max: number,
  textFor: (name: string, bytes: number) => string | null,
): Bar {
  let end = 0;
  const filled = PURPOSES.filter(([purpose]) => bytes[purpose] > 0).map(([purpose, tone, name]) => {
    const [count, text] = [bytes[purpose], textFor(name, bytes[purpose])];
    return { to: (end += count), tone, label: `${name}: ${counted(count, 'byte')}`, ...(text !== null && { text }) };
  });
  const rest = end < max ? [{ to: max, tone: 'neutral', style: 'ghost' } as const] : [];
  return { id, title, parts: [...filled, ...rest], ...(after !== undefined && { after }) };
}

const inBytes = (name: string, bytes: number): string => `${name} ${bytesNumber(bytes)} B`;

/** Bytes of the window (the rows that the story shows) in plain lists, one per row, and as stored in EC-CSR. */
export function savingBars(f: Facts): Part {
  const { plain: plainBytes, ecCsr: ecCsrBytes } = twoWays(f, { wholeMatrix: null }).cut;
  const plainTotal = totalOf(plainBytes);
  const ecCsrTotal = totalOf(ecCsrBytes);
  const max = Math.max(plainTotal, ecCsrTotal);
  const sum = `${countText(plainTotal - plainBytes.bookkeeping)} + ${countText(plainBytes.bookkeeping)} = `;
  const difference = `  ${countText(Math.abs(ecCsrTotal - plainTotal))} ${ecCsrTotal < plainTotal ? 'less' : 'more'}`;
  return bars(
    {
      id: 'cut',
      max,
      height: 1.5,
      meaning: `bytes as drawn, for ${countText(f.t.encoded.lanes)} threads`,
    },
    [
      purposeBar(
        { id: 'alone', title: ALONE, after: [{ text: sum }, ink(counted(plainTotal, 'byte'))] },
        plainBytes,
        max,
        inBytes,
      ),
      purposeBar(
        { id: 'own', title: 'EC-SpMV', after: [ink(counted(ecCsrTotal, 'byte')), { text: difference }] },
        ecCsrBytes,
        max,
        inBytes,
      ),
    ],
  );
}

/** Bytes of all column numbers without steps and with them, by the lists that have them, whose changes add up. */
export function stepBars(f: Facts): Part {
  const { shared, alone, fill } = stepSums(f);
  const [fullBytes, stepBytes] = [shared.without + alone.without, f.bytes.columns];
  const name = shared.without > 0 ? 'left over' : 'own lists';
  const bar = (
    id: string,
    title: string,
    [ofShared, ofAlone, ofFill]: readonly number[],
    after: NonNullable<Bar['after']>,
  ): Bar => {
    const named = [
      { bytes: ofShared, name: 'shared', tone: 'indices' },
      { bytes: ofAlone, name, tone: 'indices' },
      { bytes: ofFill, name: 'fill', tone: 'padding' },
    ] as const;
    let end = 0;
    const parts = named
      .filter(({ bytes }) => bytes > 0)
      .map((part) => ({ to: (end += part.bytes), tone: part.tone, text: inBytes(part.name, part.bytes) }));
    return { id, title, parts, after };
  };
  const more = stepBytes - fullBytes;
  const change = more === 0 ? 'as many' : `${countText(Math.abs(more))} ${more > 0 ? 'more' : 'less'}`;
  return bars(
    { id: 'all lists', max: Math.max(fullBytes, stepBytes), height: 1.1, meaning: 'column numbers of all lists' },
    [
      bar('full', 'full numbers', [shared.without, alone.without, 0], [ink(counted(fullBytes, 'byte'))]),
      bar(
        'steps',
        'with steps',
        [shared.with, alone.with, fill],
        [ink(counted(stepBytes, 'byte')), { text: `  ${change}` }],
      ),
    ],
  );
}

/** The numbers of the bookkeeping, as bars: rows of lists, starts of lists, and what describes each kind of list. */
export function bookkeepingBars({ infos, t }: Facts): Part {
  const { rowIndices, blockPtr, sets } = t.encoded;
  const listsOf = new Map<number, number>();
  for (const { granularity, blocks } of infos) listsOf.set(granularity, (listsOf.get(granularity) ?? 0) + blocks);
  const rows = Array.from(listsOf, ([height, count]) =>
    Math.min(height, count) === 1 ? String(height * count) : `${count} \u00d7 ${height}`,
  ).join(' + ');
  const count = blockPtr.length - infos.length;
  const bar = (id: string, title: string, length: number, sum: string): Bar => {
    const total = sum === String(length) ? '' : `${sum} = `;
    const label = `${title}: ${counted(length, 'number')}`;
    return {
      id,
      title,
      parts: [{ to: length, tone: 'metadata', label }],
      after: `${total}${counted(length, 'number')}`,
    };
  };
  return bars(
    {
      id: 'kinds',
      max: Math.max(rowIndices.length, blockPtr.length, sets.length),
      height: 1.1,
      meaning: 'bookkeeping of EC-SpMV: numbers of 4 bytes',
    },
    [
      bar('rows', 'rows of lists', rowIndices.length, rows),
      bar('starts', 'starts of lists', blockPtr.length, `${counted(count, 'list')} + ${counted(infos.length, 'end')}`),
      bar('sizes', 'kinds', sets.length, `${counted(infos.length, 'kind')} \u00d7 ${SET_FIELDS}`),
    ],
  );
}

/** For this text: without shared lists a kernel reads 61.7 MB, with them 57.2 (docs/performance.md). */
const SAVED_BY = 'Lists are long here: most is saved by steps of one byte, little by sharing.';

/** Like `savingBars`, of the whole matrix or, where the window is all of it, of `LARGE`. */
export function largerBars(f: Facts, context: FrameContext): Part {
  const { larger } = twoWays(f, context);
  const isLarge = larger === LARGE;
  const max = Math.max(totalOf(larger.plain), totalOf(larger.ecCsr));
  const textFor = isLarge ? (name: string) => (name === 'bookkeeping' ? name : null) : inBytes;
  const bar = (id: string, title: string, bytes: Purposes): Bar => {
    const all = totalOf(bytes);
    const after = [ink(isLarge ? wholeMegabytes(all) : counted(all, 'byte'))];
    return purposeBar({ id, title, after }, bytes, max, textFor);
  };
  return stack(
    bars({ id: 'whole', max, height: 1.5, meaning: larger.what }, [
      bar('alone', ALONE, larger.plain),
      bar('own', 'EC-SpMV', larger.ecCsr),
    ]),
    isLarge ? note('saved by', SAVED_BY) : noneSharedNote(f, context),
  );
}

/** Why the same cells grow where lists are for as many threads as a GPU has: no row is long enough for a shared list. */
function noneSharedNote({ t }: Facts, { wholeMatrix }: FrameContext): Part | null {
  if (wholeMatrix?.rows !== t.window.rows || wholeMatrix.cols !== t.window.cols) return null;
  const params = wholeMatrix.params as EcCsrParams;
  const shared = blockColumns(params);
  if (params.lanes === t.encoded.lanes || wholeMatrix.cols >= shared) return null;
  const { lanes, vectorSize } = params;
  const product = `${lanes} \u00d7 ${vectorSize} = ${shared} columns`;
  return note(
    'none shared',
    `With ${lanes} threads, a shared list has at least ${product}: none here. Each row\u2019s list is filled up to a multiple of ${columnStep(params)}.`,
  );
}
