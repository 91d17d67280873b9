import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formats } from '../src/formats/catalog.ts';
import { patterns } from '../src/generate/patterns.ts';
import { loadGallery } from '../src/io/gallery.ts';
import { readChoices } from '../src/kit/browser/choices.ts';
import { lessons } from '../src/lessons/index.ts';
import { WINDOWS_FIELDS } from '../src/papers/slidesparse/AnyGroup.tsx';
import { CLAIMS } from '../src/pages/learn/guides.ts';
import { COMPARE_DETAILS, detailsOf } from '../src/pages/compare/details/CompareDetails.tsx';
import { MEASURE_DETAILS } from '../src/pages/measure/details/MeasureDetails.tsx';
import { type Catalog, decodeHash, containsActivations } from '../src/state/index.ts';
import { KNOWN_MODELS } from '../src/theory/models/known-models.ts';
import { modelId } from '../src/theory/models/model-tree.ts';
import { PAGES } from './pages.ts';

/** The reading guides of papers in docs/reading: each row of a table is a section of a paper, and each link must open what its text names. */

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'docs/reading');
const HOST = 'http://localhost:4173/';

const site = join(root, 'public');
const gallery = await loadGallery(async (path) => readFileSync(join(site, path), 'utf8'));

const catalog: Catalog = {
  formats,
  patterns,
  pages: PAGES,
  examples: gallery.map(({ id, name, file }) => ({ id, title: name, url: file })),
  start: { source: { kind: 'example', id: gallery[0].id }, format: formats[0].id, formatB: null },
};

interface Row {
  readonly section: string;
  readonly where: string;
  readonly state: string;
}

interface Guide {
  readonly file: string;
  readonly lines: readonly string[];
  readonly rows: readonly Row[];
}

const guides = readdirSync(folder).map((file): Guide => {
  const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
  const rows = lines
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line): Row => {
      const [, section, , where, state] = line.split('|').map((cell) => cell.trim());
      return { section, where, state };
    });
  return { file, lines, rows };
});

const linksIn = (text: string): readonly (readonly [words: string, address: string])[] =>
  [...text.matchAll(/\[([^\]]*)\]\(([^)]*)\)/g)].map(([, words, address]) => [words, address]);

/** Checks a link: messages about an address that is wrong, or that opens something whose name is not in the link's text. */
function faultsOf(text: string, address: string): readonly string[] {
  if (address === 'https://github.com/bcacdwk/vllmbench') return [];
  if (!address.startsWith(HOST)) return [`found ${address}, expected ${HOST}#2/...`];
  const hash = address.slice(HOST.length);
  const { document, problems } = decodeHash(hash, catalog);
  const { searchParams: keys } = new URL(hash.slice(1), HOST);
  const paragraph = keys.get('p');
  const [, page, ...path] = hash.replace(/\?.*/, '').split('/');
  const { source } = document;
  const isModel = source.kind === 'pruned' && source.base.kind === 'model';
  const contents = isModel ? 'model' : containsActivations(catalog, source) ? 'activations' : 'matrix';
  const detailsSections =
    page === 'compare' ? detailsOf(contents).map((id) => ({ id, title: COMPARE_DETAILS[id] })) : MEASURE_DETAILS;
  // Other pages name their sections themselves.
  const detailsId = page === 'compare' || page === 'measure' ? keys.get('x.fold') : null;
  const choices = [...keys].flatMap(([key, value]): [string, string][] =>
    keys.has('x.unfold') && /^x\.(?!unfold)/.test(key) ? [[key.slice(2), value]] : [],
  );
  const openedNames = [
    ...(detailsId === null
      ? []
      : [detailsSections.find(({ id }) => id === detailsId)?.title ?? `no details section ${detailsId}`]),
    ...(page === 'learn' ? [lessonPart(path[0], paragraph)] : []),
    ...(page === 'code' ? [kernelNamed(path.join('/'))] : []),
    ...(keys.has('x.unfold') ? ['any group'] : []),
  ];
  return [
    ...problems,
    ...readChoices(WINDOWS_FIELDS, Object.fromEntries(choices)).problems,
    ...openedNames.filter((name) => !text.includes(name)).map((name) => `'${text}' opens '${name}'`),
    ...(KNOWN_MODELS.some((model) => modelId(model) === (keys.get('model') ?? modelId(model)))
      ? []
      : [`no model ${keys.get('model')}`]),
  ];
}

/** The heading of a paragraph of a lesson; without a paragraph, the number of the lesson. */
function lessonPart(id: string, paragraph: string | null): string {
  const lesson = lessons.find((lesson) => lesson.id === id);
  if (!lesson) return `no lesson ${id}`;
  if (paragraph === null) return `lesson ${lesson.order}`;
  return lesson.blocks.find(({ n }) => n === Number(paragraph))?.heading ?? `no heading at ${paragraph}`;
}

function kernelNamed(id: string): string {
  return formats.some(({ kernels }) => kernels.some((kernel) => kernel.id === id)) ? id : `no kernel ${id}`;
}

describe.each(guides)('$file', ({ rows }) => {
  it('a guide has a state for every section, and a link for every figure', () => {
    expect(rows.length).toBeGreaterThan(15);
    expect(new Set(rows.map(({ section }) => section)).size).toBe(rows.length);
    for (const { section, where, state } of rows) {
      expect(state, section).toMatch(/^(?:shown\b|not here: \w)/);
      if (state.startsWith('shown')) expect(linksIn(where).length, section).toBeGreaterThan(0);
    }
  });

  it('in %s, links open what they name', () => {
    const faults = rows.flatMap(({ section, where, state }) =>
      linksIn(`${where} ${state}`)
        .filter(([, address]) => !address.startsWith('.'))
        .flatMap(([words, address]) => faultsOf(words, address).map((fault) => `${section}: ${fault}`)),
    );
    expect(faults).toEqual([]);
  });
});

describe('the claims', () => {
  const links = CLAIMS.map(([place, claim, verdict, where]) => ({ place, claim, verdict, where: linksIn(where) }));

  it('each claim has a verdict and a link to where it can be checked, and is listed once', () => {
    expect(CLAIMS.length).toBeGreaterThan(15);
    expect(new Set(CLAIMS.map(([place]) => place)).size).toBe(CLAIMS.length);
    for (const { place, claim, verdict, where } of links) {
      expect(verdict, place).toMatch(/^(?:Yes|No|In part|Not tested here)[:,] \S/);
      expect(claim, place).toMatch(/\.$/);
      expect(where.length, place).toBe(1);
    }
  });

  it('links of the claims open what they name', () => {
    const faults = links.flatMap(({ place, where }) =>
      where.flatMap(([words, address]) => faultsOf(words, address).map((fault) => `${place}: ${fault}`)),
    );
    expect(faults).toEqual([]);
  });

  it('claims that name the docs as their source have the figures of the docs', () => {
    const docs = ['README.md', 'docs/performance.md'].map((file) => readFileSync(join(root, file), 'utf8')).join('');
    const sourced = readFileSync(join(root, 'docs/claims.md'), 'utf8')
      .split('\n')
      .flatMap((line) => /\| ((?:Yes|No|In part)[^|]*\(\[source\])/.exec(line)?.[1] ?? []);
    expect(sourced.length).toBeGreaterThan(4);
    const times = sourced.flatMap((verdict) => verdict.match(/\b\d\.\d\d\b/g) ?? []);
    // 1.48 is 98.60 / 66.53, from the paper's own table.
    expect(times.filter((figure) => figure !== '1.48' && !docs.includes(figure))).toEqual([]);
  });
});

describe('the reading guides', () => {
  it('the guides name every erratum of the papers', () => {
    const cards = lessons.find(({ id }) => id === 'where-the-papers-err')?.blocks.map(({ heading }) => heading) ?? [];
    const printed = cards.filter((heading) => heading !== null && !heading.includes('published code'));
    const linkTexts = new Set(
      guides.flatMap(({ rows }) => rows.flatMap(({ state }) => linksIn(state).map(([words]) => words))),
    );
    expect(printed.filter((heading) => heading !== null && !linkTexts.has(heading))).toEqual([]);
    expect(printed.length).toBeGreaterThan(40);
  });

  it('a wrong section or link in a guide is reported', () => {
    const faults = (text: string, hash: string): readonly string[] => faultsOf(text, HOST + hash);
    expect(faults('lesson 3: Four bits or two', '#2/learn/small-gaps?p=10')).toEqual([]);
    expect(faults('lesson 3: Where a row begins', '#2/learn/small-gaps?p=10')).toHaveLength(1);
    expect(faults('Measure, more tokens', '#2/measure?x.fold=roofline')).toHaveLength(1);
    expect(faults('Code, macko/none', '#2/code/macko/none')).toHaveLength(1);
    expect(faults('Watch, any group', '#2/watch?x.unfold=group&x.pattern=6:99')).toHaveLength(1);
    expect(faults('Watch', '#2/watch?src=example:none')).toHaveLength(1);
    expect(faults('Watch', '#2/watch?a=none')).toHaveLength(1);
  });
});
