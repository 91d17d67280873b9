import type { Command, CommandContext } from '../kit/command.ts';
import { PLACES } from './places.ts';

/** A letter of each title that no title before it has: those after G go to the places. */
export function lettersOf(titles: readonly string[]): readonly string[] {
  const letters: string[] = [];
  for (const title of titles)
    letters.push(
      title
        .toLowerCase()
        .split('')
        .find((letter) => !letters.includes(letter)) ?? '',
    );
  return letters;
}

const letters = lettersOf(PLACES.map(({ title }) => title));

/** Every command with a key. Those without one are loaded with the palette: see `Finds`. */
export function commandsOf(context: CommandContext): readonly Command[] {
  const { session } = context.app;
  return [
    ...PLACES.map(({ id, title }, i): Command => ({
      id: `go-${id}`,
      group: 'Place',
      title,
      keys: [String(i + 1), `g ${letters[i]}`],
      onPage: true,
      run: () => session.setView(id),
    })),

    {
      id: 'subject',
      group: 'Subject',
      title: 'To the sentence',
      keys: ['/', 'Shift+/'],
      onSubject: true,
      run: context.toSubject,
    },
    { id: 'swap', group: 'Subject', title: 'Swap A and B', keys: ['x'], onSubject: true, run: session.swap },
    { id: 'open', group: 'Matrix', title: 'Open a file', keys: ['$mod+o'], run: context.openFile },
    ...PLACES.flatMap(({ commands }) => commands?.(context) ?? []),

    { id: 'palette', group: 'Page', title: 'Find anything', keys: ['$mod+k'], run: context.openPalette },
    { id: 'shortcuts', group: 'Page', title: 'Keyboard shortcuts', keys: ['?', 'Shift+?'], run: context.openShortcuts },
  ];
}
