import { use } from 'react';
import type { Command } from '../../kit/command.ts';
import type { KeyTable, KeyTable as KeyTableRows } from '../../kit/place.ts';
import { OVERLAY, PLACES } from '../places.ts';
import { Dialog } from '../../kit/frame/Dialog.tsx';
import { isApple, keyText } from '../../kit/shortcuts.ts';

/** Keys while the matrix has the focus, listed here but handled by the matrix. */
const MATRIX_KEYS: KeyTable = {
  title: 'In the matrix',
  rows: [
    { title: 'Move cell by cell', keys: ['↑', '↓', '←', '→'] },
    { title: 'Move by ten cells', keys: ['Shift + ↑', '↓', '←', '→'] },
    { title: 'Up and down by a page', keys: ['Page up', 'Page down'] },
    { title: 'First and last column', keys: ['Home', 'End'] },
    { title: 'First and last cell', keys: ['Ctrl + Home', 'Ctrl + End'] },
    { title: 'Put the window here', keys: ['Enter'] },
    { title: 'Zoom in, out', keys: ['+', '−'] },
    { title: 'Fit the whole matrix', keys: ['F', '0'] },
  ],
};

/** The tables of the places, in the order of the list, and of what they share. */
const tables = Promise.all([
  ...PLACES.map(async ({ finds }) => (await finds?.())?.keys),
  OVERLAY.keys?.(),
  // Of the matrix in the chooser, which every place has.
  Promise.resolve(MATRIX_KEYS),
]);

/** Every key that does something. */
export function ShortcutSheet({
  commands,
  onClose,
}: {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}) {
  const apple = isApple();
  const ofPlaces = use(tables);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="dialog-body stack one-column-grid gap-6">
        <KeyTable
          title="Except while typing"
          rows={commands.flatMap((c) => (c.keys ? [{ title: c.title, keys: [keyText(c.keys[0], apple)] }] : []))}
        />
        {ofPlaces.map((table) => table && <KeyTable key={table.title} {...table} />)}
      </div>
    </Dialog>
  );
}

function KeyTable({ title, rows }: KeyTableRows) {
  return (
    <table className="table shortcut-table">
      <caption>{title}</caption>
      <tbody>
        {rows.map((row) => (
          <tr key={row.title}>
            <th scope="row">{row.title}</th>
            <td className="number">
              {row.keys.map((key) => (
                <kbd key={key} className="nowrap">
                  {key}
                </kbd>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
