import type { Shape } from '../../core/format.ts';
import type { Cell } from '../../core/matrix/index.ts';

/** Cells that an arrow key moves with Shift. */
const STRIDE = 10;

/** The part of a keyboard event that moves the cursor. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

/**
 * The cell of a matrix after a key; null if the key does not move the cursor. Arrow keys move by a cell, with Shift by
 * ten, page keys by `page` rows; Home and End lead to the ends of the row, with Ctrl or Cmd to those of the matrix.
 */
export function movedCursor({ row, col }: Cell, press: KeyPress, shape: Shape, page: number): Cell | null {
  const step = press.shiftKey ? STRIDE : 1;
  const isWhole = press.ctrlKey || press.metaKey;
  const [lastRow, lastCol] = [shape.rows - 1, shape.cols - 1];
  const moves: Readonly<Record<string, readonly [row: number, col: number]>> = {
    ArrowUp: [row - step, col],
    ArrowDown: [row + step, col],
    ArrowLeft: [row, col - step],
    ArrowRight: [row, col + step],
    PageUp: [row - page, col],
    PageDown: [row + page, col],
    Home: [isWhole ? 0 : row, 0],
    End: [isWhole ? lastRow : row, lastCol],
  };
  if (!Object.hasOwn(moves, press.key)) return null;
  const [toRow, toCol] = moves[press.key];
  return { row: Math.min(lastRow, Math.max(0, toRow)), col: Math.min(lastCol, Math.max(0, toCol)) };
}
