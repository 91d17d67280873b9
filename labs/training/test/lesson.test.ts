// The lesson about training: its questions, answered from the recorded runs.

import { expect, test } from 'vitest';
import { formats } from '../../../src/formats/catalog.ts';
import { visiblePoints } from '../page/lesson-figures.ts';
import { RECORDED_RUNS } from '../page/recorded-runs.ts';
import { lessons } from '../../../src/lessons/index.ts';
import { prepareLesson } from '../../../src/lessons/prepare.ts';
import { CATALOG as catalog } from '../../../test/offers.ts';
import { expectDistinctAnswers } from '../../../test/posed-answers.ts';
import { OFFERS } from './offers.ts';

test('every question of the Training lesson has one right answer from the recorded runs, and each misconception leads to another answer', async () => {
  const lesson = lessons.find(({ title }) => title === 'Where do zeros come from?');
  if (!lesson) throw new Error('lessons: found none about zeros, expected one');
  const prepared = await prepareLesson(lesson, catalog, formats, OFFERS);
  const requests = prepared.flatMap((block) => (block.figure === null && block.posed ? [block.posed] : []));
  expect(requests.map(({ id, answer }) => [id, answer])).toEqual([
    ['cost', 'next to none'],
    ['when-dead', 'next to none of them'],
    ['turned-down', 'hardly any fires again'],
  ]);
  expectDistinctAnswers(requests);
});

test('until a question is answered, the curves of its figure end at the step of the question', () => {
  const run = RECORDED_RUNS.find(({ settings }) => settings.l1Changes.length === 2);
  if (!run) throw new Error('recorded runs: found none with a change of L1, expected one');
  expect(visiblePoints(run, null)).toEqual(run.points);
  expect(visiblePoints(run, 'turned-down').at(-1)?.step).toBe(run.settings.l1Changes[1].step);
  expect(visiblePoints(run, 'when-dead')).toEqual([]);
});
