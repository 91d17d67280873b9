import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReadError } from '../../core/errors.ts';
import { jsonEntries, parseJson } from './json-entries.ts';
import { cases } from '../../../test/scheduled.ts';

describe('the entries of a JSON object', () => {
  it('agree with JSON.parse, with any space, nested as deep as a tensor', () => {
    const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(object, fc.constantFrom(0, 1, '\t', '\n  '), (value, space) => {
        const text = ` ${JSON.stringify(value, null, space)}\r\n`;
        const expected = JSON.parse(text) as Record<string, unknown>;
        const found = Array.from(jsonEntries(text), ([name, part]) => [name, JSON.parse(part) as unknown]);
        expect(new Map(found as [string, unknown][])).toEqual(new Map(Object.entries(expected)));
        expect(parseJson(text)).toEqual(expected);
      }),
      { seed: 3, numRuns: cases(80, 300) },
    );
  });

  it('the entries of a JSON object are rejected if a name occurs twice, however it is spaced, spelled or nested', () => {
    for (const text of [
      `{"a":1,"a"${' '.repeat(30)}:2}`,
      `{"a":1,"a"${'\n'.repeat(3000)}:2}`,
      '{"a":1,"\\u0061":2}',
      '{"b":{"a":1,"a":2}}',
    ]) {
      expect(() => parseJson(text)).toThrow(new ReadError("header: found 'a' twice, expected each name once"));
    }
  });

  it('the entries of a JSON object are rejected if nested deeper than a tensor, before anything below is read', () => {
    for (const nested of ['[[[]]]', '{"b":{"c":[1]}}', '{"b":[{"c":1}]}', `${'{"b":'.repeat(20_000)}`]) {
      expect(() => Array.from(jsonEntries(`{"a":${nested}}`))).toThrow(
        new ReadError("header, 'a': found objects or lists nested deeper than 2, expected a tensor"),
      );
    }
    expect(parseJson('{"a":{"b":[1]},"c":[[1],{}]}')).toEqual({ a: { b: [1] }, c: [[1], {}] });
  });

  it.each([
    '',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{"a" 1}',
    '{a:1}',
    '{}x',
    '{"a":1}}',
    '{"a":tru}',
    '[1',
  ])('the entries of a JSON object are rejected if the text is not JSON: %s', (text) =>
    expect(() => parseJson(text)).toThrow(SyntaxError),
  );
});
