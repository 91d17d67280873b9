import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { textsOfSource } from '../scripts/page-words.mjs';

/*
 * Words that gave way to others: terms with one spelling, in everything that a person reads; names and comments with the
 * field's own words; and how much of a matrix is left, which has one name on the page.
 */

const filesOf = (folders: string, pattern: RegExp): readonly string[] =>
  execFileSync('git', ['ls-files', ...folders.split(' ')])
    .toString()
    .split('\n')
    .filter((path) => pattern.test(path));
const isTest = (path: string): boolean => /\.test\./.test(path);

/** A spelling, what to write instead, and a text in which it has to be found. */
type Term = readonly [wanted: string, other: RegExp, example: string];
const TERMS: readonly Term[] = [
  ['non-zero', /\b[Nn]on(?:zeros?| zeros?|-zeroes)\b/, '12 nonzeros'],
  ['subgroup', /\bsub[- ]groups?\b/i, 'a sub-group of 32'],
  ['workgroup', /\bwork[- ]groups?\b/i, 'two work groups'],
  ['tile row', /\b(?:tile-rows?|tilerows?)\b/, 'a tile-row'],
  ['effective density', /\beffective-density\b/i, 'an effective-density'],
  ['dense, CSR, MACKO', /[^.:!?|`"'(\s–-] Dense (?:format|matrix|kernel|product)\b/, 'the Dense kernel'],
  ['4096 × 4096 between spaces, 4096x4096 as it is typed', /[\d}] x (?:\d|\$\{)/, '4 x 4 cells, ${rows} x ${cols}'],
  ['40.3 µs', /[\d}] us\b/, '40.3 us'],
  ['past the last column', /\bbehind the (?:last|end|row)\b/i, '0 behind the last column'],
  ['a space after a key or a strong word', /<\/(?:kbd|strong|em|code|b)>[A-Za-z]/, '<kbd>Tab</kbd>leaves'],
  [
    'only, before what it limits',
    /\b(?:https and localhost|the hub|a GPU|the page|workers) alone\b/,
    'runs on a GPU alone',
  ],
];

/** Quoted code is exempt, and so are addresses. */
const prose = (markdown: string): string =>
  markdown.replace(/```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)/g, (code) => code.replace(/[^\n]/g, '_'));

describe('every term has one spelling', () => {
  const files = filesOf('README.md CONTRIBUTING.md docs src bench index.html', /\.(?:md|html|tsx?)$/);
  const lines = files
    .filter((path) => !isTest(path))
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      const read = path.endsWith('.md') ? prose(text) : text;
      return read.split('\n').map((line, i) => ({ at: `${path}:${i + 1}`, line }));
    });

  it.each(TERMS)('%s', (_, other, example) => {
    expect(files.length).toBeGreaterThan(400);
    expect(lines.filter(({ line }) => other.test(line)).map(({ at, line }) => `${at}: ${line.trim()}`)).toEqual([]);
    for (const text of example.split(', ')) expect(text).toMatch(other);
  });
});

/** What to write instead of a name, and of words in a comment. */
interface Retired {
  readonly wanted: string;
  readonly name?: RegExp;
  readonly comment?: RegExp;
}
const RETIRED: readonly Retired[] = [
  { wanted: 'max, min', name: /^(?:most|least)(?:[A-Z\d]|$)/, comment: /`(?:most|least)[A-Z]\w*`/ },
  // An override of a shader keeps its name, since the texts of kernels have recorded hashes.
  {
    wanted: 'MAX_, MIN_',
    name: /^(?!MOST_SLOTS$)(?:MOST|LEAST)(?:_|$)/,
    comment: /\b(?!MOST_SLOTS\b)(?:MOST|LEAST)_[A-Z]/,
  },
  {
    wanted: 'narration, reported',
    name: /^(?:is)?(?:[Uu]n|[Rr]e)?[Tt]old(?:[A-Z]|$)|^[a-z]\w*Told(?:[A-Z]|$)|^telling|[a-z]Teller$/,
  },
  { wanted: 'query', name: /^(?:is)?[Ss]ought/, comment: /\bsought\b/i },
  { wanted: 'withQuietMachine, pauseBackgroundWork', name: /^quiet(?:en|ly)$/ },
  { wanted: 'transferred, isPrecomputed', name: /^isGiven$/ },
  { wanted: 'LiveModule, ServiceDispatcher', name: /^[Dd]esks?(?:[A-Z]|$)|[a-z]Desk(?:[A-Z]|$)/ },
  { wanted: 'DraftLibrary', name: /(?:Own|Draft|page)Book/ },
  { wanted: 'UserFormatResult, encodeOnPage', name: /^Own(?:Said|Answer)$|(?:ask|said|Encode)Elsewhere/ },
  {
    wanted: 'a person, a reader, or the code that does it',
    name: /whoever/i,
    comment: /\b(?:whoever|somebody|anybody)\b/i,
  },
  // Those of a distribution are called so, and so is a point in time in a comment.
  {
    wanted: 'step, frame, instant',
    name: /Moments?(?:[A-Z]|$)|^moments?[A-Z]|(?:^|_)MOMENTS?(?:_|$)/,
    comment: /\bkey moments?\b|\bmoments? of (?:an? |the |two |each |every )?(?:story|stories)\b/i,
  },
  { wanted: 'belongs to no model', comment: /\b(?:is|are) of no model\b/ },
];

/** Adds the names in a parsed source, with repetitions. */
function addNames(node: unknown, names: string[]): void {
  if (Array.isArray(node)) for (const child of node) addNames(child, names);
  if (Array.isArray(node) || typeof node !== 'object' || node === null) return;
  const { type, name } = node as { readonly type?: string; readonly name?: unknown };
  if (typeof name === 'string' && /^(?:Private|JSX)?Identifier$/.test(type ?? '')) names.push(name);
  for (const child of Object.values(node)) addNames(child, names);
}

/** Names and comments with a retired word. Only a text that has one anywhere, in a string as well, is worth parsing. */
function retiredIn(file: string, source: string): readonly string[] {
  const words = [...new Set(source.match(/[\w$]+/g))];
  const met = RETIRED.filter(({ name, comment }) => comment?.test(source) || (name && words.some((w) => name.test(w))));
  if (met.length === 0) return [];
  const { program, comments, errors } = parseSync(file, source);
  if (errors[0]) throw new SyntaxError(errors[0].message);
  const names: string[] = [];
  addNames(program, names);
  return met.flatMap(({ wanted, name, comment }) => [
    ...names.filter((one) => name?.test(one)).map((one) => `${file}: ${one}: write ${wanted}`),
    ...comments
      .filter(({ value }) => comment?.test(value))
      .map(({ value }) => `${file}: ${value.trim()}: write ${wanted}`),
  ]);
}

describe('retired words', () => {
  it('are in no name and in no comment', () => {
    const files = filesOf('src test e2e bench fuzz scripts', /^(?!test\/words).*\.(?:tsx?|mjs)$/);
    expect(files.length).toBeGreaterThan(1500);
    expect(files.flatMap((path) => retiredIn(path, readFileSync(path, 'utf8')))).toEqual([]);
  });

  it.each(
    `const mostLanes = 4;
    function f(least: number) {}
    const MOST_LANES = 256;
    interface Told {}
    const isUntold = true;
    export function stageTeller() {}
    const sought = find();
    session.quietly(title, work);
    new ServiceDesk(services);
    const book = createDraftBook();
    // Whoever tabs on leaves it.
    // Where somebody chose it.
    /** null where it is of no model */
    export function keyMoments() {}
    const MAX_MOMENTS = 18;
    // The moments of a story.`.split('\n'),
  )('are found: %s', (line) => {
    expect(retiredIn('line.ts', line)).toHaveLength(1);
  });

  it.each(
    `const text = 'most of all, least of all, told';
    // At most 64, at least 2: what is told once.
    const atMost = max;
    const constants = { MOST_SLOTS: e.rowSlots };
    const { desktop } = page;
    const moment = (k: number) => k;
    // It is updated a moment later.
    const quoted = /['"]most/;`.split('\n'),
  )('leave alone: %s', (line) => {
    expect(retiredIn('line.ts', line)).toEqual([]);
  });
});

/** "Density" and "sparsity" stay where papers are quoted, in addresses, in the glossary, and in what is searched. */
const SHARE = /\b(?:densit(?:y|ies)|sparsit(?:y|ies))\b/i;

/** Titles of papers, where their figures are from, other words by which a person may search, and where the first screen says both. */
const QUOTED =
  /first-visit\/FirstVisit\.tsx$|published\.ts$|\/palette-entries\.ts$|general-entries\.ts$|\/card\.ts$|ec-csr\/comparison\.ts$|glossary\.md$|generate\/spec\.ts$/;

/** Sections of lessons about what two papers mean by the word. */
const DEFINITIONS = /^## (?:MACKO: density turned over|SlideSparse: density, the wrong way round)$/;

/** Texts in a source that a person may read: with a space, and no address. */
const textsIn = (path: string, source: string): readonly string[] =>
  textsOfSource(path, source)
    .map(({ text }) => text)
    .filter((text) => text.includes(' ') && SHARE.test(text) && !/density=|density-[a-z]/.test(text));

/** Lines of a lesson without addresses, names in braces and words to be searched, and without the sections that are about the word. */
function linesOf(markdown: string): readonly string[] {
  let isDefined = false;
  return markdown.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) isDefined = DEFINITIONS.test(line);
    if (isDefined || /^@|^(?:also|matrix):|^- \[/.test(line)) return [];
    return SHARE.test(line.replaceAll(/\]\([^)]*\)|\{[^}]*\}/g, '')) ? [line] : [];
  });
}

describe('how much is left has one name', () => {
  it('on the page, in errors and in lessons', () => {
    const files = filesOf('src', /\.(?:tsx?|md)$/).filter(
      (path) => !isTest(path) && !path.includes('README') && !QUOTED.test(path),
    );
    expect(files.length).toBeGreaterThan(900);
    const found = files.flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      if (!SHARE.test(text)) return [];
      return (path.endsWith('.md') ? linesOf(text) : textsIn(path, text)).map((words) => `${path}: ${words.trim()}`);
    });
    expect(found).toEqual([]);
  });

  it.each([
    ["say('at a density of 0.5')", 1],
    ['const text = `${rows} rows at density ${d}`;', 1],
    ['<p>The sparsity is high.</p>', 1],
    ["const address = '#2/watch?shape=4x4&density=0.5 ';", 0],
    ["read('density')", 0],
    ['// the density of a row', 0],
  ])('and finds in %s as many: %i', (source, count) => {
    expect(textsIn('line.tsx', source)).toHaveLength(count);
  });

  it('and finds it in a lesson', () => {
    expect(
      linesOf('At a density of {density : 1}.\n@figure x?density=1\n## MACKO: density turned over\ndensity'),
    ).toEqual(['At a density of {density : 1}.']);
  });
});
