import { MatrixError } from '../errors.ts';
import type { Matrix, RowBuffer } from './matrix.ts';

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

/**
 * Throws MatrixError unless a row and its columns [from, to) are inside a matrix, and `into` has space for them. The
 * arrays of `into` have to be of the right types, which a program may get wrong: others would receive bits instead of
 * numbers.
 */
export function checkReading(
  m: Pick<Matrix, 'rows' | 'cols'>,
  row: number,
  from: number,
  to: number,
  into: RowBuffer,
): void {
  const { columns, values } = into;
  const isInside = row >= 0 && row < m.rows && from >= 0 && from <= to && to <= m.cols;
  if (!isInside || !Number.isInteger(row) || !Number.isInteger(from) || !Number.isInteger(to)) {
    throw new MatrixError(
      `row: found ${String(row)} with columns ${String(from)} to ${String(to)}, expected whole numbers inside ${m.rows} × ${m.cols}`,
    );
  }
  const isTyped = columns instanceof Uint32Array && values instanceof Float32Array;
  if (isTyped && columns.length >= to - from && values.length >= to - from) return;
  throw new MatrixError(
    `into: found other arrays, expected columns, a Uint32Array, and values, a Float32Array, of ${to - from} elements each`,
  );
}
