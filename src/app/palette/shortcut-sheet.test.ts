import { expect, test } from 'vitest';
import type { Command } from '../../kit/command.ts';
import { PAGES } from '../pages.ts';
import { asPrinted, rowsOf } from './ShortcutSheet.tsx';

const command = (title: string, key: string, more: Partial<Command> = {}): Command => ({
  id: title,
  group: 'Page',
  title,
  keys: [key],
  run: () => {},
  ...more,
});

test('a tab is listed with its page, and a key that two pages share is listed once', () => {
  const [, page] = PAGES;
  const pageSection = { group: 'Section', page: page.id } as const;
  const commands = [command('Present', 'p'), command('Text', 'g 1', pageSection), command('Present', 'p', pageSection)];
  expect(rowsOf(commands, false)).toEqual([
    { title: 'Present', keys: ['P'] },
    { title: `${page.title}: Text`, keys: ['G 1'] },
  ]);
});

test('no key of a page is shown in the notation of the code', async () => {
  const tables = await Promise.all(PAGES.map(async (page) => (await page.paletteEntries?.())?.keys?.rows ?? []));
  const shown = asPrinted(tables.flat(), false).flatMap(({ keys }) => keys);
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.filter((key) => /Arrow|\$mod|^[a-z]$|\S\+\S/.test(key))).toEqual([]);
  expect(asPrinted([{ title: '', keys: ['+', 'Shift+ArrowLeft', 'Ctrl + Home'] }], false)[0].keys).toEqual([
    '+',
    'Shift + ←',
    'Ctrl + Home',
  ]);
});
