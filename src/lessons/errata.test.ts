import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lessons } from './index.ts';
import type { Block } from './lesson.ts';

/**
 * Every erratum in the formats' docs has a card in the lesson, and vice versa: a row of such a table begins with the
 * heading of its card, which may be about more than one.
 */

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
  it('has a card for every erratum of the docs, and no other', () => {
    expect(listed.length).toBeGreaterThan(30);
    expect([...cards.keys()].toSorted()).toEqual([...new Set(listed)].toSorted());
  });

  it.each([...cards])('%s: claim, case, what holds, and how sure we are', (_heading, blocks) => {
    const strong = blocks.flatMap((block) =>
      block.kind === 'paragraph' ? block.inline.flatMap((piece) => (piece.kind === 'strong' ? [piece.text] : [])) : [],
    );
    for (const part of ['The claim', 'The case', 'What holds', 'How sure'])
      expect(strong.filter((text) => text.replace(/[.:]$/, '') === part)).toHaveLength(1);
  });
});
