import { expect, it } from 'vitest';
import { formats } from '../../formats/catalog.ts';
import { CATALOG as catalog } from '../../../test/offers.ts';
import { groupQuestions, loadStoryQuestions } from './question-choices.ts';

const questions = await loadStoryQuestions(formats, catalog);
const keysFor = (query: string): readonly string[] =>
  groupQuestions(questions, [], query).flatMap((group) => group.questions.map(({ key }) => key));

it('the questions are listed by lessons in order, then those of no lesson', () => {
  const groups = groupQuestions(questions, [], '');
  const numbers = groups.map(({ title }) => Number.parseInt(title, 10));
  expect(groups.at(-1)?.title).toBe('In no lesson');
  expect(numbers.slice(0, -1)).toEqual(numbers.slice(0, -1).toSorted((a, b) => a - b));
  expect(groups.flatMap((group) => group.questions)).toHaveLength(questions.length);
  expect(groups.find(({ title }) => title === '3 · Small skips')?.questions.map(({ key }) => key)).toContain(
    'macko stored-gap',
  );
});

it('a search finds words of the question, its format and its lesson, in any order', () => {
  expect(keysFor('csr bytes')).toContain('csr bytes');
  expect(keysFor('BYTES csr')).toEqual(keysFor('csr bytes'));
  expect(keysFor('small skips')).toContain('macko entries-of-row');
  expect(keysFor('nothing like this')).toEqual([]);
});
