import { describe, expect, it } from 'vitest';
import { fakeApp } from '../../test/page.ts';
import type { CommandContext, KeyCommand } from '../kit/command.ts';
import { lessonCommands } from '../pages/learn/lesson-keys.ts';
import { presentCommands } from '../pages/present/present-keys.ts';
import { commandsOf, lettersOf } from './commands.ts';
import { PAGES } from './pages.ts';

const nothing = (): void => {};
const app = fakeApp();
const commands = commandsOf({ app } as unknown as CommandContext);

/** Keys that are used by more than one command. */
const collisions = (keyCommands: readonly KeyCommand[]): readonly string[] => {
  const keys = keyCommands.flatMap((command) => command.keys ?? []);
  return keys.filter((key, i) => keys.indexOf(key) !== i);
};

describe('keys', () => {
  it.each(PAGES.map(({ id }) => id))('no two commands of the page %s have the same key', (page) => {
    expect(collisions(commands.filter((command) => command.page === undefined || command.page === page))).toEqual([]);
  });

  it('no key of a lesson is also a key of the app', () => {
    const lessonKeys = lessonCommands({
      player: app.player,
      onParagraph: nothing,
      onLesson: nothing,
      onPresent: nothing,
    });
    expect(
      collisions([
        ...lessonKeys,
        ...commands.filter(({ page, isSelectionKey }) => page === undefined && !isSelectionKey),
      ]),
    ).toEqual([]);
  });

  it('no key of a presentation is also a key of the app', () => {
    const actions = {
      onBlank: nothing,
      onPointer: nothing,
      onQuestions: nothing,
      onFullScreen: nothing,
      onLeave: nothing,
    };
    const presentationKeys = presentCommands({ player: app.player, ...actions });
    const others = commands.filter(
      ({ page, isPageKey, isSelectionKey }) => page === undefined && !isPageKey && !isSelectionKey,
    );
    expect(collisions([...presentationKeys, ...others])).toEqual([]);
  });

  it('a number, or G and a letter, opens a page of the header', () => {
    const keys = commands
      .filter(({ group }) => group === 'Place')
      .flatMap((command) => (command.keys ? [command.keys] : []));
    const listed = PAGES.filter(({ hasNoKey }) => !hasNoKey);
    expect(keys).toEqual(listed.map((_page, i) => [String(i + 1), expect.stringMatching(/^g [a-z]$/)]));
    expect(PAGES.filter((page) => page.hasNoKey).map(({ title }) => title)).toEqual(
      PAGES.some(({ id }) => id === 'train') ? ['Training'] : [],
    );
    expect(lettersOf(['Watch', 'Compare', 'Measure', 'Code', 'Learn'])).toEqual(['w', 'c', 'm', 'o', 'l']);
  });

  it('X exchanges A and B, and / focuses the selection bar', () => {
    const commandOfKey = (key: string) => commands.find(({ keys }) => keys?.includes(key))?.id;
    expect([commandOfKey('x'), commandOfKey('/')]).toEqual(['swap', 'subject']);
  });
});
