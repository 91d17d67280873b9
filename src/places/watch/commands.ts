import type { Command, CommandContext } from '../../kit/command.ts';
import { playerCommands } from '../../kit/stage/player-commands.ts';

/** The animation's keys. */
export function stageCommands(place: string, context: CommandContext): readonly Command[] {
  const { player } = context.app;
  const animation = (command: Omit<Command, 'group' | 'place'>): Command => ({ ...command, group: 'Animation', place });
  return [
    ...playerCommands(player, place),
    animation({
      id: 'every-step',
      title: 'Every step, or frames',
      keys: ['e'],
      run: () => player.setEveryStep(player.store.getState().frame !== null),
    }),
    animation({
      id: 'undo-edits',
      title: 'Undo all edits of cells',
      keys: ['Escape'],
      isOn: () => context.app.document.getState().edited !== null,
      run: context.app.session.undoEdits,
    }),
    animation({ id: 'present', title: 'Present', keys: ['p'], run: () => context.present() }),
  ];
}
