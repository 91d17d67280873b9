import type { Command, CommandContext } from '../kit/command.ts';
import { THEMES } from '../state/index.ts';
import { PLACES } from './places.ts';
import { saveArrays, saveMatrix } from '../kit/browser/save-files.ts';

/** Every command, in the order of the palette. */
export function commandsOf(context: CommandContext): readonly Command[] {
  const { session, preferences, catalog } = context.app;
  return [
    ...PLACES.map(({ id, title }): Command => ({ id: `go-${id}`, group: 'Go', title, run: () => session.setView(id) })),

    { id: 'open', group: 'Matrix', title: 'Open a file', keys: ['$mod+o'], run: context.openFile },
    { id: 'choose', group: 'Matrix', title: 'Choose or generate a matrix', run: context.openChooser },
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
