import type { Player } from '../../state/index.ts';
import type { KeyCommand } from '../../kit/command.ts';
import type { KeyTable } from '../../kit/page.ts';

/** What the keys of a presentation control: its player, and other actions. */
export interface PresentActions {
  readonly player: Player;
  readonly onBlank: () => void;
  readonly onPointer: () => void;
  readonly onQuestions: () => void;
  readonly onFullScreen: () => void;
  readonly onLeave: () => void;
}

/** The keys of a presentation, including the keys of a clicker: page keys, and B or a full stop for a blank screen. */
export function presentCommands(actions: PresentActions): readonly KeyCommand[] {
  const { player, onBlank, onPointer, onQuestions, onFullScreen, onLeave } = actions;
  return [
    { keys: ['PageDown', 'ArrowRight', 'ArrowDown'], run: player.next },
    { keys: ['PageUp', 'ArrowLeft', 'ArrowUp'], run: player.previous },
    { keys: ['Shift+ArrowRight'], run: player.nextStepOrChapter },
    { keys: ['Shift+ArrowLeft'], run: player.previousStepOrChapter },
    // Switches between every step (`frame` is null) and only the frames at which the player rests.
    { keys: ['e'], run: () => player.setEveryStep(player.store.getState().frame !== null) },
    { keys: ['Space'], run: player.toggle },
    { keys: ['Home'], run: player.first },
    { keys: ['End'], run: player.last },
    { keys: ['b', '.'], run: onBlank },
    { keys: ['z'], run: onPointer },
    { keys: ['q'], run: onQuestions },
    { keys: ['f'], run: onFullScreen },
    { keys: ['Escape', 'p'], run: onLeave },
  ];
}

/** The keys of a presentation in the list of shortcuts. */
export const PRESENT_KEYS: KeyTable = {
  title: 'While presenting',
  rows: [
    { title: 'Next, previous', keys: ['Page down', 'Page up'] },
    { title: 'Answer a question', keys: ['1', '2', '3', '4'] },
    { title: 'Blank screen', keys: ['B', '.'] },
    { title: 'Pointer', keys: ['Z'] },
    { title: 'With or without questions', keys: ['Q'] },
    { title: 'Full screen', keys: ['F'] },
    { title: 'Leave', keys: ['P', 'Esc'] },
  ],
};
