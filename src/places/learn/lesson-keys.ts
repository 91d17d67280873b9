import type { Player } from '../../state/index.ts';
import type { Command } from '../../kit/command.ts';
import type { KeyTable } from '../../kit/place.ts';

/** What the keys of a lesson do. */
export interface LessonActions {
  readonly player: Player;
  readonly onParagraph: (by: number) => void;
  readonly onLesson: (by: number) => void;
  readonly onPresent: () => void;
}

const PLAY = 'Play or pause';
const PRESENT = 'Present the figure';

/** The keys of a lesson: J and K between paragraphs, [ and ] between lessons, arrows and Space for the figure. */
export function lessonCommands({ player, onParagraph, onLesson, onPresent }: LessonActions): readonly Command[] {
  const command = (id: string, title: string, keys: readonly string[], run: () => void): Command => ({
    id,
    group: 'Page',
    title,
    keys,
    run,
  });
  return [
    command('paragraph-next', 'Next paragraph', ['j'], () => onParagraph(1)),
    command('paragraph-previous', 'Previous paragraph', ['k'], () => onParagraph(-1)),
    command('lesson-next', 'Next lesson', [']'], () => onLesson(1)),
    command('lesson-previous', 'Previous lesson', ['['], () => onLesson(-1)),
    command('figure-present', PRESENT, ['p'], onPresent),
    command('figure-play', PLAY, ['Space'], player.toggle),
    command('figure-next', 'Next step', ['ArrowRight'], player.next),
    command('figure-previous', 'Previous step', ['ArrowLeft'], player.previous),
  ];
}

/** The keys of a lesson, for the list of shortcuts. */
export const LESSON_KEYS: KeyTable = {
  title: 'In a lesson',
  rows: [
    { title: 'Next, previous paragraph', keys: ['J', 'K'] },
    { title: 'Next, previous lesson', keys: [']', '['] },
    { title: 'Step back, step on', keys: ['←', '→'] },
    { title: PLAY, keys: ['Space'] },
    { title: PRESENT, keys: ['P'] },
    { title: 'Out of a question’s field', keys: ['Esc'] },
  ],
};
