import type { Player } from '../../state/index.ts';
import type { Command } from '../command.ts';

/** Commands of an animation's player, with keys. `page`: id of the page, on which it may stop at frames, not steps. */
export function playerCommands(player: Player, page?: string): readonly Command[] {
  const step = page === undefined ? 'step' : 'frame or step';
  const command = (id: string, title: string, key: string, run: () => void): Command => ({
    id,
    group: 'Animation',
    title,
    keys: [key],
    ...(page !== undefined && { page }),
    run,
  });
  return [
    command('play', 'Play or pause', 'Space', player.toggle),
    command('next', `Next ${step}`, 'ArrowRight', player.next),
    command('previous', `Previous ${step}`, 'ArrowLeft', player.previous),
    command('next-chapter', 'Next chapter, or one step', 'Shift+ArrowRight', player.nextStepOrChapter),
    command('previous-chapter', 'Previous chapter, or one step', 'Shift+ArrowLeft', player.previousStepOrChapter),
    command('first', `First ${step}`, 'Home', player.first),
    command('last', `Last ${step}`, 'End', player.last),
  ];
}
