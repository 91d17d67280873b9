import { unitText } from '../../../story/cell-unit.ts';
import type { Cell, Span } from '../../../story/flow/cell-marks.ts';
import { type CellRow, cells, type CellsStyle } from '../../../story/flow/cells.ts';
import { fitting } from '../../../story/flow/parts.ts';
import type { Part } from '../../../story/flow/layout-space.ts';
import type { Bar } from '../../../story/flow/bars.ts';
import { counterBar } from '../../../story/flow/counter-bar.ts';
import { cellName } from '../../../story/scene-parts.ts';
import { fact, type NamedFact, type Stated, stated } from '../../../core/text/stated.ts';
import { valueText } from '../../../core/text/words.ts';
import { bytesOfEntries, type Entry, type Weight, type WindowFacts } from './facts.ts';

/* Parts that many pictures of the MACKO story share: rows of cells over their columns, and bars of bytes. */

/** Bits of a column number, which a skip replaces. */
export const COLUMN_BITS = 16;

/** Name that all cells of an entry share, so that they are highlighted together. */
export const entryName = ({ index }: Entry): string => `entry ${index}`;

/** The cell of a weight, in the window or among the entries. */
export function weightCell(f: WindowFacts, weight: Entry, style: Cell['style'] = 'plain'): Cell {
  const { row: r, column, value } = weight;
  const label = positionText(f, r, column, value);
  const id = cellName(r, column);
  return { id, text: unitText(value, f.unit), tone: 'values', style, label, highlightNames: [id, entryName(weight)] };
}

/** The number in a weight's cell; null if that number is not whole. */
export function weightWords({ value }: Weight, { unit }: WindowFacts): Stated | null {
  const text = unitText(value, unit);
  if (!/^\u2212?\d+$/.test(text)) return null;
  return stated`${text.startsWith('\u2212') ? '\u2212' : ''}${fact('weight', Math.round(Math.abs(value) * unit.perOne))}`;
}

const positionText = (f: WindowFacts, r: number, column: number, value: number): string =>
  `row ${f.rowNumber(r)}, column ${f.columnNumber(column)}: ${valueText(value)}`;

/** Id of the cell of a zero that is stored for this empty cell of the matrix. */
export const zeroName = (r: number, column: number): string => `zero ${cellName(r, column)}`;

interface RowStyle {
  /** weights that the text is about */
  readonly lit?: readonly Weight[];
  /** columns for which a zero is stored */
  readonly zeros?: readonly number[];
  readonly spans?: readonly Span[];
}

/** A row of the window, the part of a matrix that the story shows. */
export function windowRow(f: WindowFacts, r: number, { lit = [], zeros = [], spans = [] }: RowStyle = {}): CellRow {
  const weightAt = new Map(f.ofRow[r].map((weight) => [weight.column, weight]));
  const cell = (column: number): Cell => {
    const weight = weightAt.get(column);
    if (zeros.includes(column)) return { id: zeroName(r, column), text: '0', tone: 'padding', ring: true };
    if (!weight) return { id: cellName(r, column), label: positionText(f, r, column, 0) };
    return weightCell(f, weight, lit.includes(weight) ? 'lit' : 'plain');
  };
  return { id: `row ${r}`, title: `row ${f.rowNumber(r)}`, strong: true, tone: 'ink', spans, cell };
}

/** A bracket over the empty columns before a weight, if there are any. */
export const skipSpan = (id: string, { column, skip }: Weight, text: string): readonly Span[] =>
  skip === 0 ? [] : [{ id, from: column - skip, to: column, text, tone: 'indices' }];

/** Rows of the window over their columns. */
function windowPart(f: WindowFacts, rows: readonly CellRow[], style: Partial<CellsStyle> = {}): Part {
  const axis = (column: number): string => String(f.columnNumber(column));
  const hasWeight = (column: number): boolean => f.columns.has(column);
  return cells({ count: f.t.window.cols, axis, lines: 4, hasWeight, sized: f.texts, ...style }, rows);
}

/**
 * A part with `rows` of a picture that draws the rows `all` in several parts, with cells of the same size in each. The cells
 * have no texts if there are many rows (`areMany`), or if the texts do not fit. `hasAxis`: with the numbers of the columns.
 */
export function rowsOfOnePitch(
  f: WindowFacts,
  rows: readonly CellRow[],
  all: readonly number[],
  areMany: boolean,
  hasAxis: boolean,
): Part {
  const style = {
    axis: hasAxis ? (column: number): string => String(f.columnNumber(column)) : null,
    widest: f.texts,
    besides: all.map((r) => `row ${f.rowNumber(r)}`),
  };
  const bare = windowPart(f, rows, { ...style, bare: true });
  return areMany ? bare : fitting(windowPart(f, rows, style), bare);
}

/** A row alone, drawn at the top of every picture about the row. */
export function above(f: WindowFacts, r: number, style: RowStyle = {}, focus = 0): Part {
  // The empty columns before a weight stay on one line.
  const unbroken = f.ofRow[r].flatMap(({ column, skip }) => (skip > 0 ? [[column - skip, column] as const] : []));
  return windowPart(f, [windowRow(f, r, style)], { unbroken, focus });
}

/** Like `above`; on a phone that is too narrow for the texts in cells, lower and without them. */
export function aboveLow(f: WindowFacts, r: number, style: RowStyle = {}): Part {
  // Columns are numbered where brackets measure them.
  const axis = style.spans ? (column: number): string => String(f.columnNumber(column)) : null;
  return fitting(above(f, r, style), cells({ count: f.t.window.cols, bare: true, axis }, [windowRow(f, r, style)]));
}

export const rowsText = ({ t }: WindowFacts): string => (t.window.rows === 1 ? 'the row' : 'these rows');
/** The bytes of all rows; `under`: a thin bar to compare them with. */
export const allBytes = (f: WindowFacts, text: string, under?: Bar['lowerBar']): Part =>
  counterBar({ title: rowsText(f), parts: f.bytes, dense: f.dense, text, ...(under && { under }) });
const rowDense = (f: WindowFacts): number => f.dense / f.t.window.rows;

/** The bytes of a row with column numbers instead of skips. */
export function bytesByColumn(f: WindowFacts, r: number, text: string): Part {
  const { length } = f.ofRow[r];
  const parts = [
    { tone: 'values', bytes: (length * f.valueBits) / 8, name: 'weights' },
    { tone: 'indices', bytes: (length * COLUMN_BITS) / 8, name: 'column numbers' },
  ] as const;
  return counterBar({ title: `row ${f.rowNumber(r)}`, parts, dense: rowDense(f), text });
}

/** The bytes of a row up to and including the entry `last`. */
export function rowBytes(f: WindowFacts, r: number, last: Entry, text: string): Part {
  const entries = entriesOf(f, r);
  const stored = entries.filter(({ index }) => index <= last.index);
  const isSoFar = stored.length < entries.length;
  return counterBar({
    title: `row ${f.rowNumber(r)}`,
    parts: bytesOfEntries(f, stored),
    dense: rowDense(f),
    text,
    isSoFar,
  });
}

export const entriesOf = (f: WindowFacts, r: number): readonly Entry[] => f.entries.filter((entry) => entry.row === r);

/** What a stored zero costs, and the bytes with column numbers if skips still take fewer. */
export function costText(f: WindowFacts, r: number): string {
  const bytes = (entriesOf(f, r).length * (f.valueBits + f.skipBits)) / 8;
  const bytesWithColumns = (f.ofRow[r].length * (f.valueBits + COLUMN_BITS)) / 8;
  const costs = 'A stored zero costs as much as a weight';
  return bytes < bytesWithColumns
    ? `${costs}, yet with column numbers the row took ${bytesWithColumns} bytes.`
    : `${costs}.`;
}

/** ' 260 + 21 = column 281.', the column before a lane; ' They are columns 0 to 20.' if the window begins at 0. */
export function columnText(f: WindowFacts, passed: NamedFact): Stated {
  const last = fact('column before the last lane', f.columnNumber(passed.value) - 1);
  const first = f.columnNumber(0);
  if (first === 0 && last.value === 0) return stated` It is column ${last}.`;
  return first === 0
    ? stated` They are columns ${fact('first column', 0)} to ${last}.`
    : stated` ${fact('column before the first', first - 1)} + ${passed} = column ${last}.`;
}
