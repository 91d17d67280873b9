import { expect, it, vi } from 'vitest';
import { SLICE_MS, threadPace } from '../core/pace.ts';
import { formats } from '../formats/catalog.ts';
import { loadStory } from '../story/format-story.ts';
import { CATALOG as catalog } from '../../test/offers.ts';
import { figureDocument } from './figure-address.ts';
import { encodeFigure } from './figure.ts';
import { LessonError } from './lesson.ts';
import { readTyped } from './own-matrix.ts';
import { prepareLesson } from './prepare.ts';
import { readQuestionSet } from './question-set.ts';
import { findQuestion, type FoundQuestion } from './question-search.ts';

const SMALL = [
  '1 0 2 0\n0 3 0 0\n4 0 5 6\n0 0 0 7',
  '1 2 3 4\n5 6 7 8\n1 2 3 4\n5 6 7 8',
  '0 0 0 0\n0 0 0 0\n0 0 1 0\n0 0 0 0',
  '1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1',
  '0 1\n1 1',
  '5',
];

const allQuestions = await Promise.all(
  formats.flatMap(async (format) => {
    const story = await loadStory(format);
    return (story.questions ?? []).map((question) => ({ format, story, question }));
  }),
).then((lists) => lists.flat());

/** The question on a typed matrix, or why there is none. */
async function ask(
  { format, story, question }: (typeof allQuestions)[number],
  text: string,
): Promise<FoundQuestion | string> {
  const typedMatrix = readTyped(text);
  const shape = `src=generated:uniform&shape=${typedMatrix.rows}x${typedMatrix.cols}&density=0.5&seed=1`;
  const document = figureDocument(`#2/watch?${shape}&a=${format.id}`, catalog);
  try {
    return await findQuestion(await encodeFigure(document, format, story, typedMatrix), question.id);
  } catch (error) {
    if (error instanceof LessonError) return error.message;
    throw error;
  }
}

it.each(allQuestions.map((item) => [`${item.format.id} ${item.question.id}`, item] as const))(
  '%s is asked on a small typed matrix, or a sentence says which cells to change',
  async (_name, candidate) => {
    const results = await Promise.all(SMALL.map((text) => ask(candidate, text)));
    for (const question of results) {
      if (typeof question === 'string') {
        expect(question).toMatch(/: with these cells there is nothing to ask; change cells so that \S.*[^.]$/);
        // Every question says what it needs.
        expect(question).not.toContain('some of them are zero and some are not');
      } else {
        const { answer, wrongAnswers } = question.posed;
        expect(wrongAnswers.length).toBeGreaterThanOrEqual(1);
        expect(new Set([answer, ...wrongAnswers.map((idea) => idea.answer)]).size).toBe(wrongAnswers.length + 1);
      }
    }
  },
);

it('a typed matrix of 4 × 4 has the questions about bytes of every format, with how wrong answers are computed', async () => {
  const results = await Promise.all(
    allQuestions
      .filter(({ question }) => question.id === 'bytes')
      .map(async (candidate) => {
        const question = await ask(candidate, SMALL[0]);
        return typeof question === 'string'
          ? [candidate.format.id, question]
          : [candidate.format.id, question.posed.answer, ...question.posed.wrongAnswers.map(({ working }) => working)];
      }),
  );
  expect(results).toMatchInlineSnapshot(`
    [
      [
        "dense",
        64,
        "64 bytes − 32 bytes = 32",
        "7 weights × 2 bytes = 14",
        "4 × 4 cells × 1 byte = 16",
        "4 × 4 cells × (2 + 4 bytes) = 96",
      ],
      [
        "csr",
        48,
        "48 bytes − 14 bytes = 34",
        "48 bytes − 20 bytes = 28",
        "48 − 4 bytes = 44",
      ],
      [
        "ell",
        64,
        "64 bytes − 20 bytes = 44",
        "64 bytes − 16 bytes = 48",
        "64 bytes − 14 bytes = 50",
      ],
      [
        "bitmask",
        50,
        "50 bytes − 20 bytes = 30",
        "34 other bytes + 1 byte = 35",
      ],
      [
        "twell",
        64,
        "7 neurons × 4 bytes = 28",
        "(7 + 4 counts) × 4 bytes = 44",
        "4 × 1 tile × (4 words + 1) × 4 bytes = 80",
      ],
    ]
  `);
});

it('a generated matrix keeps its seed if no other makes all answers differ', async () => {
  const dense = allQuestions.find(({ format, question }) => format.id === 'dense' && question.id === 'bytes');
  if (!dense) throw new Error('found no question about the bytes of dense');
  const document = figureDocument('#2/watch?src=generated:uniform&shape=4x4&density=1&seed=3&a=dense', catalog);
  const { figure, posed } = await findQuestion(await encodeFigure(document, dense.format, dense.story), 'bytes');
  expect([figure.spec.seed, posed.answer]).toEqual([3, 64]);
  // Without zeros, to leave them out is to leave out the padding alone, which is an earlier mistake.
  expect(posed.wrongAnswers.map(({ id }) => id)).not.toContain('zeros-are-free');
});

it('a set of questions yields to other work while its matrices are tried, and soon gives up on a matrix without a question', async () => {
  const fullMatrix = '#2/watch?src=generated:uniform&shape=64x64&density=1&seed=1&a=csr';
  // A matrix of one row: where it begins is the same with every seed.
  const oneRow = '#2/watch?src=generated:uniform&shape=1x64&density=1&seed=1&a=csr';
  const lesson = readQuestionSet(`A${`\nrow-start ${fullMatrix}`.repeat(9)}\nrow-start ${oneRow}`, catalog);
  // By this clock every time slice is over at once, on machines of any speed.
  let clockMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (clockMs += SLICE_MS));
  let turns = 0;
  let isDone = false;
  const countTurns = async (): Promise<void> => {
    for (; !isDone; turns++) await threadPace.pause();
  };
  const counting = countTurns();
  const prepared = await prepareLesson(lesson, catalog, formats);
  isDone = true;
  await counting;
  clock.mockRestore();
  expect(prepared).toHaveLength(10);
  expect(prepared[9].foundQuestion).toBeNull();
  expect(turns).toBeGreaterThanOrEqual(9);
});
