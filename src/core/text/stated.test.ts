import { expect, it } from 'vitest';
import { fact, numberText, stated } from './stated.ts';

it('stated writes counts as words up to twelve, also at the beginning of a sentence', () => {
  const rows = (n: number) => stated`${fact('rows', n, 'Word', ['row', 'rows'])} of ${fact('all', n + 1, 'word')}`;
  expect(rows(0).text).toBe('No rows of one');
  expect(rows(1).text).toBe('One row of two');
  expect(rows(12).text).toBe('Twelve rows of 13');
  expect(rows(1234).facts.map(numberText)).toEqual(['1\u202f234', '1\u202f235']);
});

it('numberText writes a density with at most three digits', () => {
  const left = [0.02, 0.3, 0.125, 0.00012, 0.020_04].map((share) => numberText(fact('left', share, 'left')));
  expect(left).toEqual(['2\u202f%', '30\u202f%', '12.5\u202f%', '0.012\u202f%', '2\u202f%']);
});
