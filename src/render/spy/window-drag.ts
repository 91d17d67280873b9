import type { Region } from '../../core/matrix/index.ts';
import { clamp, type Shape } from './viewport.ts';

export interface Cell {
  readonly row: number;
  readonly col: number;
}

/** The effect of a drag on the animation's window. */
export type DragKind = 'draw' | 'move' | 'resize';

/** Size of a window placed by a click if there was none before. */
const FIRST_WINDOW: Shape = { rows: 16, cols: 32 };

/** The rectangle from one cell to another, both included, at most `most` large: the far end is limited. */
export function drawnRegion(from: Cell, to: Cell, max: Shape): Region {
  const rows = Math.min(max.rows, Math.abs(to.row - from.row) + 1);
  const cols = Math.min(max.cols, Math.abs(to.col - from.col) + 1);
  return {
    row: to.row >= from.row ? from.row : from.row - rows + 1,
    col: to.col >= from.col ? from.col : from.col - cols + 1,
    rows,
    cols,
  };
}

/** The region moved by whole cells, kept inside the matrix. */
export function movedRegion(region: Region, by: Cell, shape: Shape): Region {
  return {
    ...region,
    row: clamp(region.row + by.row, 0, Math.max(0, shape.rows - region.rows)),
    col: clamp(region.col + by.col, 0, Math.max(0, shape.cols - region.cols)),
  };
}

/** The region with its lower right corner at a cell. */
export function resizedRegion(region: Region, corner: Cell, max: Shape): Region {
  return {
    ...region,
    rows: clamp(corner.row - region.row + 1, 1, max.rows),
    cols: clamp(corner.col - region.col + 1, 1, max.cols),
  };
}

/** A window of the same size as before around a cell. */
export function clickedRegion(cell: Cell, before: Region | null, shape: Shape, max: Shape): Region {
  const { rows, cols } = before ?? FIRST_WINDOW;
  const size = { rows: Math.min(rows, max.rows, shape.rows), cols: Math.min(cols, max.cols, shape.cols) };
  const at = { row: cell.row - (size.rows >> 1), col: cell.col - (size.cols >> 1), ...size };
  return movedRegion(at, { row: 0, col: 0 }, shape);
}
