import type { Player } from '../../state/index.ts';
import type { Command } from '../../kit/command.ts';
import type { KeyTable } from '../../kit/place.ts';

/** What keys do that only a presentation has, and the player of its story. */
export interface PresentActions {
  readonly player: Player;
  readonly onBlank: () => void;
  readonly onPointer: () => void;
  readonly onFullScreen: () => void;
  readonly onLeave: () => void;
}

/** The keys of a presentation, with those of a clicker: page keys forward and back, B or a full stop for a blank screen. */
export function presentCommands(actions: PresentActions): readonly Command[] {
  const { player, onBlank, onPointer, onFullScreen, onLeave } = actions;
  const command = (id: string, title: string, keys: readonly string[], run: () => void): Command => ({
    id,
    group: 'Animation',
    title,
    keys,
    run,
  });
  return [
    command('present-next', 'Next frame or step', ['PageDown', 'ArrowRight', 'ArrowDown'], player.next),
    command('present-previous', 'Previous frame or step', ['PageUp', 'ArrowLeft', 'ArrowUp'], player.previous),
    command('present-next-chapter', 'Next chapter', ['Shift+ArrowRight'], player.nextChapter),
    command('present-previous-chapter', 'Previous chapter', ['Shift+ArrowLeft'], player.previousChapter),
    command('present-every-step', 'Every step, or frames', ['e'], () =>
      player.setEveryStep(player.store.getState().frame !== null),
    ),
    command('present-play', 'Play or pause', ['Space'], player.toggle),
    command('present-first', 'First frame or step', ['Home'], player.first),
    command('present-last', 'Last frame or step', ['End'], player.last),
    command('present-blank', 'Blank screen', ['b', '.'], onBlank),
    command('present-pointer', 'Pointer', ['z'], onPointer),
    command('present-full', 'Full screen', ['f'], onFullScreen),
    command('present-leave', 'Leave', ['Escape', 'p'], onLeave),
  ];
}

/** The keys of a presentation, for the list of shortcuts. */
export const PRESENT_KEYS: KeyTable = {
  title: 'While presenting',
  rows: [
    { title: 'Next, previous', keys: ['Page down', 'Page up'] },
    { title: 'Answer a question', keys: ['1', '2', '3', '4'] },
    { title: 'Blank screen', keys: ['B', '.'] },
    { title: 'Pointer', keys: ['Z'] },
    { title: 'Full screen', keys: ['F'] },
    { title: 'Leave', keys: ['P', 'Esc'] },
  ],
};
