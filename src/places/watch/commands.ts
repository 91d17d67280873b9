import type { Command, CommandContext } from '../../kit/command.ts';
import { playerCommands } from '../../kit/stage/player-commands.ts';
import { SPEEDS } from '../../state/index.ts';
import { chooseFormat } from './watch-format.ts';

/** The animation's keys, exports of it, and the formats. */
export function stageCommands(place: string, context: CommandContext): readonly Command[] {
  const { session, player, formats } = context.app;
  const animation = (command: Omit<Command, 'group' | 'place'>): Command => ({ ...command, group: 'Animation', place });
  return [
    ...playerCommands(player, place),
    animation({
      id: 'every-step',
      title: 'Every step, or frames',
      keys: ['e'],
      run: () => player.setEveryStep(player.store.getState().frame !== null),
    }),
    ...SPEEDS.map((speed) =>
      animation({ id: `speed-${speed}`, title: `Speed ${speed}×`, run: () => player.setSpeed(speed) }),
    ),
    animation({ id: 'present', title: 'Present', keys: ['p'], run: () => context.present() }),
    animation({ id: 'export', title: 'Embed, export or print the chapter', run: context.openExport }),
    animation({ id: 'svg', title: 'Save this step as SVG', run: () => context.exportScene('svg') }),
    animation({ id: 'png', title: 'Save this step as PNG', run: () => context.exportScene('png') }),
    ...formats.map((format): Command => ({
      id: `format-${format.id}`,
      group: 'Format',
      title: format.title,
      run: () => {
        session.setView(place);
        chooseFormat(context.app, format);
      },
    })),
  ];
}
