import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { fakeApp } from '../../../test/page.ts';
import { formats } from '../../formats/catalog.ts';
import { parseGallery } from '../../io/gallery.ts';
import type { Command, CommandContext } from '../../kit/command.ts';
import { requestedFold } from '../../kit/frame/Folds.tsx';
import { KNOWN_MODELS } from '../../theory/models/model-shape.ts';
import { PUBLISHED_DEVICES } from '../../theory/roofline/devices.ts';
import { commandsOf } from '../commands.ts';
import { PLACES } from '../places.ts';
import { makingSet } from '../../places/learn/making-set.ts';
import { wordToOpen } from '../subject/word-to-open.ts';
import { commandFinder, everyCommand, excerpt, type FindsOfPlaces, listedFirst, loadFinds } from './Palette.tsx';
import { subjectChoices } from './subjects.ts';

// @vitest-environment happy-dom
const gallery = parseGallery(JSON.parse(readFileSync('public/examples/index.json', 'utf8')));
const devices = PUBLISHED_DEVICES.map(({ id, name }) => ({ id, label: name, kind: 'published' as const }));
const choices = subjectChoices(KNOWN_MODELS, formats, devices);
let finds: FindsOfPlaces = new Map();
beforeAll(async () => {
  finds = await loadFinds();
});

/** The page with its real examples; what its actions are asked for is listed. */
function page() {
  const base = fakeApp();
  const examples = gallery.map(({ id, name }) => ({ id, title: name, window: null }));
  const app = { ...base, formats, gallery, catalog: { ...base.catalog, examples } };
  const asked: string[] = [];
  const action =
    (name: string) =>
    (argument?: string): void =>
      void asked.push(argument === undefined ? name : `${name} ${argument}`);
  const names = [
    'openFile',
    'openChooser',
    'openExport',
    'openAbout',
    'openShortcuts',
    'present',
    'share',
    'run',
    'exportScene',
    'toSubject',
  ];
  const context = {
    app,
    ...Object.fromEntries(names.map((name) => [name, action(name)])),
  } as unknown as CommandContext;
  const all = everyCommand(context, commandsOf(context), choices, finds);
  return { app, asked, all, find: commandFinder(context, all, choices) };
}

/** Where choosing what a query finds leads: each action of the page, and what is shown after it. */
function landing(query: string, title: string, from: string): readonly string[] {
  const { app, asked, find } = page();
  app.session.setView(from);
  const found = find(query).slice(0, 3);
  const command = found.find((one) => one.title === title);
  if (!command) throw new Error(`${query}: found ${found.map((one) => one.title).join(' | ')}, expected ${title}`);
  requestedFold.setState(null, true);
  wordToOpen.setState(null, true);
  makingSet.setState(false, true);
  const { session } = app;
  const opened = (what: unknown): void => void asked.push(`open ${JSON.stringify(what)}`);
  session.restore = async ({ source }) => opened(source);
  session.openModel = async (source) => opened(source);
  session.openRemote = async (reference) => opened(reference);
  session.openExample = async (id) => opened(id);
  session.setFormat = (id) => asked.push(`format ${id}`);
  const open = window.open.bind(window);
  window.open = (address) => (asked.push(`visit ${String(address)}`), null);
  command.run();
  window.open = open;
  const { view, places, on, format, params } = app.document.getState();
  return [
    ...asked,
    `view ${view}`,
    `at ${JSON.stringify(places[view] ?? {})}`,
    `fold ${requestedFold.getState() ?? ''}`,
    `word ${wordToOpen.getState()?.word ?? ''}`,
    `on ${on}`,
    `in ${format} ${JSON.stringify(params[format])}`,
    `theme ${app.preferences.store.getState().theme}`,
    makingSet.getState() ? 'questions' : '',
  ];
}

/** What people type, what is among the first three, where choosing it leads, and the lab that it belongs to. */
const ROWS: readonly (readonly [query: string, title: string, lands: string, lab?: string])[] = [
  // The ten that the palette of commands did not find.
  ['time', 'Measure', 'view measure'],
  ['benchmark', 'Run', 'run'],
  ['int4', 'dense i4', 'in dense {"valueType":"i4"'],
  ['padding', 'padding', '"lesson":"storing-only-what-is-there"'],
  ['export png', 'Save this step as PNG', 'exportScene png'],
  ['upload', 'Open a file', 'openFile'],
  ['open a matrix', 'Choose a model or a matrix', 'openChooser'],
  ['hugging face', 'Open from the web', 'openChooser web'],
  ['questions', 'Make a question set', 'questions'],
  ['what is a token', 'token', '"lesson":"'],
  ['which format is smallest', 'Compare', 'view compare'],
  // A student.
  ['tutorial', 'Learn', 'view learn'],
  ['why is sparse faster', 'Why bytes decide', '"lesson":"why-bytes-decide"'],
  ['what is a warp', 'subgroup', '"lesson":"'],
  ['compressed sparse row', 'CSR', 'format csr'],
  ['ellpack', 'ELL', 'format ell'],
  ['how does macko work', 'MACKO', 'format macko'],
  ['tokne', 'token', '"lesson":"'],
  ['quiz', 'Make a question set', 'questions'],
  ['exercise', 'A lane for every row', 'exercise/1', 'workbench'],
  ['chat', 'Language', 'view language', 'language'],
  ['dark mode', 'Dark colours', 'theme dark'],
  ['keyboard', 'Keyboard shortcuts', 'openShortcuts'],
  ['version', 'About SparseScope', 'openAbout'],
  ['full screen', 'Present', 'present'],
  ['embed', 'Embed or export', 'openExport'],
  ['animation', 'Watch', 'view watch'],
  ['random matrix', 'Generate a matrix', 'openChooser generate'],
  ['example arrow', 'Arrow', 'open "arrow"'],
  // A researcher.
  ['perplexity', 'bits per byte', '"lesson":"how-much-can-a-model-forget"', 'language'],
  ['2:4', 'two of four', '"lesson":"sliding-windows"'],
  ['semi-structured', 'SlideSparse', 'format slidesparse'],
  ['ec-spmv', 'EC-SpMV', 'format ec-csr'],
  ['errata', 'Where the papers err', '"lesson":"where-the-papers-err"'],
  ['activation sparsity', 'Neurons', '"tab":"neurons"', 'language'],
  ['prune', 'How it is pruned', 'word pruned'],
  ['accuracy', 'what pruning costs in accuracy', 'fold accuracy'],
  ['compare two formats', 'Choose the format in B', 'word b'],
  ['mistral', 'Mistral-7B-v0.1', '"model":"mistral-7b-v0.1"'],
  ['llama 8b layer 12 down', 'Llama-3.1-8B › layer 12 › down_proj', '"layer":12,"matrix":"down"'],
  ['my own model', 'Another model, by its config.json', 'openChooser config'],
  ['json', 'runs and files', 'fold runs'],
  ['figure for latex', 'Save this step as SVG', 'exportScene svg'],
  ['share', 'Copy a link to this', 'share'],
  ['density sweep', 'settings and sweeps', 'fold settings'],
  ['crossover', 'Compare', 'view compare'],
  ['wanda', 'wanda', '"lesson":"how-much-can-a-model-forget"', 'language'],
  ['6:8 speed', 'from kernel to model', 'fold worth'],
  // By the names of stories and of papers.
  ['macko counts skips', 'MACKO counts skips', 'open {"kind":"example","id":"digits-fc2-70"}'],
  ['extracts blocks', 'EC-SpMV extracts blocks', 'open {"kind":"example","id":"ec-spmv-eight-rows"}'],
  ['packs tiles', 'TwELL packs tiles', 'open {"kind":"example","id":"digits-gate-l1-1e-2"}'],
  ['slides windows', 'SlideSparse slides windows', 'open {"kind":"example","id":"digits-fc1-6-8"}'],
  ['where zeros come from', 'Story: where zeros come from', '"story":"yes"', 'training'],
  [
    'low sparsity',
    'MACKO: Sparse Matrix-Vector Multiplication for Low Sparsity',
    'visit https://arxiv.org/abs/2511.13061',
  ],
  [
    'toward efficient',
    'Toward Efficient SpMV in Sparse LLMs via Block Extraction and Compressed Storage',
    'visit https://arxiv.org/abs/2507.12205',
  ],
  [
    'sparser faster lighter',
    'Sparser, Faster, Lighter Transformer Language Models',
    'visit https://arxiv.org/abs/2603.23198',
  ],
  ['cetin', 'Sparser, Faster, Lighter Transformer Language Models', 'visit https://arxiv.org/abs/2603.23198'],
  [
    'fast and flexible',
    'SlideSparse: Fast and Flexible (2N-2):2N Structured Sparsity',
    'visit https://arxiv.org/abs/2603.05232',
  ],
  ['macko', 'MACKO', 'format macko'],
  ['twell', 'TwELL', 'format twell'],
  ['slidesparse', 'SlideSparse', 'format slidesparse'],
  ['6:8', 'Sliding windows', '"lesson":"sliding-windows"'],
  ['dead neurons', 'dead neuron', '"lesson":"', 'training'],
  ['training', 'Training', 'view train', 'training'],
  ['sparsity', 'How it is pruned', 'word pruned'],
  ['density', 'How it is pruned', 'word pruned'],
  ['real weights', 'Open from the web', 'openChooser web'],
  ['random weights', 'Generate a matrix', 'openChooser generate'],
  ['compare all formats', 'Compare', 'view compare'],
  ['learn from the start', 'Learn', 'view learn'],
  // A kernel engineer.
  ['rtx4090', 'GeForce RTX 4090', 'on rtx-4090'],
  ['h100', 'NVIDIA H100 SXM', 'on h100'],
  ['llama 4090 i4', 'Llama-2-7B in dense i4 on GeForce RTX 4090', '"model":"llama-2-7b"'],
  ['roofline', 'roofline', 'fold roofline'],
  ['coalescing', 'What a kernel loads, in lines of 128 bytes', '"part":"memory"', 'workbench'],
  ['wgsl', 'Code', 'view code'],
  ['macko spmv_staged', 'macko/spmv_staged', '"kernel":"macko/spmv_staged"'],
  ['edit a kernel', 'Change a kernel and race it', 'view code', 'workbench'],
  ['custom format', 'Write a format of your own', '"kernel":"own"', 'workbench'],
  ['tokens per second', 'Speed', '"tab":"speed"', 'language'],
  ['batch size', 'Choose the number of tokens', 'word tokens'],
  ['histogram', 'every sample', 'fold samples'],
  ['is it correct', 'how it was verified', 'fold verified'],
  ['which gpu', 'Choose the device', 'word on'],
  ['benchmrak', 'Run', 'run'],
  ['makco', 'MACKO', 'format macko'],
  ['hugingface', 'Open from the web', 'openChooser web'],
  ['fp8', 'Open a file', 'openFile'],
  ['https://example.org/a.mtx', 'Open https://example.org/a.mtx', 'https://example.org/a.mtx'],
];

/** Queries that have one answer: it comes first. */
const FIRST: readonly string[] = [
  'errata',
  '6:8',
  '6:8 speed',
  'dead neurons',
  'sparsity',
  'density',
  'macko',
  'ec-spmv',
  'twell',
  'slidesparse',
  'macko counts skips',
  'extracts blocks',
  'packs tiles',
  'slides windows',
  'where zeros come from',
  'low sparsity',
  'toward efficient',
  'sparser faster lighter',
  'fast and flexible',
];

describe('find anything', () => {
  const here = ROWS.filter(([, , , lab = '']) => existsSync(`src/labs/${lab}`)).map(
    ([query, title, lands]) => [query, title, lands] as const,
  );
  it.each(here)('%s: finds “%s”', (query, title, lands) => {
    // From another place than the one that it leads to.
    const [one, other] = PLACES.map(({ id }) => id).filter((id) => `view ${id}` !== lands);
    const lines = landing(query, title, `view ${one}` === lands ? other : one);
    expect(lines.filter((line) => line.includes(lands))).not.toEqual([]);
  });

  test('takes 80 queries or more, each once', () => {
    const queries = ROWS.map(([query]) => query);
    expect(queries.length).toBeGreaterThanOrEqual(80);
    expect(new Set(queries).size).toBe(queries.length);
  });

  it.each(
    ROWS.filter(([query, , , lab = '']) => FIRST.includes(query) && existsSync(`src/labs/${lab}`)).map(
      ([query, title]) => [query, title] as const,
    ),
  )('%s: finds “%s” first', (query, title) => {
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

  test('says at last where a word occurs: place, lesson, section', () => {
    const { app, find } = page();
    const [said] = find('nowhere');
    expect(said).toMatchObject({ group: 'Text', leads: 'Learn › Tiles inside a matmul › A tile that is too full' });
    said.run();
    expect(app.document.getState().places.learn).toMatchObject({ lesson: 'tiles-inside-a-matmul' });
    expect(find('xyzzy is nowhere')).toEqual(find('nowhere'));
    expect(find('xyzzy')).toEqual([]);
  });

  test('takes digits as they are: no number is another one', () => {
    const { find } = page();
    expect(find('4090')).not.toEqual([]);
    expect(find('4091')).toEqual([]);
  });

  test('lists of several paragraphs below one heading the one that fits best', () => {
    const { find } = page();
    const said = find('lane').filter(({ group }) => group === 'Text');
    expect(said.length).toBeGreaterThan(1);
    const once = said.map(({ leads }) => leads);
    expect(new Set(once).size).toBe(once.length);
  });

  test('lists what is called so before what it is said of', () => {
    const { find } = page();
    const groups = find('padding').map(({ group }) => group);
    expect(groups.lastIndexOf('Term')).toBeLessThan(groups.indexOf('Text'));
  });

  test('has every command once, and other words for commands that are there alone', () => {
    const { all } = page();
    const ids = all.map(({ id, leads }) => (id.startsWith('fold-') || id === 'present' ? `${leads} ${id}` : id));
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    const named = [...finds.values()].flatMap(({ also = {} }) => Object.keys(also));
    expect(named.filter((id) => !all.some((command: Command) => command.id === id))).toEqual([]);
    expect([...finds.keys()]).toEqual(PLACES.map(({ id }) => id));
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
