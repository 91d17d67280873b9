/* Small matrices that the user edits cell by cell, and their texts in addresses. */

import { counted } from '../text/words.ts';
import { isRegionShape, EDITED_BOUNDS } from '../bounds/bounds.ts';
import { clip } from '../bounds/quote.ts';
import { MatrixError } from '../errors.ts';
import { CsrMatrix } from '../matrix/index.ts';

/** A non-zero in a row of such a matrix. */
export interface CellAt {
  readonly col: number;
  readonly value: number;
}

/**
 * A matrix as a text for an address: column:value for each cell, a comma between rows: '1:0.5;4:-2,,0:1'. `valueText`:
 * default: to four significant digits.
 */
export function cellsText(m: CsrMatrix, valueText: (value: number) => string = shortText): string {
  return cellRows(m)
    .map((cells) => cells.map(({ col, value }) => `${col}:${valueText(value)}`).join(';'))
    .join(',');
}

/** Parses a text of `cellsText`, the field 'own' of an address. Throws MatrixError if it is invalid or too large. */
export function readCells(text: string, rows: number, cols: number): CsrMatrix {
  // The region of a story (the animation) has at most 64 rows and 64 × 64 cells: it may have over 64 columns.
  if (rows < 1 || cols < 1 || !isRegionShape(rows, cols))
    throw new MatrixError(`own: found ${rows} × ${cols}, expected a region`);
  const lines = text.split(',');
  if (lines.length !== rows) throw new MatrixError(`own: found ${counted(lines.length, 'row')}, expected ${rows}`);
  const cells = lines.map((line, row) => {
    let last = -1;
    return (line === '' ? [] : line.split(';')).map((cell): CellAt => {
      const [, colText, valueText] = /^(\d+):(-?[\d.]+(?:e[+-]?\d+)?)$/.exec(cell) ?? [];
      const col = Number(colText);
      const value = Number(valueText);
      if (colText === undefined || col <= last || col >= cols || !fitsF32(value) || value === 0) {
        throw new MatrixError(
          `own: found '${clip(cell)}' in row ${row}, expected a column below ${cols}, ascending, and a value`,
        );
      }
      last = col;
      return { col, value };
    });
  });
  return matrixOfCells(cols, cells);
}

/** Throws MatrixError if a matrix to edit has no rows or columns, or more than 64 of either. */
export function checkCellsShape(rows: number, cols: number): void {
  const { side } = EDITED_BOUNDS;
  if (rows >= 1 && cols >= 1 && rows <= side && cols <= side) return;
  throw new MatrixError(`matrix: found ${rows} × ${cols}, expected at most ${side} × ${side}`);
}

/** Whether a value rounded to f32 is finite, and is 0 only for 0. */
export function fitsF32(value: number): boolean {
  const stored = Math.fround(value);
  return Number.isFinite(stored) && (stored !== 0 || value === 0);
}

/** A value to four significant digits, or in full if four digits would be infinite or 0 in f32. */
export function shortText(value: number): string {
  const short = Number(value.toPrecision(4));
  return String(fitsF32(short) ? short : value);
}

/** The stored cells of a matrix, row by row. */
export function cellRows({ rows, indptr, indices, data }: CsrMatrix): readonly (readonly CellAt[])[] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: indptr[row + 1] - indptr[row] }, (__, i) => ({
      col: indices[indptr[row] + i],
      value: data[indptr[row] + i],
    })),
  );
}

/** The matrix with these rows of cells, each in ascending order of columns. */
export function matrixOfCells(cols: number, rows: readonly (readonly CellAt[])[]): CsrMatrix {
  const entries = rows.flat();
  const indptr = new Uint32Array(rows.length + 1);
  rows.forEach((cells, row) => (indptr[row + 1] = indptr[row] + cells.length));
  return new CsrMatrix({
    rows: rows.length,
    cols,
    indptr,
    indices: Uint32Array.from(entries, ({ col }) => col),
    data: Float32Array.from(entries, ({ value }) => value),
  });
}

/** A matrix with another value in one cell, and without the zeros that `m` stores; value 0 removes the cell. */
export function withCell(m: CsrMatrix, row: number, col: number, value: number): CsrMatrix {
  const rows = cellRows(m).map((cells, r) => {
    const others = cells.filter((cell) => cell.value !== 0 && (r !== row || cell.col !== col));
    if (r !== row || value === 0) return others;
    return [...others, { col, value }].toSorted((a, b) => a.col - b.col);
  });
  return matrixOfCells(m.cols, rows);
}
