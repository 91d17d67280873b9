import { REGION_BOUNDS, regionColumns, isRegionShape } from '../core/bounds/bounds.ts';
import { FIRST_REGION } from '../core/cut.ts';
import type { Region } from '../core/matrix/index.ts';
import type { MatrixSummary } from '../engine/matrix/matrix-types.ts';

// The window: the part of a matrix that the animation shows. Its default, its limits and their messages.

/** Side of the largest square window; a window of fewer rows may be wider. */
export const MAX_WINDOW_SIDE = REGION_BOUNDS.rows;

type Shape = Pick<MatrixSummary, 'rows' | 'cols'>;

/** The default window: the whole matrix up to 64 × 64, else 5 × 32 cells at its first entry, within the matrix. */
export function defaultWindow(summary: Shape & { readonly firstEntry?: MatrixSummary['firstEntry'] }): Region {
  if (summary.rows <= MAX_WINDOW_SIDE && summary.cols <= MAX_WINDOW_SIDE) {
    return { row: 0, col: 0, rows: summary.rows, cols: summary.cols };
  }
  const rows = Math.min(FIRST_REGION.rows, summary.rows);
  const cols = Math.min(FIRST_REGION.cols, summary.cols);
  const { row, col } = summary.firstEntry ?? { row: 0, col: 0 };
  // From column 0 if the entry is within the first columns: gaps are then the gaps of the whole row.
  return fitWindow({ row, col: col < cols ? 0 : col, rows, cols }, summary);
}

/** The window moved inside the matrix, and limited to its size and to the maximum size of a window. */
export function fitWindow(window: Region, shape: Shape): Region {
  const rows = Math.min(Math.max(window.rows, 1), MAX_WINDOW_SIDE, shape.rows);
  const cols = Math.min(Math.max(window.cols, 1), regionColumns(rows), shape.cols);
  return {
    row: Math.max(0, Math.min(window.row, shape.rows - rows)),
    col: Math.max(0, Math.min(window.col, shape.cols - cols)),
    rows,
    cols,
  };
}

/** The problem with a window, as a message; null if it is inside the matrix and not too large. */
export function windowProblem(window: Region, shape: Shape): string | null {
  const { row, col, rows, cols } = window;
  const found = `window: found ${rows} × ${cols} cells at row ${row}, column ${col}`;
  if (!isRegionShape(rows, cols))
    return `${found}, expected at most ${REGION_BOUNDS.rows} rows and ${REGION_BOUNDS.cells} cells.`;
  const empty = (rows === 0 && shape.rows > 0) || (cols === 0 && shape.cols > 0);
  if (empty) return `${found}, expected at least 1 × 1 cells.`;
  if (row + rows > shape.rows || col + cols > shape.cols) {
    return `${found}, expected a position within the matrix of ${shape.rows} × ${shape.cols}.`;
  }
  return null;
}
