import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lessons } from './index.ts';
import type { Block } from './lesson.ts';
import { plainText } from './parse.ts';

/** The lesson has a card for every erratum. A row of a table in the docs begins with the heading of its card. */

const DOCS = new URL('../../docs/formats/', import.meta.url);
const TABLES = ['Where the paper is wrong', 'What the published kernels lose silently'];

const listed = readdirSync(DOCS).flatMap((file) => {
  const sections = readFileSync(new URL(file, DOCS), 'utf8').split('\n## ');
  return sections
    .filter((section) => TABLES.some((heading) => section.startsWith(heading)))
    .flatMap((section) => {
      const rows = section.split('\n').filter((line) => line.startsWith('|'));
      return rows.slice(2).map((row) => row.split('|')[1].trim());
    });
});

const lesson = lessons.find(({ id }) => id === 'where-the-papers-err');
const cards = new Map<string, Block[]>();
for (const block of lesson?.blocks ?? []) {
  if (block.heading !== null) cards.set(block.heading, []);
  [...cards.values()].at(-1)?.push(block);
}

describe('where the papers err', () => {
  it('has a card for every erratum of the docs', () => {
    expect(listed.length).toBeGreaterThan(15);
    expect(listed.filter((heading) => !cards.has(heading))).toEqual([]);
  });

  it.each([
    ['ec-csr', 'EC-CSR', 10],
    ['macko', 'MACKO', 11],
    ['slidesparse', 'SlideSparse', 15],
    ['twell', 'TwELL', 16],
  ])('has all cards of the paper of %s, whose page leads to it', (page, paper, count) => {
    expect([...cards.keys()].filter((heading) => heading.startsWith(paper))).toHaveLength(count);
    const text = readFileSync(new URL(`${page}.md`, DOCS), 'utf8');
    expect(text).toContain('[Where the papers err](../../src/lessons/texts/8-where-the-papers-err.md)');
  });

  it('begins with how sure we are unless a card states otherwise', () => {
    const [first] = lesson?.blocks ?? [];
    expect(first.kind === 'paragraph' ? plainText(first.inline) : '').toContain(
      'We are entirely sure of our corrections, unless a card states otherwise.',
    );
  });

  it.each([...cards])(
    '%s: a claim, a case below it, the correction at the end, and doubts there if any',
    (_heading, blocks) => {
      const paragraphs = blocks.flatMap((block) => (block.kind === 'paragraph' ? [block.inline] : []));
      const strong = paragraphs.map((inline) =>
        inline.flatMap((piece) => (piece.kind === 'strong' ? [piece.text.replace(/[.:]$/, '')] : [])),
      );
      const claim = strong.findIndex(([label]) => label === 'Claim');
      const end = strong.length - 1;
      expect(strong[claim]).toEqual(['Claim']);
      // Between them is the case.
      expect(end - claim).toBeGreaterThanOrEqual(2);
      expect([['Correction'], ['Correction', 'How sure']]).toContainEqual(strong[end]);
      expect(strong.filter((labels, i) => i !== claim && i !== end && labels.length > 0)).toEqual([]);
      expect(paragraphs.map(plainText).join(' ')).not.toContain('entirely');
    },
  );
});
