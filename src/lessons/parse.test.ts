import { describe, expect, it } from 'vitest';
import { rejectionOf } from '../../test/io/rejections.ts';
import { parseInline, parseLesson, plainText } from './parse.ts';

const HEAD = '---\ntitle: A\nminutes: 5\nafterwards: do it\nneeds: nothing\n---\n';
const FIGURE = '@figure #2/watch?src=generated:uniform\n\n';

describe('parseLesson', () => {
  it('reads fields, headings, paragraphs with their figures, questions and sources', () => {
    const text = `${HEAD}\n${FIGURE}One\nline.\n\n## Two\n\n@step pack+1\n\nMore.\n\n@predict q #2/watch?a=1\n@predict q #2/watch?a=2\n\n@sources\n\n- [A](https://a.b)\n`;
    const lesson = parseLesson('3-small-gaps.md', text);
    expect(lesson).toMatchObject({ id: 'small-gaps', order: 3, title: 'A', minutes: 5 });
    const address = '#2/watch?src=generated:uniform';
    const blockOf = (n: number, heading: string | null, shown: string, step: string | null = null) => {
      return { n, heading, appendixTitle: null, figure: { address: shown, step } };
    };
    expect(lesson.blocks).toEqual([
      { kind: 'paragraph', ...blockOf(1, null, address), inline: [{ kind: 'text', text: 'One line.' }] },
      { kind: 'paragraph', ...blockOf(2, 'Two', address, 'pack+1'), inline: [{ kind: 'text', text: 'More.' }] },
      { kind: 'prediction', ...blockOf(3, null, '#2/watch?a=1'), question: 'q', key: 'q' },
      { kind: 'prediction', ...blockOf(4, null, '#2/watch?a=2'), question: 'q', key: 'q-2' },
    ]);
    expect(lesson.sources).toEqual([[{ kind: 'link', text: 'A', href: 'https://a.b' }]]);
  });

  it('collapses the cards that follow @more, each with its heading', () => {
    const text = `${HEAD}${FIGURE}One.\n\n@more More of A\n\n## B\n\nTwo.\n\nThree.\n\n@more More of C\n\n## D\n\nFour.\n`;
    const folded = parseLesson('1-a.md', text).blocks.map(({ heading, appendixTitle }) => [heading, appendixTitle]);
    expect(folded).toEqual([
      [null, null],
      ['B', 'More of A'],
      [null, 'More of A'],
      ['D', 'More of C'],
    ]);
  });

  it('rejects text that is no lesson, with file, line, found and expected', async () => {
    const wrong = [
      'Text',
      '---\ntitle\n---',
      '---\ntitle: A\n---',
      HEAD.replace('5', 'long'),
      `${HEAD}Text\n\n`,
      `${HEAD}@picture x`,
      `${HEAD}@more`,
      `${HEAD}${FIGURE}One.\n\n@more A\n\nTwo.\n\n`,
      `${HEAD}@figure https://a.b`,
      `${HEAD}${FIGURE}@step 1-2`,
      `${HEAD}${FIGURE}@exercise one`,
      `${HEAD}@predict q`,
      `${HEAD}${FIGURE}Text\n\n## End`,
    ].map((text) => ['1-a.md', text] as const);
    const texts = [['lesson.md', HEAD] as const, ...wrong].map(
      ([file, text]) => `${JSON.stringify(text)}\n  ${rejectionOf(() => parseLesson(file, text), Error)}\n`,
    );
    await expect(texts.join('')).toMatchFileSnapshot('words/wrong-lessons.txt');
  });
});

it('parseInline finds strong words, code, numbers, links and terms', () => {
  expect(parseInline('{deltaBits from 1 to 8}, {density from 0.1 to 0.6 by 0.05}')).toEqual([
    { kind: 'drag', name: 'deltaBits', min: 1, max: 8, by: 1 },
    { kind: 'text', text: ', ' },
    { kind: 'drag', name: 'density', min: 0.1, max: 0.6, by: 0.05 },
  ]);
  expect(parseInline('a **b** `c` {d × 2}[e](#2/learn) [f](glossary:row-start).')).toEqual([
    { kind: 'text', text: 'a ' },
    { kind: 'strong', text: 'b' },
    { kind: 'text', text: ' ' },
    { kind: 'code', text: 'c' },
    { kind: 'text', text: ' ' },
    { kind: 'number', expression: 'd × 2' },
    { kind: 'link', text: 'e', href: '#2/learn' },
    { kind: 'text', text: ' ' },
    { kind: 'term', text: 'f', term: 'row start' },
    { kind: 'text', text: '.' },
  ]);
});

describe('plainText', () => {
  it('plainText has the numbers that follow from numbers alone', () => {
    const text =
      '{(1.73 − 1) / (2.18 − 1) × 100 : 0} to {(1.77 − 1) / (2.08 − 1) × 100 : 0} % of the gain arrive, {rows} do.';
    expect(plainText(parseInline(text))).toBe('62 to 71 % of the gain arrive, … do.');
  });
  it('plainText is the text of the pieces, with numbers of a figure left open', () => {
    expect(plainText(parseInline('a **b** {d × 2} of {e from 1 to 2} [c](glossary:f).'))).toBe('a b … of … c.');
  });
});
