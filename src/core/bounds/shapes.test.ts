import { describe, expect, test } from 'vitest';
import {
  aCount,
  anyOf,
  aText,
  conforms,
  listOf,
  nullable,
  objectOf,
  oneOf,
  optional,
  readAs,
  textUpTo,
} from './shapes.ts';

const aDraft = objectOf({
  name: textUpTo(4),
  kernels: anyOf("'all' or a list of kernels", oneOf('all'), listOf(aText, 2, 'kernels', 1)),
  note: optional(nullable(aText)),
});
const DRAFT = { name: 'abcd', kernels: 'all' };

const WRONG: readonly (readonly [what: string, value: unknown, sentence: string])[] = [
  ['nothing', null, 'a.json: found null, expected an object.'],
  ['a long text', { ...DRAFT, name: 'abcde' }, 'a.json: name: found 5 letters, expected at most 4.'],
  ['neither shape', { ...DRAFT, kernels: [] }, "a.json: kernels: found a list, expected 'all' or a list of kernels."],
  ['a wrong note', { ...DRAFT, note: 1 }, 'a.json: note: found 1, expected a text.'],
];

describe('the shape of a value', () => {
  test.each(WRONG)('is refused in one sentence, and without one: %s', (_, value, sentence) => {
    expect(() => readAs('a.json', value, () => aDraft(value, null))).toThrow(sentence);
    expect(conforms(value, aDraft)).toBe(false);
  });

  test('a list may have a minimum', () => {
    const some = listOf(aCount, 9, 'rows', 2);
    expect(() => some([1], null)).toThrow('found 1 rows, expected at least 2');
    expect([[1], [1, 2], [1, -2]].map((value) => conforms(value, some))).toEqual([false, true, false]);
  });

  test('whatever fits passes, with or without what may be missing', () => {
    for (const value of [DRAFT, { ...DRAFT, note: null }, { ...DRAFT, note: '', kernels: ['a', 'b'] }]) {
      expect(() => aDraft(value, null)).not.toThrow();
      expect(conforms(value, aDraft)).toBe(true);
    }
  });

  test('an error of the check itself is not taken for a wrong value', () => {
    const broken = (): never => {
      throw new TypeError('a fault');
    };
    expect(() => conforms(1, broken)).toThrow('a fault');
  });
});
