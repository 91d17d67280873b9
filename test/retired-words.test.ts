import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

/** Words that gave way to the field's own: they come back neither as names nor in comments. */

interface Retired {
  /** what to write instead */
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

/** Throws SyntaxError for a text that is no TypeScript. */
function retiredIn(file: string, source: string): readonly string[] {
  const { program, comments, errors } = parseSync(file, source);
  if (errors[0]) throw new SyntaxError(errors[0].message);
  const found = (text: string, { wanted }: Retired): string => `${text.trim()}: write ${wanted}`;
  const names: string[] = [];
  addNames(program, names);
  return RETIRED.flatMap((word) => [
    ...names.filter((name) => word.name?.test(name)).map((name) => found(name, word)),
    ...comments.filter(({ value }) => word.comment?.test(value)).map(({ value }) => found(value, word)),
  ]);
}

/** Whether a text has such a word anywhere, in a string as well: only those are worth parsing. */
function mayHaveRetired(source: string): boolean {
  const words = new Set(source.match(/[\w$]+/g));
  return RETIRED.some(
    ({ name, comment }) => comment?.test(source) || (name && [...words].some((word) => name.test(word))),
  );
}

const files = execFileSync('git', ['ls-files', 'src', 'test', 'e2e', 'bench', 'fuzz', 'scripts'])
  .toString()
  .split('\n')
  .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && path !== 'test/retired-words.test.ts');

describe('retired words', () => {
  it('are in no name and in no comment', () => {
    expect(files.length).toBeGreaterThan(1500);
    const found = files.flatMap((path) => {
      const source = readFileSync(path, 'utf8');
      return mayHaveRetired(source) ? retiredIn(path, source).map((word) => `${path}: ${word}`) : [];
    });
    expect(found).toEqual([]);
  });

  it.each([
    'const mostLanes = 4;',
    'function f(least: number) {}',
    'const MOST_LANES = 256;',
    'interface Told {}',
    'const isUntold = true;',
    'export function stageTeller() {}',
    'const sought = find();',
    'session.quietly(title, work);',
    'new ServiceDesk(services);',
    'const book = createDraftBook();',
    '// Whoever tabs on leaves it.',
    '// Where somebody chose it.',
    '/** null where it is of no model */',
    'export function keyMoments() {}',
    'const MAX_MOMENTS = 18;',
    '// The moments of a story.',
  ])('are found: %s', (line) => {
    expect(mayHaveRetired(line)).toBe(true);
    expect(retiredIn('line.ts', line)).toHaveLength(1);
  });

  it.each([
    "const text = 'most of all, least of all, told';",
    '// At most 64, at least 2: what is told once.',
    'const atMost = max;',
    'constants: { MOST_SLOTS: e.rowSlots }',
    'const { desktop } = page;',
    'const moment = (k: number) => k;',
    '// It is updated a moment later.',
    'const quoted = /[\'"]most/;',
  ])('leave alone: %s', (line) => {
    expect(retiredIn('line.ts', line)).toEqual([]);
  });
});
