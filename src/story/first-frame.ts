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

/** Non-zeros that make a row a good example; more make it no better. */
const ENOUGH = 3;
/** Bits of a value where an encoding's bytes do not determine them. */
const USUAL_BITS = 16;

/** Bytes of the window (the part of a matrix in a story) if dense; `stored`: its bytes as encoded, of the same type. */
export function denseBytes(
  { window: { rows, cols } }: { readonly window: Pick<Matrix, 'rows' | 'cols'> },
  stored: StorageLedger,
): number {
  if (stored.effectiveDensity > 0) return Math.round(stored.totalBytes / stored.effectiveDensity);
  return (rows * cols * USUAL_BITS) / 8;
}

/** The text on how many values of the matrix are zero. `cellNoun`: the name of a value, 'weight'. */
function matrixText({ window: { rows, cols, nnz } }: Trace, cellNoun: string, aboutZeros: string): Stated {
  const cells = rows * cols;
  if (cells === 0) return stated`This region has no cells: there is nothing to store.`;
  if (nnz === 0) return stated`All ${cellNoun}s here are zero, and the stored bytes record only that.`;
  if (nnz === cells) return stated`No ${cellNoun} here is zero: there is nothing to leave out.`;
  const many = 2 * nnz < cells ? 'Most' : 2 * nnz === cells ? 'Half the' : 'Some';
  return stated`${many} ${cellNoun}s here are zero. ${aboutZeros}`;
}

/** Maximum of rows that are drawn. */
const ROWS = 8;
/** Maximum if each row needs several lines; on a phone a single row is drawn. */
const FOLDED_ROWS = 4;
/** Columns above which no 0 is written in empty cells, so that a run of them can be shown by its length. */
const WIDE = 64;

/** y of the story's multiplication. O(effects). */
function sumsOf({ steps, window }: Trace): readonly number[] {
  const sums = Array.from({ length: window.rows }, () => 0);
  for (const { effects } of steps)
    for (const effect of effects) if (effect.kind === 'accumulate') sums[effect.row] += effect.value;
  return sums;
}

/** The first frame of a story that defines none: dense rows times x, and 'CSR keeps the others'. O(cells + effects). */
export function firstFrame(
  t: Trace,
  stored: StorageLedger,
  { cellNoun, aboutZeros }: { readonly cellNoun: 'weight' | 'activation'; readonly aboutZeros: string },
): StoryFrame {
  const { rows, cols, nnz } = t.window;
  const text = matrixText(t, cellNoun, aboutZeros);
  const frame = { id: 'zeros', chapter: 'Why', moves: [0], text } as const;
  if (rows * cols === 0)
    return storyFrame({ ...frame, body: note('nothing', `${rows} \u00d7 ${cols}: this region has no cells.`) });
  const buffer = rowBuffer(cols);
  const valuesByRow = Array.from({ length: rows }, (_, row) => {
    const count = t.window.readRow(row, buffer);
    return new Map(Array.from({ length: count }, (_, i) => [buffer.columns[i], buffer.values[i]]));
  });
  const values = valuesByRow.flatMap((row) => [...row.values()]);
  const columns = new Set(valuesByRow.flatMap((row) => [...row.keys()]));
  const unit = cellUnit(values);
  const enough = valuesByRow.reduce((max, { size }) => Math.max(max, Math.min(size, ENOUGH)), 0);
  const exampleRow = valuesByRow.findIndex(({ size }) => size >= enough);
  const count = Math.min(rows, ROWS);
  const first = pageStart(rows, exampleRow, count);
  const { row: top, col: left } = t.origin ?? { row: 0, col: 0 };
  const drawn = valuesByRow.slice(first, first + count).map((values, i): CellRow => {
    const r = first + i;
    const cell = (column: number): Cell => {
      const value = values.get(column);
      const label = `row ${top + r}, column ${left + column}: ${valueText(value ?? 0)}`;
      const cell = { id: cellName(r, column), label, highlightNames: [cellName(r, column)] };
      if (value !== undefined) return { ...cell, text: unitText(value, unit), style: 'lit' };
      return cols > WIDE ? cell : { ...cell, text: '0', tone: 'padding', style: 'plain' };
    };
    return { id: `row ${r}`, title: `row ${top + r}`, tone: 'values', strong: r === exampleRow, cell };
  });
  const x: CellRow = {
    id: 'x',
    title: 'x',
    cell: (i) => ({
      id: `x[${i}]`,
      text: xText(t.x[i]),
      style: 'outline',
      label: `x[${left + i}]: ${valueText(t.x[i])}`,
    }),
  };
  const sums = sumsOf(t);
  const y: CellRow = {
    id: 'y',
    title: 'y',
    cell: (i) => ({
      id: `y[${first + i}]`,
      text: valueText(sums[first + i]),
      style: 'outline',
      ring: first + i === exampleRow,
      label: `y[${top + first + i}]: ${valueText(sums[first + i])}`,
    }),
  };
  const dense = denseBytes(t, stored);
  const kept = (dense * nnz) / (rows * cols);
  const style = { count: cols, axis: (column: number) => String(left + column), lines: 4 };
  const matrixOf = (shown: readonly CellRow[]): Part =>
    tightStack(
      cells({ ...style, hasWeight: (column) => columns.has(column) }, cols > WIDE ? shown : [x, ...shown]),
      shown.length < rows
        ? note('rows', `${shown.length} of ${rows} rows ${shown.length === 1 ? 'is' : 'are'} drawn.`, { size: 'small' })
        : null,
    );
  const from = Math.min(exampleRow - first, Math.max(0, count - FOLDED_ROWS));
  const [all, some, alone] = [drawn, drawn.slice(from, from + FOLDED_ROWS), drawn.filter(({ strong }) => strong)].map(
    matrixOf,
  );
  // Rows of several lines each do not all fit: some of them are drawn, or a single row.
  const partInWidth = (available: LayoutSpace, width: number): Part => {
    if ((all.naturalWidth(available) ?? 0) <= width - available.gutter) return all;
    return isNarrow(available) ? alone : cols > WIDE ? all : some;
  };
  const matrix: Part = { ...all, lay: (available, width) => partInWidth(available, width).lay(available, width) };
  const bytes = dense / (rows * cols);
  const each =
    bytes < 1 ? 'half a byte' : `${numberText({ value: bytes, rounding: 'word' })} ${bytes === 1 ? 'byte' : 'bytes'}`;
  return storyFrame({
    ...frame,
    body: stack(
      matrix,
      cells({ count, axis: (i) => String(top + first + i), max: 5 }, [y]),
      tightStack(
        note('means', 'A row times x is one number of y. Dense stores zeros too.', { tone: 'ink', strong: true }),
        note('unit', `${shareText(1 - nnz / (rows * cols))} of these numbers are 0.${unitMessage(values, unit)}`, {
          size: 'small',
        }),
      ),
    ),
    below: counterBar({
      title: 'these rows',
      parts: [
        { tone: 'values', bytes: kept, name: `${cellNoun}s` },
        { tone: 'padding', bytes: dense - kept, name: 'zeros' },
      ],
      dense,
      text: `Dense: ${each} a number. ${countText(nnz)} of ${countText(rows * cols)} ${nnz === 1 || rows * cols === 1 ? 'is' : 'are'} not zero.`,
    }),
  });
}
