import { EDITED_BOUNDS, LINK_CELLS_BOUNDS } from '../../core/bounds/bounds.ts';
import { excessProblem } from '../../core/bounds/check.ts';
import { clip } from '../../core/bounds/quote.ts';
import { cellRows, fitsF32, matrixOfCells } from '../../core/cells/edited-cells.ts';
import { exactText, linkCellsText, readLinkCells } from '../../core/cells/link-cells.ts';
import { MatrixError } from '../../core/errors.ts';
import { counted } from '../../core/text/words.ts';
import type { CellsSource } from '../../engine/matrix/source-types.ts';

// The matrix that a user types: texts of cells, read from pasted text and turned into a source. Rows and columns count from 0.

/** The texts of all cells, row by row; '' is a zero. All rows have the same length. */
export type TypedGrid = readonly (readonly string[])[];

/** Rows, and columns, that can be typed at most. */
export const MAX_TYPED_SIDE = EDITED_BOUNDS.side;

/** Characters of a pasted text at most: every cell with 15 characters. */
const MAX_TEXT = 16 * MAX_TYPED_SIDE ** 2;

export function emptyGrid(rows: number, cols: number): TypedGrid {
  return Array.from({ length: rows }, () => Array.from({ length: cols }, () => ''));
}

/** The number in the text of a cell; null if it is none, or outside of f32. */
export function numberOf(text: string): number | null {
  const word = text.trim().replace('\u2212', '-').replace(',', '.');
  if (word === '') return 0;
  const value = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(word) ? Number(word) : Number.NaN;
  return fitsF32(value) ? value : null;
}

/** A sentence about the text of a cell that is not a number. */
function cellProblem(text: string, row: number, col: number): string {
  return `Row ${row}, column ${col}: found '${clip(text.trim())}', expected a number in the range of f32.`;
}

/** The first cell without a valid number, with a sentence about it; null if all are valid. */
export function gridProblem(
  grid: TypedGrid,
): { readonly row: number; readonly col: number; readonly text: string } | null {
  for (const [row, cells] of grid.entries()) {
    const col = cells.findIndex((text) => numberOf(text) === null);
    if (col >= 0) return { row, col, text: cellProblem(cells[col], row, col) };
  }
  return null;
}

/**
 * Reads a matrix from a text. Rows are lines or, in a single line, end with ';'. Cells are separated by tabs, commas or
 * spaces, in several lines also by ';'; a comma next to tabs is a decimal comma. Throws MatrixError with a sentence.
 */
export function readGrid(text: string): TypedGrid {
  const tooLong = excessProblem(text.length, MAX_TEXT, 'characters');
  if (tooLong !== null) throw new MatrixError(`The text: ${tooLong}.`);
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  // '1 0 2;' at the end of a line only ends the row.
  const isEnded = lines.length > 1 && lines.slice(0, -1).every((line) => /;\s*$/.test(line));
  const isOneLine = lines.length === 1 || isEnded;
  const rows = isOneLine
    ? lines
        .join(lines.length > 1 ? ' ' : '')
        .split(';')
        .map((row) => row.trim())
        .filter((row, i, all) => row !== '' || i < all.length - 1)
    : lines;
  if (rows.length === 0) throw new MatrixError("The text: found nothing, expected numbers such as '1 0 2; 0 3 0'.");
  const tooMany = excessProblem(rows.length, MAX_TYPED_SIDE, 'rows');
  if (tooMany !== null) throw new MatrixError(`The text: ${tooMany}; open a larger matrix as a file.`);
  const separator = rows.some((row) => row.includes('\t'))
    ? '\t'
    : !isOneLine && rows.some((row) => row.includes(';'))
      ? ';'
      : rows.some((row) => row.includes(','))
        ? ','
        : /\s+/;
  const grid = rows.map((row) => cellsOf(row, separator));
  const cols = grid[0].length;
  for (const [row, cells] of grid.entries()) {
    if (cells.length !== cols)
      throw new MatrixError(`Row ${row}: found ${counted(cells.length, 'cell')}, expected ${cols} as in row 0.`);
  }
  const tooWide = excessProblem(cols, MAX_TYPED_SIDE, 'columns');
  if (tooWide !== null) throw new MatrixError(`The text: ${tooWide}; open a larger matrix as a file.`);
  const problem = gridProblem(grid);
  if (problem !== null) throw new MatrixError(problem.text);
  return grid.map((cells) => cells.map((cell) => shownText(numberOf(cell) ?? 0)));
}

function cellsOf(row: string, separator: string | RegExp): readonly string[] {
  const cells = (separator === '\t' ? row : row.trim()).split(separator).map((cell) => cell.trim());
  // '1, 0, 2,' has three cells.
  return separator === ',' && cells.length > 1 && cells.at(-1) === '' ? cells.slice(0, -1) : cells;
}

/** The text of a number in the grid; '' for a zero. */
function shownText(value: number): string {
  return value === 0 ? '' : exactText(Math.fround(value));
}

/** The grid as a text that `readGrid` reads: '1 0 2; 0 3 0'. */
export function gridText(grid: TypedGrid): string {
  return grid.map((cells) => cells.map((cell) => (cell.trim() === '' ? '0' : cell.trim())).join(' ')).join('; ');
}

/** The grid with another one in its place from this cell on; it grows as needed, up to its bounds. Throws MatrixError. */
export function withPasted(grid: TypedGrid, row: number, col: number, pasted: TypedGrid): TypedGrid {
  // Into an empty grid a pasted matrix comes with its own shape.
  if (row === 0 && col === 0 && grid.every((cells) => cells.every((cell) => cell === ''))) return pasted;
  const rows = Math.max(grid.length, row + pasted.length);
  const cols = Math.max(grid[0].length, col + pasted[0].length);
  const problem = excessProblem(rows, MAX_TYPED_SIDE, 'rows') ?? excessProblem(cols, MAX_TYPED_SIDE, 'columns');
  if (problem !== null) throw new MatrixError(`The pasted cells, from row ${row}, column ${col}: ${problem}.`);
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: cols }, (__, c) => pasted[r - row]?.[c - col] ?? grid[r]?.[c] ?? ''),
  );
}

/** The grid with another shape: rows and columns are added or removed at the end. */
export function resizedGrid(grid: TypedGrid, rows: number, cols: number): TypedGrid {
  return Array.from({ length: rows }, (_, r) => Array.from({ length: cols }, (__, c) => grid[r]?.[c] ?? ''));
}

/** The source of a grid of valid numbers. Throws MatrixError with a sentence if a link cannot contain it. */
export function sourceOfGrid(grid: TypedGrid): CellsSource {
  const cells = grid.map((row) =>
    row.flatMap((text, col) => {
      const value = numberOf(text) ?? 0;
      return value === 0 ? [] : [{ col, value }];
    }),
  );
  const text = linkCellsText(matrixOfCells(grid[0].length, cells));
  const { length } = LINK_CELLS_BOUNDS;
  if (text === null)
    throw new MatrixError(
      `The cells need more than the ${length} characters that fit into a link: open them as a file.`,
    );
  return { kind: 'cells', rows: grid.length, cols: grid[0].length, cells: text };
}

/** The grid of a source; null if it is too large to be typed. */
export function gridOfSource({ rows, cols, cells }: CellsSource): TypedGrid | null {
  if (rows > MAX_TYPED_SIDE || cols > MAX_TYPED_SIDE) return null;
  return cellRows(readLinkCells(cells, rows, cols)).map((row) => {
    const texts = new Map(row.map(({ col, value }) => [col, exactText(value)]));
    return Array.from({ length: cols }, (_, col) => texts.get(col) ?? '');
  });
}
