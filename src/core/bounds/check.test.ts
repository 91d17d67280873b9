import { expect, it } from 'vitest';
import { checkBound, excessProblem } from './check.ts';
import { clip } from './quote.ts';
import { ReadError, SparseScopeError } from '../errors.ts';

it('a count within its bound is accepted', () => {
  expect(excessProblem(40, 40, 'questions')).toBeNull();
  expect(() => checkBound('set', 40, 40, 'questions')).not.toThrow();
});

it('a count beyond its bound is rejected; the message says where, found and expected', () => {
  expect(excessProblem(1234, 40, 'questions')).toBe('found 1\u202f234 questions, expected at most 40');
  expect(() => checkBound('set', 41, 40, 'questions')).toThrow(
    new SparseScopeError('set: found 41 questions, expected at most 40'),
  );
  expect(() => checkBound('a.json', 2, 1, 'bytes', ReadError)).toThrow(ReadError);
});

it('a text from outside is quoted short, without invisible characters', () => {
  expect(clip('x'.repeat(60))).toBe('x'.repeat(60));
  expect(clip('x'.repeat(1e6))).toBe(`${'x'.repeat(60)}...`);
  expect(clip('a\u202eb\u0000')).toBe('a\ufffdb\u2400');
});
