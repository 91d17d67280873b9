import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** One spelling of each term, in everything that a person reads: the page, errors, narration and docs. */

interface Term {
  readonly wanted: string;
  readonly other: RegExp;
}

const TERMS: readonly Term[] = [
  { wanted: 'non-zero', other: /\b[Nn]on(?:zeros?| zeros?|-zeroes)\b/ },
  { wanted: 'subgroup', other: /\bsub[- ]groups?\b/i },
  { wanted: 'workgroup', other: /\bwork[- ]groups?\b/i },
  { wanted: 'tile row', other: /\b(?:tile-rows?|tilerows?)\b/ },
  { wanted: 'effective density', other: /\beffective-density\b/i },
  { wanted: 'dense, CSR, MACKO', other: /[^.:!?|`"'(\s–-] Dense (?:format|matrix|kernel|product)\b/ },
  { wanted: '4096 × 4096 between spaces, 4096x4096 as it is typed', other: /[\d}] x (?:\d|\$\{)/ },
  { wanted: '40.3 µs', other: /[\d}] us\b/ },
  { wanted: 'past the last column', other: /\bbehind the (?:last|end|row)\b/i },
  { wanted: 'a space after a key or a strong word', other: /<\/(?:kbd|strong|em|code|b)>[A-Za-z]/ },
  { wanted: 'only, before what it limits', other: /\b(?:https and localhost|the hub|a GPU|the page|workers) alone\b/ },
];

/** Quoted code is exempt, and so are addresses. */
function prose(markdown: string): string {
  return markdown.replace(/```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)/g, (code) => code.replace(/[^\n]/g, '_'));
}

const files = execFileSync('git', ['ls-files', 'README.md', 'CONTRIBUTING.md', 'docs', 'src', 'bench', 'index.html'])
  .toString()
  .split('\n')
  .filter((path) => /\.(?:md|html|tsx?)$/.test(path) && !/\.test\./.test(path));

const lines = files.flatMap((path) => {
  const text = readFileSync(path, 'utf8');
  return (path.endsWith('.md') ? prose(text) : text).split('\n').map((line, i) => ({ at: `${path}:${i + 1}`, line }));
});

describe('every term has one spelling', () => {
  it('in the expected number of files', () => {
    expect(files.length).toBeGreaterThan(400);
  });

  it.each(TERMS)('$wanted', ({ other }) => {
    expect(lines.filter(({ line }) => other.test(line)).map(({ at, line }) => `${at}: ${line.trim()}`)).toEqual([]);
  });

  it.each([
    ['12 nonzeros', 0],
    ['a sub-group of 32', 1],
    ['two work groups', 2],
    ['a tile-row', 3],
    ['the Dense kernel', 5],
    ['4 x 4 cells', 6],
    ['${rows} x ${cols}', 6],
    ['40.3 us', 7],
    ['0 behind the last column', 8],
    ['<kbd>Tab</kbd>leaves', 9],
    ['runs on a GPU alone', 10],
  ])('and finds %s', (text, term) => {
    expect(TERMS[term]?.other.test(text)).toBe(true);
  });
});
