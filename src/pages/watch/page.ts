import type { AppPage } from '../../kit/page.ts';
import { pageState } from '../../state/index.ts';
import { WATCH, WATCH_FIELDS } from './address.ts';
import { toggleBytes } from './stage/bytes-shown.ts';
import { WatchPage } from './WatchPage.tsx';
import type { Command, CommandContext } from '../../kit/command.ts';
import { playerCommands } from '../../kit/stage/player-commands.ts';

/** The commands of the animation, with their keys. */
export function stageCommands(context: CommandContext): readonly Command[] {
  const { player } = context.app;
  const page = WATCH.id;
  const animation = (command: Omit<Command, 'group' | 'page'>): Command => ({ ...command, group: 'Animation', page });
  return [
    ...playerCommands(player, page),
    animation({
      id: 'every-step',
      title: 'Every step, or frames',
      keys: ['e'],
      run: () => player.setEveryStep(player.store.getState().frame !== null),
    }),
    animation({ id: 'every-byte', title: 'Every byte below the picture', keys: ['b'], run: toggleBytes }),
    animation({
      id: 'undo-edits',
      title: 'Undo all edits of cells',
      keys: ['Escape'],
      isOn: () => context.app.document.getState().edited !== null,
      run: context.app.session.undoEdits,
    }),
    // A text field has an undo of its own.
    ...(
      [
        ['undo', 'Undo the last change of a cell', ['$mod+z']],
        ['redo', 'Redo the last change of a cell', ['$mod+Shift+z', '$mod+y']],
      ] as const
    ).map(([id, title, keys]) =>
      animation({
        id,
        title,
        keys,
        isOn: () =>
          context.app.cellHistory !== undefined && document.activeElement?.matches('input, textarea') !== true,
        run() {
          if (context.app.cellHistory?.[id]() === false) context.app.announce(`No change of a cell to ${id}.`);
        },
      }),
    ),
    animation({ id: 'present', title: 'Present', keys: ['p'], run: () => context.present() }),
  ];
}

/** The page Watch, loaded at once, since it is first. `paletteEntries`: what Ctrl K finds in it. */
export const watch: AppPage = {
  ...WATCH,
  Page: WatchPage,
  isPlain: (doc) => pageState(doc, WATCH_FIELDS).visit === 'first', // fewer controls on the first screen
  // The selection bar omits the number of tokens: a story multiplies by one vector.
  hiddenItems: ['tokens'],
  commands: stageCommands,
  paletteEntries: async () => (await import('./palette-entries.ts')).PALETTE_ENTRIES,
};
