import { describe, expect, test } from 'vitest';
import { regionColumns, isRegionShape, REPORT_BOUNDS } from './bounds.ts';
import {
  aBoolean,
  aCount,
  aDate,
  aFiniteNumber,
  allOf,
  anObject,
  aNonNegativeNumber,
  anyOf,
  aRecord,
  aReportNumber,
  aReportText,
  aShare,
  type Check,
  freeObject,
  listOfNumbers,
  orAny,
  recordOf,
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

/** Each check with values at either side of its bounds: values that it accepts, and values that it rejects. */
const CHECKS: readonly (readonly [
  name: string,
  check: Check,
  accepted: readonly unknown[],
  rejected: readonly unknown[],
])[] = [
  ['aCount', aCount, [0, 1, 2 ** 53 - 1], [-1, 0.5, 2 ** 53, Infinity, Number.NaN, '1', null]],
  ['aShare', aShare, [0, 0.5, 1], [-Number.MIN_VALUE, 1 + Number.EPSILON, Number.NaN, '1']],
  [
    'aNonNegativeNumber',
    aNonNegativeNumber,
    [0, 0.5, Number.MAX_VALUE],
    [-Number.MIN_VALUE, Infinity, Number.NaN, '1'],
  ],
  ['aFiniteNumber', aFiniteNumber, [-Number.MAX_VALUE, 0, Number.MAX_VALUE], [Infinity, -Infinity, Number.NaN, '1']],
  ['aReportNumber', aReportNumber, [-1, 'NaN', 'Infinity', '-Infinity'], [Infinity, Number.NaN, 'nan', '1']],
  ['aReportText', aReportText, ['', 'x'.repeat(REPORT_BOUNDS.text)], ['x'.repeat(REPORT_BOUNDS.text + 1), 1, null]],
  ['textUpTo', textUpTo(3), ['', 'abc'], ['abcd', 3]],
  ['aBoolean', aBoolean, [true, false], [0, 1, 'true', null]],
  ['aDate', aDate, ['2026-01-31T12:00:00Z'], ['2026-13-01T00:00:00Z', 1, '']],
  ['anObject', anObject, [{}, { a: 1 }], [[], null, 'x']],
  ['oneOf', oneOf('a', 1, false), ['a', 1, false], ['b', 0, true, '1']],
  ['nullable', nullable(aCount), [null, 0], [undefined, -1]],
  ['optional', optional(aCount), [undefined, 0], [null, -1]],
  ['orAny', orAny(aCount), ['any', 0], ['all', -1, null]],
  ['listOf', listOf(aCount, 3, 'rows', 1), [[0], [1, 2, 3]], [[], [1, 2, 3, 4], [-1], {}, '1']],
  ['listOfNumbers', listOfNumbers(2, 'samples'), [[], [0, 1.5]], [[1, 2, 3], [-1], [Infinity], ['1'], {}]],
  ['freeObject', freeObject(2, 'sizes'), [{}, { a: 1, b: 2 }], [{ a: 1, b: 2, c: 3 }, []]],
  ['recordOf', recordOf(aCount), [{}, { a: 0 }], [{ a: -1 }, { a: 0, b: '1' }, [0]]],
  ['allOf', allOf(aCount, oneOf(1, 2)), [1, 2], [0, 3, '1']],
  ['aRecord', aRecord, [properties(REPORT_BOUNDS.properties)], [properties(REPORT_BOUNDS.properties + 1)]],
];

/** An object with this many properties. */
function properties(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, 0]));
}

test.each(CHECKS)('%s accepts values up to its bounds, and rejects those beyond', (_, check, accepted, rejected) => {
  for (const value of accepted) expect([value, conforms(value, check)]).toEqual([value, true]);
  for (const value of rejected) expect([value, conforms(value, check)]).toEqual([value, false]);
});

test('lists and objects may be nested as deep as a report needs, and no deeper', () => {
  const nested = (depth: number): unknown =>
    depth === 0 ? 1 : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) };
  const read = (depth: number) => () => readAs('a.json', nested(depth), () => 'read');
  expect(read(REPORT_BOUNDS.depth)()).toBe('read');
  expect(read(REPORT_BOUNDS.depth + 1)).toThrow('a.json: found 17 levels of lists and objects, expected at most 16.');
});

test('the region of a story has at most 64 rows and at most 4096 cells', () => {
  /** rows, and the most columns for as many rows */
  const max = [
    [1, 4096],
    [2, 2048],
    [3, 1365],
    [63, 65],
    [64, 64],
  ];
  for (const [rows, cols] of max) {
    expect([regionColumns(rows), isRegionShape(rows, cols), isRegionShape(rows, cols + 1)]).toEqual([
      cols,
      true,
      false,
    ]);
  }
  expect([regionColumns(0), isRegionShape(65, 1)]).toEqual([4096, false]);
});

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

describe('checks of the shape of a value', () => {
  test.each(WRONG)(
    '`aDraft` rejects a wrong value with a message, and `conforms` without one: %s',
    (_, value, sentence) => {
      expect(() => readAs('a.json', value, () => aDraft(value, null))).toThrow(sentence);
      expect(conforms(value, aDraft)).toBe(false);
    },
  );

  test.each([
    [7n, 'a BigInt'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
  ])('a message describes any value that a browser stores: %s', (value, found) => {
    expect(() => aDraft(value, null)).toThrow(`found ${found}, expected an object`);
    expect(conforms(value, aDraft)).toBe(false);
  });

  test('a list may have a minimum', () => {
    const some = listOf(aCount, 9, 'rows', 2);
    expect(() => some([1], null)).toThrow('found 1 rows, expected at least 2');
    expect([[1], [1, 2], [1, -2]].map((value) => conforms(value, some))).toEqual([false, true, false]);
  });

  test('an object is accepted with and without its optional properties', () => {
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
