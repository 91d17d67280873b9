import { LINK_CELLS_BOUNDS } from '../../core/bounds/bounds.ts';
import { cellsText, shortText, withCell } from '../../core/cells/edited-cells.ts';
import { linkCellsText, readLinkCells, withRegion } from '../../core/cells/link-cells.ts';
import { MatrixError } from '../../core/errors.ts';
import { type Cell, type CsrMatrix, type Region, rowBuffer } from '../../core/matrix/index.ts';
import type { CellsSource } from '../../engine/matrix/source-types.ts';
import type { SessionContext } from './session-context.ts';
import type { StoryBuilder } from './story-builder.ts';

/** What happens to a cell: it is set or cleared, its value moves to an empty cell of its row, or it gets a value. */
export type CellChange =
  | { readonly kind: 'press' }
  | { readonly kind: 'move'; readonly toCol: number }
  | { readonly kind: 'set'; readonly value: number };

/**
 * Changes a cell of the window (the part of the matrix that the animation shows). Rows and
 * columns count from the window's corner. A matrix that the address contains is replaced by one with the change, which
 * `openCells` opens; of any other matrix the document stores the window's changed cells, and the matrix stays. A cell
 * that a format rejects stays, and the session's `rejectedEdit` gives the reason.
 */
export async function changeCell(
  { store, document, player, fail, isBusy }: SessionContext,
  storyBuilder: StoryBuilder,
  openCells: (source: CellsSource) => Promise<void>,
  { row, col }: Cell,
  change: CellChange,
): Promise<void> {
  const doc = document.getState();
  const { window, previewing } = store.getState();
  const original = storyBuilder.read();
  if (!window || !original || previewing || isBusy('edit the region')) return;
  try {
    const current = valueAt(window, row, col);
    if (change.kind === 'move' && (current === 0 || valueAt(window, row, change.toCol) !== 0)) return;
    const own = doc.source.kind === 'cells' ? doc.source : null;
    // A cell that was cleared and is set again gets its original value back.
    const key = own && doc.window && cellKey(own, { row: doc.window.row + row, col: doc.window.col + col });
    const before = valueAt(original, row, col) || (key !== null && clearedValues.get(key)) || usualValue(window);
    const pressed = current === 0 ? before : 0;
    if (key !== null && current !== 0) clearedValues.set(key, current);
    const cleared = withCell(
      window,
      row,
      col,
      change.kind === 'set' ? change.value : change.kind === 'move' ? 0 : pressed,
    );
    const changed = change.kind === 'move' ? withCell(cleared, row, change.toCol, current) : cleared;
    const text = cellsText(changed);
    const isOriginal = text === cellsText(withCell(original, row, col, valueAt(original, row, col)));
    const next = { ...doc, edited: isOriginal ? null : text };
    const rejection = storyBuilder.rejection(next);
    store.setState({
      rejectedEdit: rejection,
      pressedCell: { row, col: change.kind === 'move' ? change.toCol : col },
    });
    if (rejection === null) {
      const source = own && doc.window && withCells(own, doc.window, changed);
      if (source) return await openCells(source);
      if (change.kind === 'set') checkDigits(change.value);
      return document.setState(next);
    }
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

/** The values that cells of matrices in addresses had last, by `cellKey`. */
const clearedValues = new Map<string, number>();

/** Names a cell in every state of an edited matrix. */
function cellKey({ rows, cols, name }: CellsSource, { row, col }: Cell): string {
  const original = name?.endsWith(EDITED) === true ? name.slice(0, -EDITED.length) : name;
  return JSON.stringify([original, rows, cols, row, col]);
}

const EDITED = ', edited';

/** The source with other cells in its window; null if an address can no longer contain it. */
function withCells(source: CellsSource, window: Region, cells: CsrMatrix): CellsSource | null {
  const { rows, cols, name } = source;
  const text = linkCellsText(withRegion(readLinkCells(source.cells, rows, cols), window, cells));
  if (text === null) return null;
  // It is no longer the file of that name.
  const isNamed = name === undefined || name.endsWith(EDITED) || name.length + EDITED.length > LINK_CELLS_BOUNDS.name;
  return { ...source, cells: text, ...(!isNamed && { name: name + EDITED }) };
}

/** Throws MatrixError for a value that the address of an edited region, which has four digits, would round. */
function checkDigits(value: number): void {
  if (Number(shortText(value)) === value) return;
  throw new MatrixError(`found ${value}, expected at most four digits in the region of a larger matrix`);
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
