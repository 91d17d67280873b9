/* Small matrices that an address contains whole, each value exactly. */

import { LINK_CELLS_BOUNDS } from '../bounds/bounds.ts';
import { excessProblem } from '../bounds/check.ts';
import { clip } from '../bounds/quote.ts';
import { MatrixError } from '../errors.ts';
import type { Cell, CsrMatrix } from '../matrix/index.ts';
import { counted, countText } from '../text/words.ts';
import { type CellAt, cellRows, fitsF32, matrixOfCells } from './edited-cells.ts';

/** The name on the page of a matrix that an address contains. */
export function cellsName({ name }: { readonly name?: string }): string {
  return name ?? 'your matrix';
}

/** The shortest decimal that is read as this f32 value. */
export function exactText(value: number): string {
  // Nine significant digits distinguish all f32 values.
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

/** Why a matrix of this shape cannot be in a link, as 'found ..., expected ...'; null if its cells decide. */
export function linkShapeProblem(rows: number, cols: number): string | null {
  const { side, cells } = LINK_CELLS_BOUNDS;
  if (rows < 1 || cols < 1) return `found ${rows} × ${cols}, expected at least 1 × 1`;
  if (rows > side || cols > side) return `found ${rows} × ${cols}, expected at most ${side} rows and columns`;
  return excessProblem(rows * cols, cells, 'cells');
}

/**
 * A matrix as a text for an address: column:value for each stored cell, a comma between rows: '1:0.5;4:-2,,0:1'.
 * Null if it is too large, or has a value that is not finite.
 */
export function linkCellsText(m: CsrMatrix): string | null {
  // A non-zero takes three characters, and a separator before all but the first.
  if (linkShapeProblem(m.rows, m.cols) !== null || 4 * m.nnz - 1 > LINK_CELLS_BOUNDS.length) return null;
  if (!m.data.every(Number.isFinite)) return null;
  const text = cellRows(m)
    .map((cells) => cells.map(({ col, value }) => `${col}:${exactText(value)}`).join(';'))
    .join(',');
  return text.length <= LINK_CELLS_BOUNDS.length ? text : null;
}

/** Parses a text of `linkCellsText`. Throws MatrixError: where (row and column from 0), found and expected. */
export function readLinkCells(text: string, rows: number, cols: number): CsrMatrix {
  const shapeProblem = linkShapeProblem(rows, cols);
  if (shapeProblem !== null) throw new MatrixError(`shape: ${shapeProblem}`);
  const tooLong = excessProblem(text.length, LINK_CELLS_BOUNDS.length, 'characters');
  if (tooLong !== null) throw new MatrixError(`cells: ${tooLong}`);
  const lines = text.split(',');
  if (lines.length !== rows)
    throw new MatrixError(`cells: found ${counted(lines.length, 'row')}, expected ${countText(rows)}`);
  return matrixOfCells(
    cols,
    lines.map((line, row) => readRow(line, row, cols)),
  );
}

function readRow(line: string, row: number, cols: number): readonly CellAt[] {
  let last = -1;
  return (line === '' ? [] : line.split(';')).map((cell): CellAt => {
    const [, colText, valueText] = /^(\d{1,7}):(.*)$/s.exec(cell) ?? [];
    if (colText === undefined)
      throw new MatrixError(`row ${row}: found '${clip(cell)}', expected COLUMN:VALUE such as 4:-0.5`);
    const col = Number(colText);
    if (col >= cols) throw new MatrixError(`row ${row}: found column ${col}, expected at most ${cols - 1}`);
    if (col <= last)
      throw new MatrixError(`row ${row}: found column ${col} after column ${last}, expected ascending ones`);
    last = col;
    const value = /^-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/.test(valueText) ? Number(valueText) : Number.NaN;
    if (!fitsF32(value) || value === 0)
      throw new MatrixError(
        `row ${row}, column ${col}: found '${clip(valueText)}', expected a number other than 0 in the range of f32`,
      );
    return { col, value };
  });
}

/** The matrix `m` in which the cells of `region`, at this row and column, replace its own. */
export function withRegion(m: CsrMatrix, { row, col }: Cell, region: CsrMatrix): CsrMatrix {
  const inside = cellRows(region);
  const rows = cellRows(m).map((cells, r) => {
    const replacing = inside[r - row];
    if (replacing === undefined) return cells;
    const others = cells.filter((cell) => cell.col < col || cell.col >= col + region.cols);
    const moved = replacing.filter(({ value }) => value !== 0).map((cell) => ({ ...cell, col: col + cell.col }));
    return [...others, ...moved].toSorted((a, b) => a.col - b.col);
  });
  return matrixOfCells(m.cols, rows);
}
