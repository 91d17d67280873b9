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
import { RELATED } from '../../pages/learn/guides.ts';
import { isQuestionSetDialogOpen } from '../../pages/learn/question-set-dialog.ts';
import { requestedItem } from '../selection/requested-item.ts';
import { commandFinder, everyCommand, excerpt, type EntriesOfPages, listedFirst, loadEntries } from './Palette.tsx';
import { selectionChoices } from './selection-choices.ts';

// @vitest-environment happy-dom
const gallery = parseGallery(JSON.parse(readFileSync('public/examples/index.json', 'utf8')));
const devices = PUBLISHED_DEVICES.map(({ id, name }) => ({ id, label: name, kind: 'published' as const }));
const choices = selectionChoices(KNOWN_MODELS, formats, devices);
/** what the palette can find on each page */
let entries: EntriesOfPages = new Map();
beforeAll(async () => {
  entries = await loadEntries();
});

/** The app with its real examples and a palette. `requests`: the actions of the app that commands called. */
function appWithPalette() {
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
  const commands = everyCommand(context, commandsOf(context), choices, entries);
  return { app, requests, commands, find: commandFinder(context, commands, choices) };
}

/** What happened when a result of the palette was chosen: the actions that it called, and the state of the app afterwards. */
interface Landing {
  /** the actions that were called, each with its argument: 'exportScene png', 'openFile' */
  readonly actions: readonly string[];
  /** id of the page */
  readonly page: string;
  /** the page's own address parameters */
  readonly parameters: object;
  /** id of the details section that is to be opened */
  readonly details: string;
  /** id of the selection bar's item that is to be opened */
  readonly item: string;
  /** id of the device */
  readonly device: string;
  readonly format: string;
  readonly formatParams: object | undefined;
  readonly theme: string;
  readonly isQuestionSetDialogOpen: boolean;
}

/** A landing as lines, in the notation of `lands` in the files queries.json. */
function landingLines(landing: Landing): readonly string[] {
  return [
    ...landing.actions,
    `view ${landing.page}`,
    `at ${JSON.stringify(landing.parameters)}`,
    `details ${landing.details}`,
    `item ${landing.item}`,
    `on ${landing.device}`,
    `in ${landing.format} ${JSON.stringify(landing.formatParams)}`,
    `theme ${landing.theme}`,
    landing.isQuestionSetDialogOpen ? 'questions' : '',
  ];
}

/**
 * Types a query on the page with the id `from`, chooses the result with this title, which must be among the first three, and
 * returns what happened.
 */
function landingOf(query: string, title: string, from: string): Landing {
  const { app, requests, find } = appWithPalette();
  app.session.setView(from);
  const results = find(query).slice(0, 3);
  const command = results.find((result) => result.title === title);
  if (!command)
    throw new Error(`${query}: found ${results.map((result) => result.title).join(' | ')}, expected ${title}`);
  // Starts without a requested details section.
  requestedDetails.setState(null, true);
  requestedItem.setState(null, true);
  isQuestionSetDialogOpen.setState(false, true);
  // Actions that would need the worker or the network are only listed.
  const { session } = app;
  const recordOpening = (what: unknown): void => void requests.push(`open ${JSON.stringify(what)}`);
  session.restore = async ({ source }) => recordOpening(source);
  session.openModel = async (source) => recordOpening(source);
  session.openRemote = async (reference) => recordOpening(reference);
  session.openExample = async (id) => recordOpening(id);
  session.setFormat = (id) => requests.push(`format ${id}`);
  const open = window.open.bind(window);
  window.open = (address) => (requests.push(`visit ${String(address)}`), null);
  command.run();
  window.open = open;
  const { view, pages, deviceChoice, format, params } = app.document.getState();
  return {
    actions: requests,
    page: view,
    parameters: pages[view] ?? {},
    details: requestedDetails.getState() ?? '',
    item: requestedItem.getState()?.item ?? '',
    device: deviceChoice,
    format,
    formatParams: params[format],
    theme: app.preferences.store.getState().theme,
    isQuestionSetDialogOpen: isQuestionSetDialogOpen.getState(),
  };
}

interface Query {
  readonly query: string;
  /** title of a result among the first three */
  readonly title: string;
  /** a part of a line of `landingLines` after choosing that result: 'view measure', 'exportScene png' */
  readonly lands: string;
  /** whether it must be the very first result */
  readonly isFirst?: boolean;
}

/** The queries of src and of every lab. The files group them under a heading; some headings have a single query. */
const ROWS = ['src/app/palette/queries.json', ...partsOfLabs('test/queries.json')].flatMap((path) =>
  Object.values<Query | readonly Query[]>(JSON.parse(readFileSync(path, 'utf8'))).flat(),
);

describe('the palette', () => {
  it.each(ROWS)('$query: finds “$title” among the first three, which leads to $lands', ({ query, title, lands }) => {
    // From another page than the one that it leads to.
    const from = PAGES.map(({ id }) => id).find((id) => `view ${id}` !== lands) ?? '';
    const lines = landingLines(landingOf(query, title, from));
    expect(lines.filter((line) => line.includes(lands))).not.toEqual([]);
  });

  it.each(RELATED.flatMap(({ rows }) => rows.map(([name]) => name)))(
    'finds the related work %s by its first word among the first ten',
    (name) => {
      const [word] = name.split(/[ ,]/);
      const found = appWithPalette().find(word).slice(0, 10);
      expect(found.map(({ id }) => id)).toContain(`related-${name}`);
    },
  );

  test('at least 80 queries are tested, each once', () => {
    const queries = ROWS.map(({ query }) => query);
    expect(queries.length).toBeGreaterThanOrEqual(80);
    expect(new Set(queries).size).toBe(queries.length);
  });

  it.each(ROWS.filter(({ isFirst }) => isFirst))('$query: finds “$title” first', ({ query, title }) => {
    expect(appWithPalette().find(query)[0].title).toBe(title);
  });

  test('before a letter is typed, it lists the stories, the papers and opening a file first', () => {
    const { commands } = appWithPalette();
    const firstTitles = listedFirst(commands, 20).map(({ group, title }) => `${group} ${title.split(' ')[0]}`);
    expect(firstTitles.slice(0, 9)).toEqual([
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
    expect(new Set(listedFirst(commands, 20)).size).toBe(firstTitles.length);
  });

  test('lists the texts in which a word occurs, with page, lesson and section, and opens them', () => {
    const { app, find } = appWithPalette();
    const [output] = find('nowhere');
    expect(output).toMatchObject({ group: 'Text', leadsTo: 'Learn › Tiles inside a matmul › A tile that is too full' });
    output.run();
    expect(app.document.getState().pages.learn).toMatchObject({ lesson: 'tiles-inside-a-matmul' });
    expect([find('xyzzy is nowhere'), find('xyzzy')]).toEqual([find('nowhere'), []]);
  });

  test('compares digits exactly: no number matches another one', () => {
    const { find } = appWithPalette();
    expect(find('4090')).not.toEqual([]);
    expect(find('4091')).toEqual([]);
  });

  test('lists at most one paragraph below each heading', () => {
    const { find } = appWithPalette();
    const output = find('lane').filter(({ group }) => group === 'Text');
    expect(output.length).toBeGreaterThan(1);
    const headings = output.map(({ leadsTo }) => leadsTo);
    expect(new Set(headings).size).toBe(headings.length);
  });

  test('lists matching names before matching texts', () => {
    const { find } = appWithPalette();
    const groups = find('padding').map(({ group }) => group);
    expect(groups.lastIndexOf('Term')).toBeLessThan(groups.indexOf('Text'));
  });

  test('the palette has every command once, search words only for commands that exist, and entries of every page', () => {
    const { commands } = appWithPalette();
    const ids = commands.map(({ id, leadsTo }) =>
      id.startsWith('fold-') || id === 'present' ? `${leadsTo} ${id}` : id,
    );
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    const idsWithSearchWords = [...entries.values()].flatMap(({ searchWordsOf = {} }) => Object.keys(searchWordsOf));
    expect(idsWithSearchWords.filter((id) => !commands.some((command: Command) => command.id === id))).toEqual([]);
    expect([...entries.keys()]).toEqual(PAGES.map(({ id }) => id));
  });
});

describe('excerpt(text, query)', () => {
  const longText = `${'word '.repeat(40)}needle ${'more '.repeat(40)}`.trim();
  it('is the whole text if it is short', () => expect(excerpt('A short text.', 'text')).toBe('A short text.'));
  it('is the part of a long text around the first matching word', () => {
    expect(excerpt(longText, 'the needle')).toMatch(/^… (?:word )+needle (?:more )+…$/);
    expect(excerpt(longText, 'the needle').length).toBeLessThan(180);
  });
  it('is the beginning of a long text if the word is there or nowhere', () => {
    expect(excerpt(longText, 'word')).toMatch(/^word .* …$/);
    expect(excerpt(longText, 'absent')).toMatch(/^word .* …$/);
  });
});
