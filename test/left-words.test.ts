import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { textsOfSource } from '../scripts/page-words.mjs';

/*
 * How much of a matrix is left has one name on the page: '50 % left'. "Density" and "sparsity" stay where papers are quoted, in
 * addresses, in the glossary, and in what is searched.
 */

const OTHER = /\b(?:densit(?:y|ies)|sparsit(?:y|ies))\b/i;

/** Titles of papers, where their figures are from, other words by which a person may search, and where the first screen says both. */
const QUOTED =
  /first-visit\/FirstVisit\.tsx$|published\.ts$|\/finds\.ts$|page-finds\.ts$|\/card\.ts$|ec-csr\/comparison\.ts$|glossary\.md$|generate\/spec\.ts$/;

/** Sections of lessons about what two papers mean by the word. */
const DEFINITIONS = /^## (?:MACKO: density turned over|SlideSparse: density, the wrong way round)$/;

/** Texts in a source that a person may read: with a space, and no address. */
const textsIn = (path: string, source: string): readonly string[] =>
  textsOfSource(path, source)
    .map(({ text }) => text)
    .filter((text) => text.includes(' ') && OTHER.test(text) && !/density=|density-[a-z]/.test(text));

/** Lines of a lesson without addresses, names in braces and words to be searched, and without the sections that are about the word. */
function linesOf(markdown: string): readonly string[] {
  let isDefined = false;
  return markdown.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) isDefined = DEFINITIONS.test(line);
    if (isDefined || /^@|^(?:also|matrix):|^- \[/.test(line)) return [];
    return OTHER.test(line.replaceAll(/\]\([^)]*\)|\{[^}]*\}/g, '')) ? [line] : [];
  });
}

const files = execFileSync('git', ['ls-files', 'src'])
  .toString()
  .split('\n')
  .filter((path) => /\.(?:tsx?|md)$/.test(path) && !/\.test\.|README/.test(path) && !QUOTED.test(path));

describe('how much is left has one name', () => {
  it('on the page, in errors and in lessons', () => {
    expect(files.length).toBeGreaterThan(900);
    const found = files.flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      if (!OTHER.test(text)) return [];
      return (path.endsWith('.md') ? linesOf(text) : textsIn(path, text)).map((words) => `${path}: ${words.trim()}`);
    });
    expect(found).toEqual([]);
  });

  it.each([
    "say('at a density of 0.5')",
    'const text = `${rows} rows at density ${d}`;',
    '<p>The sparsity is high.</p>',
  ])('and finds %s', (source) => {
    expect(textsIn('line.tsx', source)).toHaveLength(1);
  });

  it.each(["const address = '#2/watch?shape=4x4&density=0.5 ';", "read('density')", '// the density of a row'])(
    'and leaves alone %s',
    (source) => {
      expect(textsIn('line.tsx', source)).toEqual([]);
    },
  );

  it('and finds it in a lesson', () => {
    expect(
      linesOf('At a density of {density : 1}.\n@figure x?density=1\n## MACKO: density turned over\ndensity'),
    ).toEqual(['At a density of {density : 1}.']);
  });
});
