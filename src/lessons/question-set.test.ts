import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip } from '../core/bounds/quote.ts';
import { formats } from '../formats/catalog.ts';
import { decodeHash, defaultDocument, encodeHash, pageState, withPage } from '../state/index.ts';
import { loadFigure, sourceOf } from './figure.ts';
import { findQuestion, nextFigure } from './question-search.ts';
import { figureDocument } from './figure-address.ts';
import { readTyped, typedText } from './own-matrix.ts';
import { type FactsByPage, prepareLesson } from './prepare.ts';
import type { PosedQuestion } from '../story/question.ts';
import { linkedFormatsIn, questionForSet, readQuestionSet, questionSetText } from './question-set.ts';
import { COMPARE } from '../pages/compare/address.ts';
import { LEARN_FIELDS } from '../pages/learn/address.ts';
import { CATALOG as catalog } from '../../test/offers.ts';

const SMALL = '#2/watch?src=generated:uniform&shape=4x24&density=0.25&seed=3&a=csr';

/** A page with a figure that has one question. */
function factsWithQuestion(id: string): FactsByPage {
  const posed: PosedQuestion = {
    id: 'smallest',
    ask: [],
    unit: null,
    tolerance: 0,
    options: ['CSR', 'MACKO'],
    answer: 'MACKO',
    parts: [],
    reason: [],
    before: 0,
    shows: 0,
    wrongAnswers: [],
  };
  const questionOf = (question: string): PosedQuestion | null => (question === posed.id ? posed : null);
  return new Map([
    [id, { facts: async () => ({ caption: '', answeredBy: 'the place', number: () => null, questionOf }) }],
  ]);
}

describe('a set of questions', () => {
  it.each(['5,5,4,6', '0,0,4,25', '1,0,4,24'])(
    'rejects a figure whose window %s lies outside its matrix',
    async (win) => {
      const document = figureDocument(`${SMALL}&win=${win}`, catalog);
      await expect(loadFigure(document, formats)).rejects.toThrow(
        /^figure, win: found rows \d to \d and columns \d to \d+, expected them in a matrix of 4 × 24$/,
      );
    },
  );

  it('survives a link with the same questions, also on a matrix of the user and on a demonstration’s', async () => {
    const document = figureDocument(SMALL, catalog);
    const typedMatrix = readTyped('1 0 0 2 0\n0 3 0 0 4\n5 0 6 0 7');
    const spec = { pattern: 'uniform', rows: 3, cols: 5, density: 0.4, seed: 1 };
    const ownDocument = { ...document, source: { kind: 'generated' as const, spec } };
    const trial = figureDocument('#2/trial?src=generated:uniform&shape=4x8&density=0.5&seed=6&a=clock', catalog);
    const foundQuestion = [
      await findQuestion(await loadFigure(document, formats), 'bytes'),
      await findQuestion(await loadFigure(ownDocument, formats, typedMatrix), 'row-start'),
      await findQuestion(await loadFigure(trial, formats), 'products-in-a-timing'),
    ];
    const text = questionSetText({ title: ' Week\n3 ', questions: foundQuestion.map(questionForSet) });
    const learning = { lesson: 'set', paragraph: 0, set: text };
    const hash = encodeHash(withPage(defaultDocument(catalog), LEARN_FIELDS, learning), catalog);
    const decoded = decodeHash(hash, catalog);
    expect(decoded.problems).toEqual([]);
    const lesson = readQuestionSet(pageState(decoded.document, LEARN_FIELDS).set, catalog);
    expect(lesson.title).toBe('Week 3');
    const preparedBlocks = await prepareLesson(lesson, catalog, formats);
    expect(preparedBlocks.map((block) => block.foundQuestion?.posed.ask)).toEqual(
      foundQuestion.map(({ posed }) => posed.ask),
    );
    expect(preparedBlocks.map((block) => block.foundQuestion?.posed.answer)).toEqual(
      foundQuestion.map(({ posed }) => posed.answer),
    );
    expect(preparedBlocks.map((block) => block.figure?.isTyped)).toEqual([false, true, false]);
  });

  const typedSource = 'src=cells:0:1;2:0.123456,1:3,0:4,3:5&shape=4x4';

  it('is about the cells of a typed matrix, in an address of Watch and in its own, without rounding', async () => {
    const address = `#2/watch?${typedSource}&a=csr`;
    const [firstBlock] = await prepareLesson(readQuestionSet(`A\nbytes ${address}`, catalog), catalog, formats);
    const { foundQuestion } = firstBlock;
    if (!foundQuestion) throw new Error('no question');
    expect(typedText(foundQuestion.figure.window)).toBe('1 0 0.123456 0\n0 3 0 0\n4 0 0 0\n0 0 0 5');
    expect(foundQuestion.figure.isTyped).toBe(true);
    expect(sourceOf(foundQuestion.figure)).toMatchObject({ kind: 'cells', cells: '0:1;2:0.123456,1:3,0:4,3:5' });
    // A set with this question is written and read again.
    const text = questionSetText({ title: 'B', questions: [questionForSet(foundQuestion)] });
    const [blockAgain] = await prepareLesson(readQuestionSet(text, catalog), catalog, formats);
    expect(blockAgain.figure?.window).toEqual(foundQuestion.figure.window);
    expect(blockAgain.foundQuestion?.posed.answer).toEqual(foundQuestion.posed.answer);
    // Further questions are on random matrices of its shape.
    const next = await nextFigure(foundQuestion.figure);
    expect([next.isTyped, next.window.rows, next.window.cols]).toEqual([false, 4, 4]);
  });

  it('keeps the parameters of its formats', async () => {
    const document = figureDocument(`${SMALL}&a.valueType=f32`, catalog);
    const { address } = questionForSet(await findQuestion(await loadFigure(document, formats), 'bytes'));
    expect(document.params.csr).not.toEqual(figureDocument(SMALL, catalog).params.csr);
    expect(figureDocument(address, catalog).params.csr).toEqual(document.params.csr);
  });

  it('shows the window and the edited cells of an address of Watch', async () => {
    const figureText = async (query: string) => {
      const text = `A\nbytes #2/watch?${typedSource}&a=csr${query}`;
      const [{ figure }] = await prepareLesson(readQuestionSet(text, catalog), catalog, formats);
      return figure && typedText(figure.window);
    };
    expect(await figureText('&win=1,0,2,4')).toBe('0 3 0 0\n4 0 0 0');
    expect(await figureText('&own=1,0,2,4:1:3;2:7,0:4')).toBe('0 3 7 0\n4 0 0 0');
  });

  it('contains questions of pages and formats, and leaves out a question that the page does not have', async () => {
    const comparison = '#2/compare?a=csr';
    const text = `Mixed\nbytes ${SMALL}\nsmallest ${comparison}\nwhat ${comparison}`;
    const lesson = readQuestionSet(text, catalog);
    const preparedBlocks = await prepareLesson(lesson, catalog, formats, factsWithQuestion(COMPARE.id));
    expect(preparedBlocks[0].foundQuestion?.posed.id).toBe('bytes');
    expect('posed' in preparedBlocks[1] && preparedBlocks[1].posed?.id).toBe('smallest');
    expect(preparedBlocks.map(({ block }) => block.kind)).toEqual(['prediction', 'prediction', 'paragraph']);
    // Without the page, one question remains.
    const preparedWithoutPage = await prepareLesson(lesson, catalog, formats);
    expect(preparedWithoutPage.map(({ block }) => block.kind)).toEqual(['prediction', 'paragraph', 'paragraph']);
  });

  it('reports which typed matrix allows no question', async () => {
    const address = '#2/watch?src=generated:uniform&shape=1x4&density=0.25&seed=1&a=csr&own=0:1';
    const lesson = readQuestionSet(`A\nrow-start ${address}`, catalog);
    await expect(prepareLesson(lesson, catalog, formats)).rejects.toThrow(
      'row-start: with these cells there is nothing to ask; change cells so that every row after row 0 has a weight',
    );
  });

  it.each([
    ['', 'found no question'],
    ['Title', 'found no question'],
    [`\nbytes ${SMALL}`, 'found no question'],
    ['A\nbytes', "found 'bytes', expected a question and an address"],
    [`A\nbytes ${SMALL} more`, 'expected a question and an address'],
    ['A\nbytes https://example.org', 'expected a question and an address'],
    ['A\nbytes #9/watch?src=generated:uniform&a=csr', 'expected a question and an address'],
    [
      `A\nbytes #2/watch?src=cells:${','.repeat(64)}&shape=65x1&a=csr`,
      'found a matrix of 65 × 1, expected at most 64 × 64',
    ],
    ['A\nbytes #2/watch?src=remote:https://example.org/a.mtx', "found a matrix of kind 'remote'"],
    [`A\nbytes ${SMALL.replace('4x24', '4x2400')}`, 'found a matrix of 4 × 2400, expected at most 64 × 64'],
    [`A\nbytes ${SMALL.replace('csr', 'what')}`, "found 'what'"],
  ])('a set of questions is rejected as %j: %s', (text, message) =>
    expect(() => readQuestionSet(text, catalog)).toThrow(message),
  );

  it('continues without an invalid question, and gives the reason instead', async () => {
    const address = '#2/watch?src=generated:uniform&shape=1x4&density=0.25&seed=1&a=csr&own=0:1';
    const largeMatrix = SMALL.replace('4x24', '4x2400');
    const text = `A\nrow-start ${address}\nbytes ${SMALL}\nbytes ${largeMatrix}\nwhat ${SMALL}\nrow-start ${SMALL}`;
    const preparedBlocks = await prepareLesson(readQuestionSet(text, catalog), catalog, formats);
    const outcomes = preparedBlocks.map(({ block, foundQuestion: question }) => {
      if (question) return [block.n, question.posed.id];
      return [
        block.n,
        block.kind === 'paragraph' && block.inline.map((piece) => 'text' in piece && piece.text).join(''),
      ];
    });
    expect(outcomes).toEqual([
      [
        1,
        expect.stringMatching(
          /^Question 1 is left out: row-start: with these cells there is nothing to ask; change cells so that .*\.$/,
        ),
      ],
      [2, 'bytes'],
      [3, 'Question 3 is left out: set: found a matrix of 4 × 2\u202f400, expected at most 64 × 64.'],
      [
        4,
        expect.stringMatching(
          /^Question 4 is left out: question: found 'what', expected a question of CSR: row-start, .*bytes/,
        ),
      ],
      [5, 'row-start'],
    ]);
    // The stage shows the figure of a neighbour.
    expect(preparedBlocks[3].figure).toBe(preparedBlocks[1].figure);
  });

  const figureOf = (rows: number, cols: number): string =>
    `#2/watch?src=generated:uniform&shape=${rows}x${cols}&density=0.25&seed=3&a=csr`;
  const COMPARE_ADDRESS = '#2/compare?a=csr';

  it('is read as a lesson with its questions in order, whose id stays the same', () => {
    const question = fc.record({
      question: fc.constantFrom('bytes', 'row-start', 'what'),
      address: fc.constantFrom(SMALL, COMPARE_ADDRESS, `#2/watch?${typedSource}&a=csr`),
    });
    const title = fc.string({ maxLength: 30 });
    fc.assert(
      fc.property(title, fc.array(question, { minLength: 1, maxLength: 40 }), (anyTitle, questions) => {
        const lesson = readQuestionSet(questionSetText({ title: anyTitle, questions }), catalog);
        const { id, blocks, ...otherProperties } = lesson;
        expect(id).toMatch(/^set:[0-9a-f]{8}$/);
        const visibleTitle = anyTitle.replaceAll(/\s+/g, ' ').trim();
        const otherFields = { order: 0, minutes: 1, afterwards: '', needs: '', sources: [] };
        expect(otherProperties).toEqual({
          ...otherFields,
          title: clip(visibleTitle === '' ? 'Questions' : visibleTitle),
        });
        expect(blocks).toEqual(
          questions.map(({ question: id, address }, i) => ({
            n: i + 1,
            heading: null,
            appendixTitle: null,
            mayFail: true,
            kind: 'prediction',
            question: id,
            key: `${id}-${i + 1}`,
            figure: { address, step: null },
          })),
        );
      }),
    );
    expect([' a \n b ', ' '].map((name) => questionSetText({ title: name, questions: [] }))).toEqual([
      'a b',
      'Questions',
    ]);
    // Stored answers have this id.
    expect(readQuestionSet(`Week 3\nbytes ${SMALL}`, catalog).id).toBe('set:9a0585de');
    expect(readQuestionSet(` Week 3 \r\n\n  bytes ${SMALL} \n`, catalog)).toMatchObject({
      title: 'Week 3',
      blocks: [{ question: 'bytes', figure: { address: SMALL } }],
    });
  });

  it('accepts each of its limits, and nothing beyond', () => {
    const countQuestions = (...lines: readonly string[]) =>
      readQuestionSet(['A', ...lines].join('\n'), catalog).blocks.length;
    const bytes = (rows: number, cols: number): string => `bytes ${figureOf(rows, cols)}`;
    expect([countQuestions(bytes(64, 64)), countQuestions(bytes(64, 1)), countQuestions(bytes(1, 64))]).toEqual([
      1, 1, 1,
    ]);
    expect(() => countQuestions(bytes(65, 64))).toThrow('set: found a matrix of 65 × 64, expected at most 64 × 64');
    expect(() => countQuestions(bytes(64, 65))).toThrow('set: found a matrix of 64 × 65, expected at most 64 × 64');
    const tenQuestions = Array.from({ length: 10 }, () => bytes(64, 64));
    // Figures of pages have no cells.
    expect(countQuestions(...tenQuestions, `what ${COMPARE_ADDRESS}`)).toBe(11);
    expect(() => countQuestions(...tenQuestions, bytes(1, 1))).toThrow(
      'set: found 40\u202f961 cells in all matrices, expected at most 40\u202f960',
    );
    expect(() => countQuestions(...tenQuestions, `bytes #2/watch?${typedSource}&a=csr`)).toThrow(
      'found 40\u202f976 cells',
    );
    expect(countQuestions(...Array.from({ length: 40 }, () => bytes(1, 4)))).toBe(40);
    expect(() => countQuestions(...Array.from({ length: 41 }, () => bytes(1, 4)))).toThrow(
      'set: found 41 questions, expected at most 40',
    );
    const paddedText = `A\n${bytes(1, 4)}`.padEnd(2 ** 19, '\n');
    expect(readQuestionSet(paddedText, catalog).blocks).toHaveLength(1);
    expect(() => readQuestionSet(`${paddedText}\n`, catalog)).toThrow(
      'set: found 524\u202f289 characters, expected at most 524\u202f288',
    );
  });

  it('leaves out a question of a page whose link is wrong, and shows the figure of the question before', () => {
    const set = `A\nwhat #2/compare?a=coo&tokens=0\nbytes ${SMALL}\nwhat #2/compare?tokens=0`;
    const { blocks } = readQuestionSet(set, catalog);
    const [firstBlock, , lastBlock] = blocks.map((block) => block.kind === 'paragraph' && block.inline);
    expect(firstBlock).toEqual([
      {
        kind: 'text',
        text: expect.stringMatching(
          /^Question 1 is left out: set: Link, a: found 'coo', .+ Link, tokens: found '0', .+\.$/,
        ),
      },
    ]);
    expect(lastBlock).toEqual([
      { kind: 'text', text: expect.stringMatching(/^Question 3 is left out: set: Link, tokens: found '0', .*\.$/) },
    ]);
    expect(blocks.map(({ n, kind, figure }) => [n, kind, figure])).toEqual([
      [1, 'paragraph', { address: SMALL, step: null }],
      [2, 'prediction', { address: SMALL, step: null }],
      [3, 'paragraph', { address: SMALL, step: null }],
    ]);
    expect(() => readQuestionSet('A\nwhat #2/compare?a=coo\nwhat', catalog)).toThrow("set: Link, a: found 'coo'");
    expect(() => readQuestionSet('A\nwhat\nwhat #2/compare?a=coo', catalog)).toThrow("set: found 'what', expected");
  });

  it('names the formats of the user that it needs, each once, unless it is too long to be read', () => {
    const lineWithFormat = (name: string, query = ''): string =>
      `q #2/watch?src=generated:uniform&shape=4x4&a=mine:${name}${query}`;
    const text = [
      'A',
      lineWithFormat('one'),
      `bytes ${SMALL}`,
      `  ${lineWithFormat('two', '&own-format.a=code')}`,
      lineWithFormat('one'),
      'q',
      'mine:three',
    ];
    expect(linkedFormatsIn(text.join('\n'), catalog)).toEqual([
      { id: 'mine:one', link: null },
      { id: 'mine:two', link: 'code' },
    ]);
    const paddedText = [...text, ''].join('\n').padEnd(2 ** 19, '\n');
    expect([paddedText, `${paddedText}\n`].map((longText) => linkedFormatsIn(longText, catalog).length)).toEqual([
      2, 0,
    ]);
  });
});
