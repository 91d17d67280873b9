import { use } from 'react';
import type { Command } from '../../kit/command.ts';
import type { KeyTable } from '../../kit/page.ts';
import { PRESENTATION, PAGES } from '../pages.ts';
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

const keyTables = Promise.all([
  ...PAGES.map(async ({ paletteEntries }) => (await paletteEntries?.())?.keys),
  // The keys of the presentation, which covers the page.
  PRESENTATION.keys?.(),
  // The keys of the matrix in the matrix picker, which every page has.
  Promise.resolve(MATRIX_KEYS),
]);

/** The dialog with all keyboard shortcuts: of commands, pages, the presentation and the matrix. */
export function ShortcutSheet({
  commands,
  onClose,
}: {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}) {
  const apple = isApple();
  const pageTables = use(keyTables);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="dialog-body grid grid-cols-1 gap-6">
        <ShortcutTable title="Except while typing" rows={rowsOf(commands, apple)} />
        {pageTables.map(
          (table) => table && <ShortcutTable key={table.title} {...table} rows={asPrinted(table.rows, apple)} />,
        )}
      </div>
    </Dialog>
  );
}

/** The keys of commands, each once. A command for a section of a page begins with the name of the page. */
export function rowsOf(commands: readonly Command[], apple: boolean): KeyTable['rows'] {
  const rows = new Map<string, KeyTable['rows'][number]>();
  for (const { title, keys, group, page } of commands) {
    if (!keys || rows.has(`${title} ${keys[0]}`)) continue;
    const where = group === 'Section' ? PAGES.find(({ id }) => id === page)?.title : undefined;
    rows.set(`${title} ${keys[0]}`, {
      title: where === undefined ? title : `${where}: ${title}`,
      keys: [keyText(keys[0], apple)],
    });
  }
  return [...rows.values()];
}

/** The keys of a page as they are printed on keyboards: l becomes L, ArrowLeft becomes ←. */
export function asPrinted(rows: KeyTable['rows'], apple: boolean): KeyTable['rows'] {
  return rows.map(({ title, keys }) => ({
    title,
    keys: keys.map((key) => (key.includes(' ') ? key : keyText(key, apple))),
  }));
}

function ShortcutTable({ title, rows }: KeyTable) {
  return (
    <table className="table">
      <caption className="text-start font-semibold pb-2">{title}</caption>
      <tbody>
        {rows.map((row) => (
          <tr key={row.title}>
            <th scope="row">{row.title}</th>
            <td className="number whitespace-normal">
              {row.keys.map((key) => (
                <kbd key={key} className="whitespace-nowrap not-first:ms-2">
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
