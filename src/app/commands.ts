import { SPEEDS, THEMES } from '../state/index.ts';
import type { App } from '../kit/app-context.ts';
import { saveArrays, saveMatrix } from '../kit/browser/save-files.ts';

/** Something a person can do: what the palette lists, and a key does. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: 'Go' | 'Matrix' | 'Animation' | 'Format' | 'Benchmark' | 'Page';
  /** in the notation of tinykeys; several keys may do the same */
  readonly keys?: readonly string[];
  readonly run: () => void;
}

/** What commands need besides the stores: dialogs and files belong to the shell. */
export interface CommandContext {
  readonly app: App;
  readonly openFile: () => void;
  readonly openChooser: () => void;
  readonly openPalette: () => void;
  readonly openShortcuts: () => void;
  readonly openExport: () => void;
  readonly present: () => void;
  readonly share: () => void;
  readonly run: () => void;
  readonly exportScene: (kind: 'svg' | 'png') => void;
}

/** Every command, in the order of the palette. */
export function commandsOf(context: CommandContext): readonly Command[] {
  const { session, player, preferences, catalog, formats } = context.app;
  return [
    { id: 'go-visualize', group: 'Go', title: 'Visualize', run: () => session.setView('visualize') },
    { id: 'go-benchmark', group: 'Go', title: 'Benchmark', run: () => session.setView('benchmark') },
    { id: 'go-explore', group: 'Go', title: 'Explore', run: () => session.setView('explore') },
    { id: 'go-kernels', group: 'Go', title: 'Kernels', run: () => session.setView('kernels') },
    { id: 'go-learn', group: 'Go', title: 'Learn', run: () => session.setView('learn') },

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

    { id: 'play', group: 'Animation', title: 'Play or pause', keys: ['Space'], run: player.toggle },
    { id: 'next', group: 'Animation', title: 'Next step', keys: ['ArrowRight'], run: player.next },
    { id: 'previous', group: 'Animation', title: 'Previous step', keys: ['ArrowLeft'], run: player.previous },
    {
      id: 'next-chapter',
      group: 'Animation',
      title: 'Next chapter',
      keys: ['Shift+ArrowRight'],
      run: player.nextChapter,
    },
    {
      id: 'previous-chapter',
      group: 'Animation',
      title: 'Previous chapter',
      keys: ['Shift+ArrowLeft'],
      run: player.previousChapter,
    },
    { id: 'first', group: 'Animation', title: 'First step', keys: ['Home'], run: player.first },
    { id: 'last', group: 'Animation', title: 'Last step', keys: ['End'], run: player.last },
    ...SPEEDS.map((speed): Command => ({
      id: `speed-${speed}`,
      group: 'Animation',
      title: `Speed ${speed}×`,
      run: () => player.setSpeed(speed),
    })),
    { id: 'present', group: 'Animation', title: 'Present', keys: ['p'], run: () => context.present() },
    { id: 'export', group: 'Animation', title: 'Embed, export or print the chapter', run: context.openExport },
    { id: 'svg', group: 'Animation', title: 'Save this step as SVG', run: () => context.exportScene('svg') },
    { id: 'png', group: 'Animation', title: 'Save this step as PNG', run: () => context.exportScene('png') },

    ...formats.map((format): Command => ({
      id: `format-${format.id}`,
      group: 'Format',
      title: format.title,
      run: () => {
        session.setView('visualize');
        session.setFormat(format.id);
      },
    })),

    { id: 'run', group: 'Benchmark', title: 'Run', keys: ['$mod+Enter'], run: context.run },
    { id: 'cancel', group: 'Benchmark', title: 'Cancel the run', run: session.cancelBench },

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
