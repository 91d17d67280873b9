// The lesson about pruned language models: its questions and figures.

import { expect, it } from 'vitest';
import { formats } from '../../../src/formats/catalog.ts';
import { lessons } from '../../../src/lessons/index.ts';
import type { Lesson } from '../../../src/lessons/lesson.ts';
import { type FactsByPage, prepareLesson } from '../../../src/lessons/prepare.ts';
import { readQuestionSet, questionSetText } from '../../../src/lessons/question-set.ts';
import { loadPageQuestions } from '../../../src/pages/learn/question-choices.ts';
import { CATALOG } from '../../../test/offers.ts';
import { OFFERS as FACTS } from '../test/offers.ts';
import { expectDistinctAnswers } from '../../../test/posed-answers.ts';

it('every question of the lesson has one right answer, and each misconception leads to another answer', async () => {
  const languageLessons = lessons.filter(({ blocks }) =>
    blocks.some(({ figure }) => figure.address.startsWith('#2/language')),
  );
  const prepared = await Promise.all(languageLessons.map((lesson) => prepareLesson(lesson, CATALOG, formats, FACTS)));
  const questions = prepared.flat().flatMap((block) => (block.figure === null && block.posed ? [block.posed] : []));
  expect(questions.map(({ id, answer }) => [id, answer])).toEqual([
    ['last-whole', '70\u202f%'],
    ['breaks-first', 'words and sentences'],
    ['which-breaks-first', '2:4'],
    ['which-loses-most', '2:4'],
    ['narrow-or-few', 'all weights with four bits'],
  ]);
  expectDistinctAnswers(questions, 2);
});

it('a figure that the page does not have is rejected', async () => {
  const [lesson] = lessons;
  const prepareWithFigure = (address: string): Promise<unknown> => {
    const changedLesson: Lesson = { ...lesson, blocks: [{ ...lesson.blocks[0], figure: { address, step: null } }] };
    return prepareLesson(changedLesson, CATALOG, formats, FACTS);
  };
  await expect(prepareWithFigure('#2/language?model=tales&x.lesson=bits:wanda-61')).rejects.toThrow(
    "x.lesson: found 'wanda-61', expected a model that was measured",
  );
  await expect(prepareWithFigure('#2/language?model=tales&x.lesson=speed:dense')).rejects.toThrow(
    'expected bits, unbroken, laws',
  );
});

it('a set may contain every question of the lesson', async () => {
  const choices = await loadPageQuestions(CATALOG, FACTS);
  const text = questionSetText({ title: 'All questions', questions: choices.map(({ entry }) => entry) });
  const prepared = await prepareLesson(readQuestionSet(text, CATALOG), CATALOG, formats, FACTS);
  expect(prepared.map((block) => 'posed' in block && block.posed)).toEqual(choices.map(({ posed }) => posed));
  // Pages that do not load, and pages that do not exist, contribute nothing.
  const failing: FactsByPage = new Map(
    [...FACTS.keys()].map((id) => [id, { facts: () => Promise.reject(new Error()) }]),
  );
  expect(await loadPageQuestions(CATALOG, failing)).toEqual([]);
  expect(await loadPageQuestions(CATALOG, new Map())).toEqual([]);
});
