// textsOfSource: the texts that a source shows on the page, from which the page's words are counted and checked.

import { describe, expect, it } from 'vitest';
import { textsOfLesson, textsOfSource, wordCount } from '../scripts/page-words.mjs';

const texts = (source: string): readonly string[] => textsOfSource('x.tsx', source).map(({ text }) => text);

describe('textsOfSource', () => {
  it.each([
    ['<p>Read <b>me</b></p>', ['Read', 'me']],
    ['<p title="Close">{isOpen ? "shut" : "open it"}</p>', ['Close', 'shut', 'open it']],
    ['say(`${rows} rows are left`)', ['… rows are left']],
    ["say`Row ${i} is ${strong('empty')}.`", ['Row … is ….', 'empty']],
    ["stated`${rows} ${rows === 1 ? 'is' : 'are'} left`", ['… … left', 'is', 'are']],
    ['<Label title={isOpen ? "Open" : "Shut"} kind={isOpen ? "quiet" : "loud"} />', ['Open', 'Shut']],
    ['<p>Two; {isOpen && "three"}</p>', ['Two;', 'three']],
    ["const ROW = { title: 'Bytes', kind: 'loud' }", ['Bytes']],
    ['svg(`<text x="${x}" y="2">rows of ${name}</text>`)', ['rows of …']],
    ["throw new RangeError('expected a row')", ['expected a row']],
  ])('finds the texts in %s', (source, expected) => {
    expect(texts(source)).toEqual(expected);
  });

  it.each([
    "import x from 'some thing.ts'",
    '<p className="flex gap-2" style="color: red" />',
    "const kind: 'one two' = read('csr')",
    "go('#2/watch?a=csr b')",
    '// words of a comment',
    "const KEYWORDS = 'if else while'.split(' ')",
    'const rect = `<rect x="${x}" width="14" fill="none"/>`',
    'const start = `fill="none" stroke="${color}"`',
    'const shader = `@group(0) @binding(${i}) var<storage> a: array<u32>`',
    'const kernel = `fn at(i: u32) -> u32 { return ${name}[i]; }`',
    'const module = `export const title = 1;\nexport const arrays = {}`',
  ])('finds no text in %s', (source) => {
    expect(texts(source)).toEqual([]);
  });

  it('textsOfLesson omits figures and targets of links', () => {
    expect(textsOfLesson('a.md', 'title: Bytes\nalso: b\n@figure #2/watch\n\nSee [this](glossary:x) row.')).toEqual([
      { at: 'a.md:1', text: 'title: Bytes' },
      { at: 'a.md:5', text: 'See [this] row.' },
    ]);
  });

  it('marks computed parts, which wordCount does not count', () => {
    expect(wordCount('… rows of 4 are … left')).toBe(4);
  });

  it('rejects a text that is not TypeScript', () => {
    expect(() => texts('const = 3')).toThrow(SyntaxError);
  });
});
