import type { Command, CommandContext } from '../kit/command.ts';
import { THEMES } from '../state/index.ts';
import { PLACES } from './places.ts';
import { saveArrays, saveMatrix } from '../kit/browser/save-files.ts';

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

/** Every command, in the order of the palette. */
export function commandsOf(context: CommandContext): readonly Command[] {
  const { session, preferences, catalog } = context.app;
  return [
    ...PLACES.map(({ id, title }, i): Command => ({
      id: `go-${id}`,
      group: 'Go',
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
    { id: 'a-alone', group: 'Subject', title: 'A alone', run: () => session.setAgainst(null) },

    { id: 'open', group: 'Matrix', title: 'Open a file', keys: ['$mod+o'], run: context.openFile },
    {
      id: 'choose',
      group: 'Matrix',
      title: 'Choose a model or a matrix, or generate one',
      run: () => context.openChooser(),
    },
    ...catalog.examples.map((example): Command => ({
      id: `example-${example.id}`,
      group: 'Matrix',
      title: `Example: ${example.title}`,
      run: () => void session.openExample(example.id),
    })),

    {
      id: 'save-mtx',
      group: 'Matrix',
      title: 'Save the matrix as .mtx',
      run: () => void saveMatrix('mtx', context.app),
    },
    {
      id: 'save-npz',
      group: 'Matrix',
      title: 'Save the matrix as .npz',
      run: () => void saveMatrix('npz', context.app),
    },
    {
      id: 'arrays-npz',
      group: 'Format',
      title: 'Save the arrays as .npz',
      run: () => void saveArrays('npz', context.app),
    },
    {
      id: 'arrays-safetensors',
      group: 'Format',
      title: 'Save the arrays as .safetensors',
      run: () => void saveArrays('safetensors', context.app),
    },

    ...PLACES.flatMap(({ commands }) => commands?.(context) ?? []),

    { id: 'share', group: 'Page', title: 'Copy a link to this', run: context.share },
    ...THEMES.map((theme): Command => ({
      id: `theme-${theme}`,
      group: 'Page',
      title: theme === 'system' ? 'System colours' : `${theme === 'light' ? 'Light' : 'Dark'} colours`,
      run: () => preferences.setTheme(theme),
    })),
    { id: 'licences', group: 'Page', title: 'Licences', run: () => void window.open('licences.txt') },
    { id: 'palette', group: 'Page', title: 'Commands', keys: ['$mod+k'], run: context.openPalette },
    { id: 'shortcuts', group: 'Page', title: 'Keyboard shortcuts', keys: ['?', 'Shift+?'], run: context.openShortcuts },
  ];
}
