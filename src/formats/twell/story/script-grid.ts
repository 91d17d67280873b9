import { GUTTER, NARROW, WIDE, cellText, type DrawingLayout, words } from '../../../core/story/drawing.ts';
import type { DrawnMark } from '../../../core/story/scene.ts';
import { cellName, magnitudeLevels } from '../../../core/story/scene-parts.ts';
import { valueText } from '../../../core/story/words.ts';
import { columnsOfTile } from './script-find.ts';
import type { TwellTrace } from './trace.ts';

/*
 * Tokens as rows of cells, in tiles. On a phone a token is folded into lines.
 */

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Between tiles. */
const TILE_GAP = 4;
/** Cells are at most this wide. */
const MAX_PITCH = 40;
/** Cells of a line on a phone. */
const FOLD = 16;
/** Narrower cells have no number, and zeros no cell of their own. */
const MIN_NUMBERED = 15;
const MIN_POINTS = 7;
const HEADING = 17;
/** Height of a label. */
const LABEL = 13;
/** A line of a folded token is at least this high; otherwise tokens are not folded. */
const MIN_LINE = 11;
const TOKEN_LABEL = 15;

/** The largest size up to `max` at which words fit a width in the mono face; null if they are too small to read. */
function fitting(text: string, width: number, max = 12): number | null {
  const size = Math.floor(2 * Math.min(max, (width - (width < 30 ? 2 : 6)) / (0.6 * Math.max(1, text.length)))) / 2;
  return size >= MIN_POINTS ? size : null;
}

/** Text and size of a mark's words, if they fit. */
export function fitted(text: string, width: number, max?: number): { text?: string; size?: number } {
  const size = fitting(text, width, max);
  return size === null ? {} : { text, size };
}

/** Where the cells of some tokens are. */
export interface TokenGrid {
  cell(row: number, col: number): Rect;
  /** of the part of a tile that is in one line */
  tile(row: number, tile: number): Rect;
  readonly rows: readonly number[];
  /** whether cells are large enough for numbers, and for a cell of each zero */
  readonly isNumbered: boolean;
  readonly labels: readonly DrawnMark[];
  readonly bottom: number;
}

/** Extent that a grid may take. `more`: a second line below the label of a token. */
interface GridPlace {
  readonly y: number;
  readonly height: number;
  readonly hasHeading?: boolean;
  readonly maxCell?: number;
  readonly more?: (row: number) => string;
}

export function tokenGrid(layout: DrawingLayout, t: TwellTrace, rows: readonly number[], place: GridPlace): TokenGrid {
  const lines = layout === 'narrow' ? foldedLines(t, rows, place) : 0;
  return lines > 0 ? foldedGrid(t, rows, place, lines) : flatGrid(layout, t, rows, place);
}

/** One line a token. */
function flatGrid(layout: DrawingLayout, t: TwellTrace, rows: readonly number[], place: GridPlace): TokenGrid {
  const { params, window, encoded } = t;
  const isWide = layout === 'wide';
  const left = isWide ? GUTTER : 0;
  const room = (isWide ? WIDE.width : NARROW.width) - left;
  const gap = window.cols > 128 ? 0 : TILE_GAP;
  const pitch = Math.min(MAX_PITCH, (room - gap * Math.max(0, encoded.tiles - 1)) / Math.max(1, window.cols));
  const heading = place.hasHeading === true ? HEADING : 0;
  const line = Math.min(place.maxCell ?? 33, (place.height - heading) / Math.max(1, rows.length));
  const isNumbered = pitch >= MIN_NUMBERED && line >= MIN_LINE;
  const at = (row: number): number => place.y + heading + rows.indexOf(row) * line;
  const w = pitch - (pitch < 8 ? pitch * 0.12 : 2);
  const h = line - (line < 8 ? line * 0.12 : line > 24 ? 3 : 2);
  const x = (col: number): number => left + col * pitch + Math.floor(col / params.tileWidth) * gap;
  const labels: DrawnMark[] = [];
  if (isWide) {
    const every = Math.max(1, Math.ceil(LABEL / line));
    for (const [i, row] of rows.entries()) {
      if (i % every !== 0) continue;
      // A second line needs the room of two.
      const more = line < 2 * LABEL ? undefined : place.more?.(row);
      const y = Math.max(place.y + heading - 2, at(row) + h / 2 - (more === undefined ? 8 : 15));
      labels.push(words(`token ${row}`, { x: 0, y }, `token ${row}`, { size: 12 }));
      if (more !== undefined)
        labels.push(words(`token more ${row}`, { x: 0, y: y + 15 }, more, { size: 11, strong: true }));
    }
    if (heading > 0 && window.cols > 0) {
      labels.push(words('neuron', { x: 0, y: place.y }, 'neuron', { size: 11 }));
      for (const col of headingColumns(t, pitch))
        labels.push(
          words(`neuron ${col}`, { x: x(col) + w / 2, y: place.y }, String(col), {
            size: 11,
            align: 'middle',
            face: 'mono',
          }),
        );
    }
  }
  return {
    rows,
    isNumbered,
    labels,
    bottom: place.y + heading + rows.length * line,
    cell: (row, col) => ({ x: x(col), y: at(row), w, h }),
    tile: (row, tile) => {
      const { from, to } = columnsOfTile(t, tile);
      return { x: x(from), y: at(row), w: x(Math.max(from, to - 1)) + w - x(from), h };
    },
  };
}

/** First columns of tiles that are far enough from each other, and the last column. */
function headingColumns({ params, window }: TwellTrace, pitch: number): readonly number[] {
  const columns: number[] = [];
  const far = 24 / pitch;
  for (let col = 0; col < window.cols; col += params.tileWidth)
    if (columns.length === 0 || col - columns[columns.length - 1] >= far) columns.push(col);
  const last = window.cols - 1;
  if (last - columns[columns.length - 1] >= far) columns.push(last);
  return columns;
}

/** Columns of a line on a phone: whole tiles, if they fit. */
function perLine({ params, window }: TwellTrace): number {
  const whole = params.tileWidth <= FOLD ? FOLD - (FOLD % params.tileWidth) : FOLD;
  return Math.max(1, Math.min(whole, window.cols));
}

/** Lines of a token on a phone; 0 if folded lines would be too low. */
function foldedLines(t: TwellTrace, rows: readonly number[], { height, maxCell = 33 }: GridPlace): number {
  const lines = Math.ceil(t.window.cols / perLine(t));
  const line = (height / Math.max(1, rows.length) - TOKEN_LABEL) / Math.max(1, lines);
  return line >= Math.min(MIN_LINE, maxCell) ? lines : 0;
}

function foldedGrid(t: TwellTrace, rows: readonly number[], place: GridPlace, lines: number): TokenGrid {
  const { params } = t;
  const columns = perLine(t);
  const gap = params.tileWidth <= FOLD ? TILE_GAP : 0;
  const tilesInLine = Math.ceil(columns / params.tileWidth);
  const pitch = Math.min(MAX_PITCH, (NARROW.width - gap * (tilesInLine - 1)) / columns);
  const block = Math.min((place.maxCell ?? 33) * lines + TOKEN_LABEL, place.height / Math.max(1, rows.length));
  const line = (block - TOKEN_LABEL) / lines;
  const w = pitch - 2;
  const h = line - (line > 24 ? 3 : 2);
  const top = (row: number): number => place.y + rows.indexOf(row) * block;
  const x = (col: number): number => {
    const inLine = col % columns;
    return inLine * pitch + Math.floor(inLine / params.tileWidth) * gap;
  };
  const y = (row: number, col: number): number => top(row) + TOKEN_LABEL + Math.floor(col / columns) * line;
  const labels = rows.flatMap((row, i): DrawnMark[] => {
    const more = place.more?.(row);
    const what = i === 0 && lines > 1 ? `neurons 0 to ${columns - 1}, below them the next` : '';
    return [
      words(
        `token ${row}`,
        { x: 0, y: top(row) },
        [{ text: `token ${row}` }, ...(more === undefined ? [] : [{ text: `  ${more}`, strong: true }])],
        { size: 11 },
      ),
      ...(what === '' ? [] : [words('neuron', { x: NARROW.width, y: top(row) }, what, { size: 11, align: 'end' })]),
    ];
  });
  return {
    rows,
    isNumbered: pitch >= MIN_NUMBERED && line >= MIN_LINE,
    labels,
    bottom: place.y + rows.length * block,
    cell: (row, col) => ({ x: x(col), y: y(row, col), w, h }),
    tile: (row, tile) => {
      const { from, to } = columnsOfTile(t, tile);
      const end = Math.min(to, (Math.floor(from / columns) + 1) * columns) - 1;
      return { x: x(from), y: y(row, from), w: x(Math.max(from, end)) + w - x(from), h };
    },
  };
}

/** What a token's neuron gave, as a tooltip says it. */
export function cellLabel(row: number, col: number, value: number): string {
  return `token ${row}, neuron ${col}: ${valueText(value)}`;
}

/** Values of a token by its columns. */
export function valuesOf({ window: { indptr, indices, data } }: TwellTrace, row: number): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  for (let i = indptr[row]; i < indptr[row + 1]; i++) values.set(indices[i], data[i]);
  return values;
}

interface CellsLook {
  /** null: only the neurons that fired have their number */
  readonly zeros?: 'numbered' | 'blank';
  /** cells that fired without their number */
  readonly isPlain?: boolean;
}

/** All cells of a grid's tokens: what fired by its magnitude, zeros pale. O(cells). */
export function gridCells(
  t: TwellTrace,
  grid: TokenGrid,
  { zeros = 'numbered', isPlain }: CellsLook = {},
): readonly DrawnMark[] {
  const levelOf = magnitudeLevels(t.window);
  const below: DrawnMark[] = [];
  const marks: DrawnMark[] = [];
  for (const row of grid.rows) {
    const values = valuesOf(t, row);
    if (!grid.isNumbered)
      for (let tile = 0; tile < t.encoded.tiles; tile++)
        for (const [part, rect] of backgrounds(t, grid, row, tile).entries())
          below.push({ id: `back ${row},${tile},${part}`, shape: 'box', tone: 'neutral', ...rect });
    for (let col = 0; col < t.window.cols; col++) {
      const value = values.get(col);
      const rect = grid.cell(row, col);
      if (value === undefined && !grid.isNumbered) {
        marks.push(cellMark(row, col, value, rect, { state: 'bare' }));
        continue;
      }
      const text =
        value === undefined || isPlain || !grid.isNumbered ? {} : fitted(cellText(value, rect.w), rect.w, 11);
      marks.push(cellMark(row, col, value, rect, { ...text, level: isPlain ? 1 : levelOf(value ?? 0) }));
      if (value === undefined && zeros === 'numbered') marks.push(zeroWords(`zero ${row},${col}`, rect));
    }
  }
  return [...below, ...marks];
}

/** The lines of a tile without its cells: one, or more where a line on a phone ends inside of it. */
function backgrounds(t: TwellTrace, grid: TokenGrid, row: number, tile: number): readonly Rect[] {
  const { from, to } = columnsOfTile(t, tile);
  const lines: Rect[] = [];
  for (let col = from; col < to; col++) {
    const cell = grid.cell(row, col);
    const last = lines.at(-1);
    if (last && last.y === cell.y) lines[lines.length - 1] = { ...last, w: cell.x + cell.w - last.x };
    else lines.push(cell);
  }
  return lines;
}

/** A cell of a token; without a value it is pale. */
export function cellMark(
  row: number,
  col: number,
  value: number | undefined,
  rect: Rect,
  look: Partial<DrawnMark>,
  id = cellName(row, col),
): DrawnMark {
  const { level, ...rest } = look;
  return {
    id,
    shape: 'box',
    tone: value === undefined ? 'neutral' : 'values',
    ...rect,
    label: cellLabel(row, col, value ?? 0),
    about: [cellName(row, col)],
    ...(value === undefined ? {} : { level }),
    ...rest,
  };
}

/** A pale, small 0. */
export function zeroWords(id: string, rect: Rect): DrawnMark {
  const size = Math.max(MIN_POINTS, Math.min(11, rect.w * 0.4));
  const at = { x: rect.x + rect.w / 2, y: rect.y + rect.h / 2 - size * 0.7 };
  return { ...words(id, at, '0', { size, face: 'mono', align: 'middle' }), state: 'dim' };
}
