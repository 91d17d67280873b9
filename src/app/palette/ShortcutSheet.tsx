import type { Command } from '../commands.ts';
import { LESSON_KEYS } from '../../places/learn/lesson-keys.ts';
import { PRESENT_KEYS } from '../../places/present/present-keys.ts';
import { Dialog } from '../../kit/frame/Dialog.tsx';
import { isApple } from '../shell/Header.tsx';
import { keyText } from '../../kit/shortcuts.ts';
import { MATRIX_KEYS } from './matrix-keys.ts';

/** Every key that does something. */
export function ShortcutSheet({
  commands,
  onClose,
}: {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}) {
  const apple = isApple();
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="dialog-body shortcut-sheet">
        <KeyTable
          title="Everywhere, except while typing"
          rows={commands.flatMap((c) => (c.keys ? [{ title: c.title, keys: [keyText(c.keys[0], apple)] }] : []))}
        />
        <KeyTable title="While the matrix has the focus" rows={MATRIX_KEYS} />
        <KeyTable title="In a lesson" rows={LESSON_KEYS} />
        <KeyTable title="While the stage is presented" rows={PRESENT_KEYS} />
      </div>
    </Dialog>
  );
}

interface KeyTableProps {
  readonly title: string;
  readonly rows: readonly { readonly title: string; readonly keys: readonly string[] }[];
}

function KeyTable({ title, rows }: KeyTableProps) {
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
