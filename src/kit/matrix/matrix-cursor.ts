import type { Cell } from '../../core/matrix/index.ts';

/** The shape of the matrix that the cursor moves in. */
export interface Extent {
  readonly rows: number;
  readonly cols: number;
}

/** Cells per long step: Shift with an arrow key. */
const STRIDE = 10;

/** The part of a keyboard event that moves the cursor. */
export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** The cursor after a key, kept inside; null if the key does not move it. Shift: ten cells; page keys: `page` rows. */
export function movedCursor(cell: Cell, press: KeyPress, extent: Extent, page: number): Cell | null {
  const { row, col } = cell;
  const step = press.shiftKey ? STRIDE : 1;
  const far = press.ctrlKey || press.metaKey;
  const lastRow = extent.rows - 1;
  const lastCol = extent.cols - 1;
  const at = (r: number, c: number): Cell => ({
    row: Math.min(lastRow, Math.max(0, r)),
    col: Math.min(lastCol, Math.max(0, c)),
  });
  switch (press.key) {
    case 'ArrowUp':
      return at(row - step, col);
    case 'ArrowDown':
      return at(row + step, col);
    case 'ArrowLeft':
      return at(row, col - step);
    case 'ArrowRight':
      return at(row, col + step);
    case 'PageUp':
      return at(row - page, col);
    case 'PageDown':
      return at(row + page, col);
    case 'Home':
      return far ? at(0, 0) : at(row, 0);
    case 'End':
      return far ? at(lastRow, lastCol) : at(row, lastCol);
    default:
      return null;
  }
}
