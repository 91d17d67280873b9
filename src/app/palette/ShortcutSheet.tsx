import { use } from 'react';
import type { Command } from '../../kit/command.ts';
import type { KeyTable as KeyTableRows } from '../../kit/place.ts';
import { OVERLAY, PLACES } from '../places.ts';
import { Dialog } from '../../kit/frame/Dialog.tsx';
import { MATRIX_KEYS } from '../../kit/matrix/matrix-keys.ts';
import { isApple, keyText } from '../../kit/shortcuts.ts';

/** The tables of the places, in the order of the list, and of what they share. */
const tables = Promise.all([
  ...[...PLACES, OVERLAY].flatMap(({ keys }) => (keys ? [keys()] : [])),
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
      <div className="dialog-body shortcut-sheet">
        <KeyTable
          title="Everywhere, except while typing"
          rows={commands.flatMap((c) => (c.keys ? [{ title: c.title, keys: [keyText(c.keys[0], apple)] }] : []))}
        />
        {ofPlaces.map((table) => (
          <KeyTable key={table.title} {...table} />
        ))}
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
                <kbd key={key}>{key}</kbd>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
