import { type Cell, type CsrMatrix, rowBuffer } from '../../core/matrix/index.ts';
import { cellsText, withCell } from '../../core/cells/edited-cells.ts';
import type { SessionContext } from './session-context.ts';
import type { StoryBuilder } from './story-builder.ts';

/**
 * Sets or clears a cell of the window (the part of the matrix that the animation shows), or
 * moves its value to an empty cell of its row, `toCol`. Rows and columns count from the window's corner. The document
 * stores the changed cells; the matrix does not change. If a format rejects the change, the cell stays, and `rejectedEdit` of
 * the session gives the reason.
 */
export function changeCell(
  { store, document, player, fail, isBusy }: SessionContext,
  storyBuilder: StoryBuilder,
  { row, col }: Cell,
  toCol: number | null,
): void {
  const doc = document.getState();
  const { window, previewing } = store.getState();
  const original = storyBuilder.read();
  if (!window || !original || previewing || isBusy('edit the region')) return;
  try {
    const current = valueAt(window, row, col);
    if (toCol !== null && (current === 0 || valueAt(window, row, toCol) !== 0)) return;
    // A cell that was cleared and is set again gets its original value back.
    const value = current === 0 ? valueAt(original, row, col) || usualValue(window) : 0;
    const cleared = withCell(window, row, col, value);
    const text = cellsText(toCol === null ? cleared : withCell(cleared, row, toCol, current));
    const isOriginal = text === cellsText(withCell(original, row, col, valueAt(original, row, col)));
    const next = { ...doc, edited: isOriginal ? null : text };
    const rejection = storyBuilder.rejection(next);
    store.setState({ rejectedEdit: rejection, pressedCell: { row, col: toCol ?? col } });
    if (rejection === null) return document.setState(next);
    // The message belongs to the frame in which the cell was pressed.
    const leave = player.store.subscribe(({ frame }, before) => {
      if (frame === before.frame) return;
      leave();
      if (store.getState().rejectedEdit === rejection) store.setState({ rejectedEdit: null });
    });
  } catch (error) {
    fail(error, 'Changing the cell');
  }
}

/** The value of a cell; 0 if it is not stored. */
function valueAt(m: CsrMatrix, row: number, col: number): number {
  const buffer = rowBuffer(m.cols);
  const count = m.readRow(row, buffer);
  const index = buffer.columns.subarray(0, count).indexOf(col);
  return index < 0 ? 0 : buffer.values[index];
}

/** The median magnitude of the existing weights, so that a new one is visible among them; 1 if there are none. */
function usualValue({ data }: CsrMatrix): number {
  const sizes = Array.from(data, Math.abs)
    .filter((size) => size > 0)
    .toSorted((a, b) => a - b);
  return sizes[sizes.length >> 1] ?? 1;
}
