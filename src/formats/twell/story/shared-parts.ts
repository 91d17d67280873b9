import { unitText } from '../../../story/cell-unit.ts';
import type { Cell, Span } from '../../../story/flow/cell-marks.ts';
import { type CellRow, cells } from '../../../story/flow/cells.ts';
import { tightStack, fitting, note, stack } from '../../../story/flow/parts.ts';
import type { Part } from '../../../story/flow/layout-space.ts';
import { cellName, pageStart, elementName } from '../../../story/scene-parts.ts';
import type { TextRun, Tone } from '../../../story/scene.ts';
import { counted, countText, valueText } from '../../../core/text/words.ts';
import { columnsOfTile, type DrawnTiles, type WindowFacts, firedColumns } from './facts.ts';
import { entryAt } from '../layout.ts';
import type { TileRow } from '../overflow.ts';

/* Parts of the pictures in TwELL's story: a token, with a cell per neuron in tiles, and the stored arrays of the token. */

/** Words in bold and in colour. */
export const boldText = (text: string, tone: Tone = 'ink'): TextRun => ({ text, strong: true, tone });

/** How a token is drawn. */
export interface TokenStyle {
  /** the tiles that are drawn; default: those of the example */
  readonly drawnTiles?: DrawnTiles;
  /** the colour of all cells, whether their neurons fired or not; default: only neurons that fired have a colour */
  readonly computed?: Tone;
  /** the name above a tile; default: its number */
  nameOf?(tile: number): string;
  /** tiles that the text is about */
  readonly lit?: readonly number[];
  /** columns of neurons that are made up to fire, drawn as '?' */
  readonly madeUp?: readonly number[];
}

/** The columns of the neurons that would have to fire, too, for a tile to overflow: the last that did not fire. */
export function madeUpColumns(f: WindowFacts, tileRow: TileRow): readonly number[] {
  const [from, to] = columnsOfTile(f, tileRow.tile);
  const fired = firedColumns(f, tileRow);
  const free = Array.from({ length: to - from }, (_, i) => from + i).filter((column) => !fired.includes(column));
  return free.slice(free.length - Math.max(0, f.capacity + 1 - fired.length));
}

/** The first column of some tiles, and how many columns they have. */
function columnsOf(f: WindowFacts, { from, to }: DrawnTiles): { readonly first: number; readonly count: number } {
  const [first] = columnsOfTile(f, from);
  return { first, count: Math.max(0, Math.min(to * f.t.encoded.tileWidth, f.window.cols) - first) };
}

/** Rows whose cells are the columns of the region: only those of the drawn tiles, with brackets above these. */
function drawnOnly(f: WindowFacts, drawnTiles: DrawnTiles, rows: readonly CellRow[]): readonly CellRow[] {
  const { first, count } = columnsOf(f, drawnTiles);
  if (count === f.window.cols) return rows;
  return rows.map((row): CellRow => {
    const spans = row.spans?.flatMap((span): Span[] => {
      const [from, to] = [Math.max(0, span.from - first), Math.min(count, span.to - first)];
      return from < to ? [{ ...span, from, to }] : [];
    });
    return { ...row, cell: (i) => row.cell(first + i), ...(spans && { spans }) };
  });
}

/** How many of the region's neurons are drawn; null if all are. */
export function notDrawn(f: WindowFacts, drawnTiles: DrawnTiles = f.drawnTiles): Part | null {
  const { count } = columnsOf(f, drawnTiles);
  const { cols } = f.window;
  return count === cols ? null : note('drawn', `${count} of ${countText(cols)} neurons are drawn.`, { size: 'small' });
}

/** That the tiles are counted from the region's first column; null if they are tiles of the matrix. */
export function ownTiles(f: WindowFacts): Part | null {
  if (f.isAligned) return null;
  const first = f.neuronNumber(0);
  return note(
    'own tiles',
    `This region begins within a tile of the matrix, so its tiles are counted from column ${countText(first)}.`,
  );
}

/** Brackets on a side of the tiles of a token, with their names; `id`: the first word of each bracket's id. */
function tileSpans(
  f: WindowFacts,
  id: string,
  { nameOf, lit = [] }: TokenStyle,
  side: 'above' | 'below',
): readonly Span[] {
  return Array.from({ length: f.t.encoded.tiles }, (_, tile): Span => {
    const [from, to] = columnsOfTile(f, tile);
    const text = nameOf?.(tile) ?? f.tileName(tile);
    return {
      id: `${id} ${tile}`,
      from,
      to,
      text,
      tone: lit.includes(tile) ? 'ink' : 'neutral',
      above: side === 'above',
    };
  });
}

/** A token of the window, as a row of cells. */
function token(f: WindowFacts, r: number, style: TokenStyle): CellRow {
  const { computed, madeUp = [] } = style;
  const cell = (column: number): Cell => {
    const value = f.valuesOfRows[r].get(column);
    const id = cellName(r, column);
    if (madeUp.includes(column)) return { id, text: '?', tone: 'neutral', ring: true, label: 'made up' };
    if (value === undefined) return { id, ...(computed && { style: 'lit', tone: computed }) };
    const label = `token ${f.tokenNumber(r)}, neuron ${f.neuronNumber(column)}: ${valueText(value)}`;
    return { id, text: unitText(value, f.unit), tone: computed ?? 'values', style: 'lit', label, highlightNames: [id] };
  };
  const spans = tileSpans(f, 'tile', style, 'above');
  return { id: `token ${r}`, title: `token ${f.tokenNumber(r)}`, strong: true, tone: 'ink', cell, spans };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The name of the worker (the story's word for a workgroup of the GPU) that computes a drawn tile: A is the first. */
export const workerOf = ({ drawnTiles }: WindowFacts, tile: number): string => LETTERS.charAt(tile - drawnTiles.from);

/** The name of a tile with its worker. */
export const withWorker =
  (f: WindowFacts): ((tile: number) => string) =>
  (tile) =>
    `${tile === f.drawnTiles.from ? 'worker ' : ''}${workerOf(f, tile)}: ${f.tileName(tile)}`;

/** Maximum width of a neuron's cell, in em. */
const TOKEN_CELL = 3;

/** How rows with a cell for each neuron are drawn. */
interface RowsStyle {
  /** whether with the numbers of the neurons */
  readonly hasAxis?: boolean;
  /** titles of rows whose cells begin at the same x */
  readonly besides?: readonly string[];
}

/** Tokens of the window, with a cell for each neuron. */
function tokens(
  f: WindowFacts,
  drawnTiles: DrawnTiles,
  rows: readonly CellRow[],
  { hasAxis = false, besides = [] }: RowsStyle,
): Part {
  const { first, count } = columnsOf(f, drawnTiles);
  const style = { group: f.t.encoded.tileWidth, max: TOKEN_CELL, widest: f.texts, besides, lines: 8 };
  return cells({ count, axis: hasAxis ? neuronAxis(f, first) : null, ...style }, drawnOnly(f, drawnTiles, rows));
}

/** The numbers of neurons above columns that begin at `first`. */
const neuronAxis =
  (f: WindowFacts, first: number) =>
  (i: number): string =>
    String(f.neuronNumber(first + i));

/** Rows with a cell for each neuron; where text does not fit, low rows, with the tiles named below the last. */
export function overNeurons(f: WindowFacts, rows: readonly CellRow[], drawnTiles: DrawnTiles = f.drawnTiles): Part {
  const named = rows.map((row, i) =>
    i === rows.length - 1 ? { ...row, spans: tileSpans(f, 'below', {}, 'below') } : row,
  );
  const titles = rows.flatMap(({ title }) => title ?? []);
  return fitting(
    tokens(f, drawnTiles, rows, {}),
    tightStack(named.map((row) => bareRows(f, drawnTiles, [row], { besides: titles }))),
  );
}

/** A single token, above every picture. */
export const tokenAbove = (f: WindowFacts, r: number, style: TokenStyle = {}): Part =>
  tokens(f, style.drawnTiles ?? f.drawnTiles, [token(f, r, style)], { hasAxis: true });

/** Maximum number of tokens that are drawn. */
export const TOKENS_SHOWN = 12;
/** Maximum number of rows whose cells have text. */
const MAX_ROWS_WITH_TEXT = 7;

/** The tokens `rows`: token `r`, which stays above, then the others, then the parts `below`. */
export function allTokens(
  f: WindowFacts,
  r: number,
  rows: readonly number[],
  style: TokenStyle,
  ...below: readonly Part[]
) {
  const top = pageStart(rows.length, Math.max(0, rows.indexOf(r)), TOKENS_SHOWN);
  const drawnRows = rows.slice(top, top + TOKENS_SHOWN).filter((row) => row !== r);
  const otherRows = drawnRows.map((row): CellRow => {
    return { ...token(f, row, style), strong: false, tone: 'neutral', spans: [] };
  });
  const isMany = otherRows.length > MAX_ROWS_WITH_TEXT;
  const { drawnTiles: tiles = f.drawnTiles } = style;
  const besides = [r, ...drawnRows].map((row) => `token ${f.tokenNumber(row)}`);
  /** The tokens of one part of the picture: the cells of all parts have one size. */
  const part = (tokenRows: readonly CellRow[], hasAxis: boolean): Part => {
    const low = bareRows(f, tiles, tokenRows, { hasAxis, besides });
    return isMany ? low : fitting(tokens(f, tiles, tokenRows, { hasAxis, besides }), low);
  };
  const hidden = rows.length - drawnRows.length - 1;
  return {
    above: otherRows.length === 0 ? tokenAbove(f, r, style) : part([token(f, r, style)], true),
    isJoined: otherRows.length > 0,
    body: stack(
      otherRows.length === 0 ? null : part(otherRows, false),
      hidden > 0 ? note('not shown', `${counted(hidden, 'token')} of ${rows.length} not shown.`) : null,
      notDrawn(f, tiles),
      below,
    ),
  };
}

/** The style of rows whose cells have no text. */
const BARE_CELLS = { bare: true, max: 1.2 } as const;

/** Low rows with a cell for each neuron, without text. */
function bareRows(
  f: WindowFacts,
  drawnTiles: DrawnTiles,
  rows: readonly CellRow[],
  { hasAxis = false, besides = [] }: RowsStyle,
): Part {
  const { first, count } = columnsOf(f, drawnTiles);
  const style = { ...BARE_CELLS, axis: hasAxis ? neuronAxis(f, first) : null, group: f.t.encoded.tileWidth, besides };
  return cells({ ...style, count, hasWeight: () => true }, drawnOnly(f, drawnTiles, rows));
}

/** Rows with a small cell for each drawn neuron, not grouped by tile. */
export function gridRows(f: WindowFacts, rows: readonly CellRow[]): Part {
  return cells({ ...BARE_CELLS, count: columnsOf(f, f.drawnTiles).count }, drawnOnly(f, f.drawnTiles, rows));
}

/** The token that the pictures show, with its tiles. */
export type ExampleToken = NonNullable<WindowFacts['exampleToken']>;

/** Whether the matrix has the packed layout: counts, values and columns in one array of words. */
export const isPacked = ({ t }: WindowFacts): boolean => t.encoded.layout === 'packed';

/** A neuron that fired, as a tile stores it: its value, or which one it is. */
export function entryCell(f: WindowFacts, tileRow: TileRow, k: number, part: 'values' | 'indices'): Cell | null {
  const column = firedColumns(f, tileRow).at(k);
  if (column === undefined) return null;
  const value = unitText(f.valuesOfRows[tileRow.row].get(column) ?? 0, f.unit);
  const from = cellName(tileRow.row, column);
  const text = part === 'values' ? value : String(f.neuronNumber(column));
  return { text, tone: part, style: 'lit', from, highlightNames: [from] };
}

/** The id of the element that stores the first neuron of a tile. */
export function entryName(f: WindowFacts, { row: r, tile }: TileRow, part: 'values' | 'indices'): string {
  const index = entryAt(f.t.encoded, r * f.t.encoded.tiles + tile, 0);
  return `${part} ${elementName(isPacked(f) ? 'words' : part, index)}`;
}

/** Titles of the rows of stored values and neurons, and the style of their cells. */
const storedTitle = (f: WindowFacts) =>
  isPacked(f) ? ({ title: 'stored', tone: 'neutral' } as const) : ({ title: 'values', tone: 'values' } as const);
const neuronsTitle = (f: WindowFacts) => (isPacked(f) ? {} : ({ title: 'neurons', tone: 'indices' } as const));
const storedStyle = (f: WindowFacts) =>
  ({ max: 3.2, grows: true, isJoined: true, widest: [...f.texts, ` ${f.neuronNumber(f.window.cols - 1)}`] }) as const;

/** What is stored of a token: the slots of each tile, values above neurons. `tilesSoFar`: the tiles stored so far; default: all. */
export function storedTiles(f: WindowFacts, { row: r, tiles }: ExampleToken, tilesSoFar?: readonly number[]): Part {
  const { encoded: e } = f.t;
  const first = isPacked(f) ? 1 : 0;
  /** The cell of slot i of the token, made from its tile and its slot in the tile; dashed if not stored yet. */
  const slotCell = (make: (tileRow: TileRow, k: number) => Cell | null) => (i: number) => {
    const tileRow = tiles[Math.floor(i / f.slots)];
    if (tilesSoFar && !tilesSoFar.includes(tileRow.tile)) return { style: 'ghost' } as const;
    return make(tileRow, i % f.slots);
  };
  const count = slotCell(({ tile, count: n }, k) => {
    if (k > 0) return null;
    const index = r * e.tiles + tile;
    const id = isPacked(f) ? elementName('words', index * e.slots) : elementName('counts', index);
    const label = `${f.tileName(tile)}: how many fired`;
    return { id, text: String(n), tone: 'metadata', style: 'lit', label, isTall: isPacked(f) };
  });
  const entry = (part: 'values' | 'indices') =>
    slotCell((tileRow, k) => {
      // The cell of a packed count is as tall as a value and its neuron.
      if (k < first) return null;
      const cell = entryCell(f, tileRow, k - first, part);
      if (!cell) return { tone: 'padding', style: 'plain', label: `${f.tileName(tileRow.tile)}: stored, but empty` };
      const id = elementName(isPacked(f) ? 'words' : part, r * e.tiles * e.slots + tileRow.tile * e.slots + k);
      return { ...cell, id: `${part} ${id}`, highlightNames: [...(cell.highlightNames ?? []), id] };
    });
  const value = entry('values');
  const names = tiles.map(({ tile }, i): Span => {
    return { id: `stored ${tile}`, from: i * f.slots, to: (i + 1) * f.slots, text: f.tileName(tile), tone: 'neutral' };
  });
  const counts: CellRow = { id: 'counts', title: 'counts', tone: 'metadata', cell: count };
  const cell = isPacked(f) ? (i: number) => (i % f.slots === 0 ? count(i) : value(i)) : value;
  // Each tile is as wide as its neurons above.
  const max = Math.max(3.2, (TOKEN_CELL * Math.min(e.tileWidth, f.window.cols)) / f.slots);
  return cells({ count: tiles.length * f.slots, group: f.slots, lines: 8, ...storedStyle(f), max }, [
    ...(isPacked(f) ? [] : [counts]),
    { id: 'values', ...storedTitle(f), cell },
    { id: 'neurons', ...neuronsTitle(f), cell: entry('indices'), spans: names },
  ]);
}

/**
 * One tile in `cellCount` cells: its count if packed, its slots, then neurons that do not fit, drawn as a question
 * ('asked') or as an error ('refused').
 */
export function tileCells(
  f: WindowFacts,
  tileRow: TileRow,
  id: string,
  cellCount: number,
  overflowStyle: 'asked' | 'refused',
): Part {
  const first = isPacked(f) ? 1 : 0;
  const end = first + f.capacity;
  const beyond = Math.max(1, tileRow.count - f.capacity);
  const tone = overflowStyle === 'asked' ? 'ink' : 'danger';
  const madeUp = madeUpColumns(f, tileRow);
  const fired = firedColumns(f, tileRow).length;
  const isOver = overflowStyle === 'refused' && tileRow.count > f.capacity;
  const count = {
    text: String(tileRow.count),
    tone: isOver ? 'danger' : 'metadata',
    style: 'lit',
    isTall: true,
  } as const;
  const entry =
    (part: 'values' | 'indices') =>
    (i: number): Cell | null => {
      if (i < first) return null;
      if (i >= end + beyond) return null;
      const cell = entryCell(f, tileRow, i - first, part);
      if (i < end && cell) return cell;
      const column = madeUp[i - first - fired] as number | undefined;
      if (i < end && column === undefined) return { tone: 'padding', style: 'plain' };
      const text = part === 'indices' && column !== undefined ? String(f.neuronNumber(column)) : '?';
      return { text: cell?.text ?? text, style: 'outline', tone };
    };
  const tile = f.tileName(tileRow.tile);
  const capacityText = isPacked(f) ? `fits ${f.capacity}` : `${tile}: fits ${f.capacity}, separate count`;
  const noSlot = overflowStyle === 'asked' ? 'where?' : 'no cell';
  const spans: Span[] = [
    ...(first > 0 ? [{ id: `fired ${id}`, from: 0, to: first, text: `${tileRow.count} fired`, tone: count.tone }] : []),
    ...(f.capacity > 0
      ? [{ id: `own ${id}`, from: first, to: end, text: capacityText, tone: 'neutral' as const }]
      : []),
    { id: `no room ${id}`, from: end, to: end + beyond, text: noSlot, tone },
  ];
  const value = entry('values');
  const cell = isPacked(f) ? (i: number) => (i === 0 ? count : value(i)) : value;
  return cells({ count: cellCount, focus: end, ...storedStyle(f), max: 6 }, [
    { id: `tile values ${id}`, ...storedTitle(f), ...(isPacked(f) && { title: tile }), cell },
    { id: `tile neurons ${id}`, ...neuronsTitle(f), cell: entry('indices'), spans },
  ]);
}

/** A row of boxes with signs between them, and a text below each box. */
export function sketch(title: string, boxes: readonly (Cell | string)[], below: readonly string[]): Part {
  const row = boxes.map((box): Cell => (typeof box === 'string' ? { text: box, tone: 'ink', style: 'words' } : box));
  const spans = below.map((text, i): Span => {
    return { id: `box ${i}`, from: 2 * i, to: 2 * i + 1, text, tone: 'neutral' };
  });
  // Spaces separate a text from the edges of its box.
  const sized = row.map(({ text }) => ` ${text ?? ''} `);
  return cells({ count: row.length, max: 9, sized }, [{ id: 'sketch', title, cell: (i) => row[i], spans }]);
}
