import { MatrixError } from '../errors.ts';

/** A cell of a matrix. */
export interface Cell {
  readonly row: number;
  readonly col: number;
}

/** A rectangle of cells: rows [row, row + rows), columns [col, col + cols). */
export interface Region {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

/** Throws MatrixError unless rows and cols are whole numbers from 0 to 2^31 - 1. */
export function checkShape(rows: number, cols: number): void {
  for (const [name, n] of [
    ['rows', rows],
    ['cols', cols],
  ] as const) {
    if (!Number.isInteger(n) || n < 0 || n >= 2 ** 31) {
      throw new MatrixError(`${name}: found ${n}, expected a whole number from 0 to ${2 ** 31 - 1}`);
    }
  }
}

/** `checkShape`, and throws MatrixError unless there are rows * cols values. */
export function checkCells(rows: number, cols: number, { length }: ArrayLike<number>): void {
  checkShape(rows, cols);
  if (length === rows * cols) return;
  throw new MatrixError(`dense data: found ${length} values, expected ${rows} × ${cols} = ${rows * cols}`);
}
