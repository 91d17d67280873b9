import type { Command, CommandContext } from '../kit/command.ts';
import { PAGES } from './pages.ts';

/** For each title of a page, its first letter that no earlier title has taken: the key to press after G. */
export function lettersOf(titles: readonly string[]): readonly string[] {
  const letters: string[] = [];
  for (const title of titles)
    letters.push(Array.from(title.toLowerCase()).find((letter) => !letters.includes(letter)) ?? '');
  return letters;
}

const listedPages = PAGES.filter(({ hasNoKey }) => !hasNoKey);
const letters = lettersOf(listedPages.map(({ title }) => title));

/** The keys of a page: its number, and its letter after G. */
function keysOf(id: string): readonly string[] | undefined {
  const index = listedPages.findIndex((page) => page.id === id);
  return index < 0 ? undefined : [String(index + 1), `g ${letters[index]}`];
}

/** A command to open each page, and all commands with keys. The palette loads the others: see `PaletteEntries`. */
export function commandsOf(context: CommandContext): readonly Command[] {
  const { session } = context.app;
  return [
    ...PAGES.map(({ id, title }): Command => {
      const keys = keysOf(id);
      return {
        id: `go-${id}`,
        group: 'Place',
        title,
        ...(keys && { keys }),
        isPageKey: true,
        run: () => session.setView(id),
      };
    }),

    {
      id: 'subject',
      group: 'Selection',
      title: 'Change matrix, format or device',
      keys: ['/', 'Shift+/'],
      isSelectionKey: true,
      run: context.focusSelection,
    },
    { id: 'swap', group: 'Selection', title: 'Swap A and B', keys: ['x'], isSelectionKey: true, run: session.swap },
    { id: 'open', group: 'Matrix', title: 'Open a file', keys: ['$mod+o'], run: context.openFile },
    ...PAGES.flatMap(({ commands }) => commands?.(context) ?? []),

    { id: 'palette', group: 'Page', title: 'Find anything', keys: ['$mod+k'], run: context.openCommandPalette },
    { id: 'shortcuts', group: 'Page', title: 'Keyboard shortcuts', keys: ['?', 'Shift+?'], run: context.openShortcuts },
  ];
}
