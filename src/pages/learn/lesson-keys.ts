import type { Player } from '../../state/index.ts';
import type { KeyCommand } from '../../kit/command.ts';
import type { KeyTable } from '../../kit/page.ts';

/** What the keys of a lesson do. */
export interface LessonActions {
  readonly player: Player;
  readonly onParagraph: (by: number) => void; // 1: the next, -1: the previous
  readonly onLesson: (by: number) => void;
  readonly onPresent: () => void;
}

/** The keys of a lesson: J and K between paragraphs, [ and ] between lessons, arrows and Space for the figure. */
export function lessonCommands({ player, onParagraph, onLesson, onPresent }: LessonActions): readonly KeyCommand[] {
  return [
    { keys: ['j'], run: () => onParagraph(1) },
    { keys: ['k'], run: () => onParagraph(-1) },
    { keys: [']'], run: () => onLesson(1) },
    { keys: ['['], run: () => onLesson(-1) },
    { keys: ['p'], run: onPresent },
    { keys: ['Space'], run: player.toggle },
    { keys: ['ArrowRight'], run: player.next },
    { keys: ['ArrowLeft'], run: player.previous },
  ];
}

/** The keys of a lesson, for the list of shortcuts. */
export const LESSON_KEYS: KeyTable = {
  title: 'In a lesson',
  rows: [
    { title: 'Next, previous paragraph', keys: ['J', 'K'] },
    { title: 'Next, previous lesson', keys: [']', '['] },
    { title: 'Step back, step on', keys: ['←', '→'] },
    { title: 'Play or pause', keys: ['Space'] },
    { title: 'Present the figure', keys: ['P'] },
    { title: 'Out of a question’s field', keys: ['Esc'] },
  ],
};
