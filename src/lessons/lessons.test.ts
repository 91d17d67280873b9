import { describe, expect, it } from 'vitest';
import { formats } from '../formats/catalog.ts';
import { bestDeltaBits } from '../../test/best-delta-bits.ts';
import { decodeHash } from '../state/index.ts';
import { figureAfterDrag, draggableNumber, replaceFigure } from './drag.ts';
import { numberText } from './expression.ts';
import { type Figure, frameOf, lookupIn, loadFigure, stepOf } from './figure.ts';
import { nextFigure, findQuestion } from './question-search.ts';
import { glossary, lessons } from './index.ts';
import type { Block, Lesson } from './lesson.ts';
import { parseInline } from './parse.ts';
import { type PreparedBlock, prepareLesson } from './prepare.ts';
import { CATALOG as catalog, OFFERS } from '../../test/offers.ts';
import { cases } from '../../test/scheduled.ts';
import { isPageAddress, figureDocument, userMatrix } from './figure-address.ts';

/** Number of matrices for each question. */
const MATRICES = cases(10, 30);

const figureOf = (address: string): Promise<Figure> => loadFigure(figureDocument(address, catalog), formats);

const prepared = new Map<Lesson, Promise<readonly PreparedBlock[]>>();

/** The blocks of a lesson, prepared once for all tests of it. */
function preparedOf(lesson: Lesson): Promise<readonly PreparedBlock[]> {
  const found = prepared.get(lesson) ?? prepareLesson(lesson, catalog, formats, OFFERS);
  prepared.set(lesson, found);
  return found;
}

it('a paragraph may name a directed frame of its figure, by its id', async () => {
  const figure = await figureOf('#2/watch?src=generated:uniform&shape=4x40&density=0.18&seed=38&a=macko');
  expect(stepOf(figure, 'frame first weight')).toBe(2);
  expect(frameOf(figure, 'frame first weight')?.id).toBe('first weight');
  expect(stepOf(figure, 'cell 0,31')).toBe(7);
  expect(() => stepOf(figure, 'cell 0,5')).toThrow("@step: found 'cell 0,5', expected a cell that is not 0");
  expect(() => stepOf(figure, 'frame nowhere')).toThrow(
    /^@step: found frame 'nowhere', expected one of zeros, .*verdict$/,
  );
});

it('the delta widths that a lesson calls best match the formula', () => {
  const best = [0.77, 0.75, 0.45, 0.43].map((density) => bestDeltaBits(density, 'f16'));
  expect(best).toEqual([1, 2, 2, 4]);
});

describe.each(lessons.map((lesson) => [lesson.title, lesson] as const))('lesson %s', (_title, lesson: Lesson) => {
  const blocks: readonly Block[] = lesson.blocks;
  const predictions = blocks.flatMap((block) => (block.kind === 'prediction' ? [block] : []));

  it('has at least three questions, and names its sources', () => {
    expect(predictions.length).toBeGreaterThanOrEqual(3);
    expect(lesson.sources.length).toBeGreaterThan(0);
  });

  it('has figures whose addresses open, at existing steps', async () => {
    for (const prepared of await preparedOf(lesson)) {
      if (prepared.figure === null) continue;
      const { block, figure, step } = prepared;
      expect(step, `paragraph ${block.n}`).toBeLessThanOrEqual(figure.loaded.trace.steps.length);
      expect(figure.loaded.story.scene(figure.loaded.trace, step).narration.length).toBeGreaterThan(0);
    }
  });

  it('names the index width of CSR and ELL in its addresses, if it shows them or uses their numbers', async () => {
    for (const { block, figure } of await preparedOf(lesson)) {
      if (figure === null) continue;
      const text = block.kind === 'paragraph' ? JSON.stringify(block.inline) : '';
      for (const { id, params } of formats) {
        const isShown = figure.document.format === id;
        if (!('indexBits' in params) || !(isShown || text.includes(`${id}.bytes`))) continue;
        const isNamed = block.figure?.address.includes(isShown ? '&a.indexBits=' : `&${id}.indexBits=`);
        expect(isNamed, `paragraph ${block.n}, ${id}`).toBe(true);
      }
    }
  });

  it('has only numbers that are computed from their figure', async () => {
    for (const { block, lookup } of await preparedOf(lesson)) {
      if (block.kind !== 'paragraph') continue;
      for (const piece of block.inline) {
        if (piece.kind === 'number') expect(numberText(piece.expression, lookup)).toMatch(/^[\d.\u202f]+$/);
        // A name such as f16 is a word; any other digit would be unchecked.
        else if (piece.kind !== 'code' && piece.kind !== 'drag')
          expect(piece.text, `paragraph ${block.n}`).not.toMatch(/(?<![a-z\d])\d/i);
      }
    }
  });

  it('has numbers to drag that start at one of their values, and a figure with all its numbers at each', async () => {
    const all = await preparedOf(lesson);
    for (const { block, figure } of all) {
      const drags = block.kind === 'paragraph' ? block.inline.filter((piece) => piece.kind === 'drag') : [];
      if (figure === null) {
        expect(drags, `paragraph ${block.n}`).toEqual([]);
        continue;
      }
      for (const drag of drags) {
        for (const value of draggableNumber(drag, figure).values) {
          const after = figureAfterDrag(figure, drag.name, value);
          expect(draggableNumber(drag, after).value).toBe(value);
          const moved = (await replaceFigure(all, figure, after, formats)).filter((b) => b.figure === after);
          const texts = moved.flatMap(({ block: b, lookup }) =>
            b.kind === 'paragraph'
              ? b.inline.flatMap((piece) => (piece.kind === 'number' ? [numberText(piece.expression, lookup)] : []))
              : [],
          );
          expect(texts.length, `paragraph ${block.n}`).toBeGreaterThan(0);
          for (const text of texts) expect(text).toMatch(/^[\d.\u202f]+$/);
        }
      }
    }
  });

  it('explains every term that it marks, and links to existing pages', () => {
    const inline = [...blocks.flatMap((b) => (b.kind === 'paragraph' ? b.inline : [])), ...lesson.sources.flat()];
    for (const piece of inline) {
      if (piece.kind === 'term') expect([...glossary.keys()]).toContain(piece.term);
      if (piece.kind !== 'link') continue;
      expect(piece.href).toMatch(/^(?:#2\/|https:\/\/)/);
      if (piece.href.startsWith('#')) expect(decodeHash(piece.href, catalog).problems, piece.href).toEqual([]);
    }
  });

  it('the answer in bytes is in no earlier figure, for CSR on a matrix where dense needs a different number', async () => {
    const all = await preparedOf(lesson);
    for (const { foundQuestion, block, figure } of all) {
      if (figure === null || foundQuestion?.posed.id !== 'bytes' || typeof foundQuestion.posed.answer !== 'number')
        continue;
      const { answer } = foundQuestion.posed;
      const { rows, cols } = figure.window;
      if (figure.format.id === 'csr') expect(answer, `paragraph ${block.n}`).not.toBe(rows * cols * 2);
      const answerInBytes = new RegExp(`(?<![\\w.])${answer} ?(?:B|bytes)\\b`);
      for (const before of all.slice(0, block.n - 1)) {
        if (before.figure === null || before.foundQuestion) continue;
        const { block: earlier, figure: shown, step } = before;
        const { panels, narration } = shown.loaded.story.scene(shown.loaded.trace, step);
        const texts = panels.flatMap(({ caption = '', marks }) => [caption, ...marks.map(({ text = '' }) => text)]);
        const shownText = [...texts, narration.map(({ text }) => text).join('')].join('\n').replaceAll('\u202f', '');
        expect(answerInBytes.exec(shownText)?.[0], `paragraph ${earlier.n}`).toBeUndefined();
      }
    }
  });

  const ofStories = predictions.filter(({ figure }) => !isPageAddress(figure.address));
  it.each(ofStories.map((p) => [p.n, p.question, p] as const))(
    'question %i, %s: on several matrices, all answers differ and every step exists',
    async (_n, question, { figure }) => {
      let foundQuestion = await findQuestion(await figureOf(figure.address), question);
      // The matrix in the text is allowed: its address shows the question.
      expect(foundQuestion.figure.document).toEqual(figureDocument(figure.address, catalog));
      for (let i = 0; i < MATRICES; i++) {
        const { posed, figure: shown } = foundQuestion;
        const answers = [posed.answer, ...posed.wrongAnswers.map((wrong) => wrong.answer)];
        expect(posed.wrongAnswers.length).toBeGreaterThanOrEqual(2);
        expect(new Set(answers).size).toBe(answers.length);
        if (posed.options) expect(posed.options).toEqual(expect.arrayContaining(answers));
        const last = shown.loaded.trace.steps.length;
        expect(posed.before).toBeLessThan(posed.shows);
        for (const step of [posed.before, posed.shows, ...posed.wrongAnswers.map((wrong) => wrong.falseAt)]) {
          expect(step).toBeGreaterThanOrEqual(0);
          expect(step).toBeLessThanOrEqual(last);
        }
        foundQuestion = await findQuestion(await nextFigure(shown), question);
      }
    },
  );
});

it('a figure that no page offers is rejected', async () => {
  const [lesson] = lessons;
  const address = '#2/measure?a=csr';
  const wrong: Lesson = { ...lesson, blocks: [{ ...lesson.blocks[0], figure: { address, step: null } }] };
  await expect(prepareLesson(wrong, catalog, formats, OFFERS)).rejects.toThrow(
    'expected an address of a page that offers figures',
  );
});

it('a number to drag next to the figure of a page is rejected', async () => {
  const block = lessons.flatMap(({ blocks }) => blocks).find(({ figure }) => isPageAddress(figure.address));
  if (!block) throw new Error('found no lesson with the figure of a page');
  const { n, heading, appendixTitle, figure } = block;
  const inline = parseInline('With {density from 0.1 to 0.6 by 0.05} left');
  const paragraph = { kind: 'paragraph', n, heading, appendixTitle, figure, inline } as const;
  await expect(prepareLesson({ ...lessons[0], blocks: [paragraph] }, catalog, formats, OFFERS)).rejects.toThrow(
    `{density from ...}: found it next to '${figure.address}', expected a figure of a format`,
  );
});

it('a name in braces is a number of the figure, and not a property that every object inherits', async () => {
  const figure = await figureOf('#2/watch?src=generated:uniform&shape=4x8&density=0.5&seed=1&a=csr');
  const lookup = lookupIn(figure, [figure]);
  expect(lookup('rows')).toBe(4);
  for (const name of ['constructor', 'toString', '__proto__', 'csr.constructor', 'csr.__proto__'])
    expect(() => lookup(name)).toThrow(`{${name}}: found no such number in the figure of CSR`);
});

it('a figure of typed cells lets a parameter be dragged on typed cells, which stay, and not their density', async () => {
  const address = '#2/watch?src=cells:0:1;2:2,1:3,0:4,3:5&shape=4x4&a=bsr';
  const document = figureDocument(address, catalog);
  const figure = await loadFigure(document, formats, userMatrix(address, document));
  expect(figureAfterDrag(figure, 'blockSize', 4).window).toBe(figure.window);
  const density = { name: 'density', min: 0, max: 1, by: 0.1 };
  expect(() => draggableNumber(density, figure)).toThrow('expected a generated matrix');
});
