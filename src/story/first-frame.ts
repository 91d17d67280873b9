import type { StorageLedger } from '../core/encoded/ledger.ts';
import { type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { cellUnit, unitMessage, unitText } from './cell-unit.ts';
import type { Cell } from './flow/cell-marks.ts';
import { type CellRow, cells } from './flow/cells.ts';
import { tightStack, note, stack } from './flow/parts.ts';
import { isNarrow, type Part, type LayoutSpace } from './flow/layout-space.ts';
import { counterBar } from './flow/counter-bar.ts';
import { type StoryFrame, storyFrame } from './flow/story-frames.ts';
import { shareText } from '../core/text/rounded.ts';
import { cellName, pageStart } from './scene-parts.ts';
import { numberText, type Stated, stated } from '../core/text/stated.ts';
import type { Trace } from './trace.ts';
import { countText, valueText, xText } from '../core/text/words.ts';

/** Number of non-zeros that makes a row a good example; more make it no better. */
const ENOUGH_NON_ZEROS = 3;
/** Bits of a value where an encoding's bytes do not determine them. */
const DEFAULT_BITS = 16;

/** Bytes of the window (the part of a matrix in a story) if stored dense, in the value type of its encoding, whose bytes are `ledger`. */
export function denseBytes(
  { window: { rows, cols } }: { readonly window: Pick<Matrix, 'rows' | 'cols'> },
  ledger: StorageLedger,
): number {
  if (ledger.effectiveDensity > 0) return Math.round(ledger.totalBytes / ledger.effectiveDensity);
  return (rows * cols * DEFAULT_BITS) / 8;
}

/** The text on how many values of the matrix are zero. `cellNoun`: the name of a value, 'weight'. */
function matrixText({ window: { rows, cols, nnz } }: Trace, cellNoun: string, aboutZeros: string): Stated {
  const cells = rows * cols;
  if (cells === 0) return stated`This region has no cells: there is nothing to store.`;
  if (nnz === 0) return stated`All ${cellNoun}s here are zero, and the stored bytes record only that.`;
  if (nnz === cells) return stated`No ${cellNoun} here is zero: there is nothing to leave out.`;
  const amount = 2 * nnz < cells ? 'Most' : 2 * nnz === cells ? 'Half the' : 'Some';
  return stated`${amount} ${cellNoun}s here are zero. ${aboutZeros}`;
}

/** Maximum number of rows that are drawn. */
const MAX_ROWS = 8;
/** Maximum if each row needs several lines; on a phone a single row is drawn. */
const MAX_WRAPPED_ROWS = 4;
/** Number of columns above which empty cells have no 0, so that a run of them can be shown by its length. */
const WIDE_COLUMNS = 64;

/** y of the story's multiplication. O(effects). */
function sumsOf({ steps, window }: Trace): readonly number[] {
  const sums = Array.from({ length: window.rows }, () => 0);
  for (const { effects } of steps)
    for (const effect of effects) if (effect.kind === 'accumulate') sums[effect.row] += effect.value;
  return sums;
}

/** The non-zeros of each row of a matrix, by column. */
function nonZerosByRow(matrix: Matrix): readonly ReadonlyMap<number, number>[] {
  const buffer = rowBuffer(matrix.cols);
  return Array.from({ length: matrix.rows }, (_, row) => {
    const count = matrix.readRow(row, buffer);
    return new Map(Array.from({ length: count }, (__, i) => [buffer.columns[i], buffer.values[i]]));
  });
}

/** The first row with enough non-zeros or, if there is none, with the most. */
function exampleRowOf(valuesByRow: readonly ReadonlyMap<number, number>[]): number {
  const enough = valuesByRow.reduce((max, { size }) => Math.max(max, Math.min(size, ENOUGH_NON_ZEROS)), 0);
  return valuesByRow.findIndex(({ size }) => size >= enough);
}

/** The first frame of a story that defines none: dense rows times x, and the zeros among their bytes. O(cells + effects). */
export function firstFrame(
  trace: Trace,
  ledger: StorageLedger,
  { cellNoun, aboutZeros }: { readonly cellNoun: 'weight' | 'activation'; readonly aboutZeros: string },
): StoryFrame {
  const { rows, cols, nnz } = trace.window;
  const text = matrixText(trace, cellNoun, aboutZeros);
  const frame = { id: 'zeros', chapter: 'Why', moves: [0], text } as const;
  const cellCount = rows * cols;
  if (cellCount === 0)
    return storyFrame({ ...frame, body: note('nothing', `${rows} \u00d7 ${cols}: this region has no cells.`) });
  const valuesByRow = nonZerosByRow(trace.window);
  const values = valuesByRow.flatMap((row) => [...row.values()]);
  const unit = cellUnit(values);
  const exampleRow = exampleRowOf(valuesByRow);
  const rowCount = Math.min(rows, MAX_ROWS);
  const firstRow = pageStart(rows, exampleRow, rowCount);
  // Where the window begins in its matrix: texts count rows and columns of the matrix.
  const { row: rowOffset, col: columnOffset } = trace.origin ?? { row: 0, col: 0 };
  const drawnRows = valuesByRow.slice(firstRow, firstRow + rowCount).map((rowValues, i): CellRow => {
    const row = firstRow + i;
    const cell = (column: number): Cell => {
      const value = rowValues.get(column);
      const label = `row ${rowOffset + row}, column ${columnOffset + column}: ${valueText(value ?? 0)}`;
      const empty = { id: cellName(row, column), label, highlightNames: [cellName(row, column)] };
      if (value !== undefined) return { ...empty, text: unitText(value, unit), style: 'lit' };
      return cols > WIDE_COLUMNS ? empty : { ...empty, text: '0', tone: 'padding', style: 'plain' };
    };
    return { id: `row ${row}`, title: `row ${rowOffset + row}`, tone: 'values', strong: row === exampleRow, cell };
  });
  const sums = sumsOf(trace);
  const y: CellRow = {
    id: 'y',
    title: 'y',
    cell: (i) => ({
      id: `y[${firstRow + i}]`,
      text: valueText(sums[firstRow + i]),
      style: 'outline',
      ring: firstRow + i === exampleRow,
      label: `y[${rowOffset + firstRow + i}]: ${valueText(sums[firstRow + i])}`,
    }),
  };
  const dense = denseBytes(trace, ledger);
  const nonZeroBytes = (dense * nnz) / cellCount;
  const bytesPerCell = dense / cellCount;
  const bytesText =
    bytesPerCell < 1
      ? 'half a byte'
      : `${numberText({ value: bytesPerCell, rounding: 'word' })} ${bytesPerCell === 1 ? 'byte' : 'bytes'}`;
  return storyFrame({
    ...frame,
    body: stack(
      matrixPart(trace, valuesByRow, drawnRows, exampleRow - firstRow),
      cells({ count: rowCount, axis: (i) => String(rowOffset + firstRow + i), max: 5 }, [y]),
      tightStack(
        note('means', 'A row times x is one number of y. Dense stores zeros too.', { tone: 'ink', strong: true }),
        note('unit', `${shareText(1 - nnz / cellCount)} of these numbers are 0.${unitMessage(values, unit)}`, {
          size: 'small',
        }),
      ),
    ),
    below: counterBar({
      title: 'these rows',
      parts: [
        { tone: 'values', bytes: nonZeroBytes, name: `${cellNoun}s` },
        { tone: 'padding', bytes: dense - nonZeroBytes, name: 'zeros' },
      ],
      dense,
      text: `Dense: ${bytesText} a number. ${countText(nnz)} of ${countText(cellCount)} ${nnz === 1 || cellCount === 1 ? 'is' : 'are'} not zero.`,
    }),
  });
}

/** x above the drawn rows of the matrix; where rows of several lines do not all fit, above some of them or a single row. */
function matrixPart(
  { window: { rows, cols }, origin, x }: Trace,
  valuesByRow: readonly ReadonlyMap<number, number>[],
  drawnRows: readonly CellRow[],
  exampleIndex: number,
): Part {
  const columnOffset = origin?.col ?? 0;
  const xRow: CellRow = {
    id: 'x',
    title: 'x',
    cell: (i) => ({
      id: `x[${i}]`,
      text: xText(x[i]),
      style: 'outline',
      label: `x[${columnOffset + i}]: ${valueText(x[i])}`,
    }),
  };
  const columns = new Set(valuesByRow.flatMap((row) => [...row.keys()]));
  const style = { count: cols, axis: (column: number) => String(columnOffset + column), lines: 4 };
  const partOf = (rowsInPart: readonly CellRow[]): Part =>
    tightStack(
      cells(
        { ...style, hasWeight: (column) => columns.has(column) },
        cols > WIDE_COLUMNS ? rowsInPart : [xRow, ...rowsInPart],
      ),
      rowsInPart.length < rows
        ? note('rows', `${rowsInPart.length} of ${rows} rows ${rowsInPart.length === 1 ? 'is' : 'are'} drawn.`, {
            size: 'small',
          })
        : null,
    );
  const firstOfSome = Math.min(exampleIndex, Math.max(0, drawnRows.length - MAX_WRAPPED_ROWS));
  const allRows = partOf(drawnRows);
  const someRows = partOf(drawnRows.slice(firstOfSome, firstOfSome + MAX_WRAPPED_ROWS));
  const exampleRow = partOf([drawnRows[exampleIndex]]);
  const partInWidth = (available: LayoutSpace, width: number): Part => {
    if ((allRows.naturalWidth(available) ?? 0) <= width - available.gutter) return allRows;
    return isNarrow(available) ? exampleRow : cols > WIDE_COLUMNS ? allRows : someRows;
  };
  return { ...allRows, lay: (available, width) => partInWidth(available, width).lay(available, width) };
}
