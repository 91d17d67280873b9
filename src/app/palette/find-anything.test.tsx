import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { fakeApp } from '../../../test/page.ts';
import { partsOfLabs } from '../../../scripts/labs.mjs';
import { formats } from '../../formats/catalog.ts';
import { parseGallery } from '../../io/gallery.ts';
import type { Command, CommandContext } from '../../kit/command.ts';
import { requestedDetails } from '../../kit/frame/Details.tsx';
import { KNOWN_MODELS } from '../../theory/models/known-models.ts';
import { PUBLISHED_DEVICES } from '../../theory/roofline/devices.ts';
import { commandsOf } from '../commands.ts';
import { PAGES } from '../pages.ts';
import { isQuestionSetDialogOpen } from '../../pages/learn/question-set-dialog.ts';
import { requestedWord } from '../selection/requested-word.ts';
import { commandFinder, everyCommand, excerpt, type EntriesOfPages, listedFirst, loadEntries } from './Palette.tsx';
import { selectionChoices } from './selection-choices.ts';

// @vitest-environment happy-dom
const gallery = parseGallery(JSON.parse(readFileSync('public/examples/index.json', 'utf8')));
const devices = PUBLISHED_DEVICES.map(({ id, name }) => ({ id, label: name, kind: 'published' as const }));
const choices = selectionChoices(KNOWN_MODELS, formats, devices);
let finds: EntriesOfPages = new Map();
beforeAll(async () => {
  finds = await loadEntries();
});

/** The page with its real examples; requests to its actions are listed. */
function page() {
  const base = fakeApp();
  const examples = gallery.map(({ id, name }) => ({ id, title: name, window: null }));
  const app = { ...base, formats, gallery, catalog: { ...base.catalog, examples } };
  const requests: string[] = [];
  const action =
    (name: string) =>
    (argument?: string): void =>
      void requests.push(argument === undefined ? name : `${name} ${argument}`);
  const names = [
    'openFile',
    'openMatrixPicker',
    'openExport',
    'openAbout',
    'openShortcuts',
    'present',
    'share',
    'run',
    'exportScene',
    'focusSelection',
  ];
  const context = {
    app,
    ...Object.fromEntries(names.map((name) => [name, action(name)])),
  } as unknown as CommandContext;
  const all = everyCommand(context, commandsOf(context), choices, finds);
  return { app, requests, all, find: commandFinder(context, all, choices) };
}

/** Where choosing a result leads: each action of the page, and what is visible after it. */
function landing(query: string, title: string, from: string): readonly string[] {
  const { app, requests, find } = page();
  app.session.setView(from);
  const found = find(query).slice(0, 3);
  const command = found.find((one) => one.title === title);
  if (!command) throw new Error(`${query}: found ${found.map((one) => one.title).join(' | ')}, expected ${title}`);
  requestedDetails.setState(null, true);
  requestedWord.setState(null, true);
  isQuestionSetDialogOpen.setState(false, true);
  const { session } = app;
  const opened = (what: unknown): void => void requests.push(`open ${JSON.stringify(what)}`);
  session.restore = async ({ source }) => opened(source);
  session.openModel = async (source) => opened(source);
  session.openRemote = async (reference) => opened(reference);
  session.openExample = async (id) => opened(id);
  session.setFormat = (id) => requests.push(`format ${id}`);
  const open = window.open.bind(window);
  window.open = (address) => (requests.push(`visit ${String(address)}`), null);
  command.run();
  window.open = open;
  const { view, pages, on, format, params } = app.document.getState();
  return [
    ...requests,
    `view ${view}`,
    `at ${JSON.stringify(pages[view] ?? {})}`,
    `fold ${requestedDetails.getState() ?? ''}`,
    `word ${requestedWord.getState()?.word ?? ''}`,
    `on ${on}`,
    `in ${format} ${JSON.stringify(params[format])}`,
    `theme ${app.preferences.store.getState().theme}`,
    isQuestionSetDialogOpen.getState() ? 'questions' : '',
  ];
}

/** A query, what is among the first three results or the very first, and where choosing it leads. */
interface Query {
  readonly query: string;
  readonly title: string;
  readonly lands: string;
  readonly isFirst?: boolean;
}
/** Those of labs are in their folders. */
const ROWS = ['src/app/palette/queries.json', ...partsOfLabs('test/queries.json')].flatMap((path) =>
  Object.values<Query | readonly Query[]>(JSON.parse(readFileSync(path, 'utf8'))).flat(),
);

describe('find anything', () => {
  it.each(ROWS)('$query: finds “$title”', ({ query, title, lands }) => {
    // From another page than the one that it leads to.
    const [one, other] = PAGES.map(({ id }) => id).filter((id) => `view ${id}` !== lands);
    const lines = landing(query, title, `view ${one}` === lands ? other : one);
    expect(lines.filter((line) => line.includes(lands))).not.toEqual([]);
  });

  test('checks 80 queries or more, each once', () => {
    const typed = ROWS.map(({ query }) => query);
    expect(typed.length).toBeGreaterThanOrEqual(80);
    expect(new Set(typed).size).toBe(typed.length);
  });

  it.each(ROWS.filter(({ isFirst }) => isFirst))('$query: finds “$title” first', ({ query, title }) => {
    expect(page().find(query)[0].title).toBe(title);
  });

  test('the stories, the papers and opening a file are there before a letter is typed', () => {
    const { all } = page();
    const listed = listedFirst(all, 20).map(({ group, title }) => `${group} ${title.split(' ')[0]}`);
    expect(listed.slice(0, 9)).toEqual([
      'Story MACKO',
      'Story EC-SpMV',
      'Story TwELL',
      'Story SlideSparse',
      'Paper MACKO:',
      'Paper Toward',
      'Paper Sparser,',
      'Paper SlideSparse:',
      'Matrix Open',
    ]);
    expect(new Set(listedFirst(all, 20)).size).toBe(listed.length);
  });

  test('lists last where a word occurs: page, lesson, section', () => {
    const { app, find } = page();
    const [output] = find('nowhere');
    expect(output).toMatchObject({ group: 'Text', leadsTo: 'Learn › Tiles inside a matmul › A tile that is too full' });
    output.run();
    expect(app.document.getState().pages.learn).toMatchObject({ lesson: 'tiles-inside-a-matmul' });
    expect([find('xyzzy is nowhere'), find('xyzzy')]).toEqual([find('nowhere'), []]);
  });

  test('compares digits exactly: no number matches another one', () => {
    const { find } = page();
    expect(find('4090')).not.toEqual([]);
    expect(find('4091')).toEqual([]);
  });

  test('lists of several paragraphs below one heading the one that fits best', () => {
    const { find } = page();
    const output = find('lane').filter(({ group }) => group === 'Text');
    expect(output.length).toBeGreaterThan(1);
    const once = output.map(({ leadsTo }) => leadsTo);
    expect(new Set(once).size).toBe(once.length);
  });

  test('lists matching names before matching texts', () => {
    const { find } = page();
    const groups = find('padding').map(({ group }) => group);
    expect(groups.lastIndexOf('Term')).toBeLessThan(groups.indexOf('Text'));
  });

  test('has every command once, and other words for commands that are there alone', () => {
    const { all } = page();
    const ids = all.map(({ id, leadsTo }) => (id.startsWith('fold-') || id === 'present' ? `${leadsTo} ${id}` : id));
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    const named = [...finds.values()].flatMap(({ searchWordsOf = {} }) => Object.keys(searchWordsOf));
    expect(named.filter((id) => !all.some((command: Command) => command.id === id))).toEqual([]);
    expect([...finds.keys()]).toEqual(PAGES.map(({ id }) => id));
  });
});

describe('excerpt(text, query)', () => {
  const long = `${'word '.repeat(40)}needle ${'more '.repeat(40)}`.trim();
  it('is a short text itself', () => expect(excerpt('A short text.', 'text')).toBe('A short text.'));
  it('is the part around the first word that is found', () => {
    expect(excerpt(long, 'the needle')).toMatch(/^… (?:word )+needle (?:more )+…$/);
    expect(excerpt(long, 'the needle').length).toBeLessThan(180);
  });
  it('begins at the beginning where the word is there, or nowhere', () => {
    expect(excerpt(long, 'word')).toMatch(/^word .* …$/);
    expect(excerpt(long, 'absent')).toMatch(/^word .* …$/);
  });
});
