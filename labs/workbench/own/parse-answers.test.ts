import { describe, expect, test } from 'vitest';
import { rejectionOf } from '../../../test/io/rejections.ts';
import { parseArrays, parseDecoding, parseDescription, parseEncoding, type UserArray } from './parse-answers.ts';
import { elementType } from '../../../src/core/declared/element-type.ts';

// The parsers of the sandbox's answers accept only what the protocol allows, since a user's module may forge an answer.

const array = (name: string, type: string): UserArray => {
  const parsedType = elementType(type);
  if (!parsedType) throw new Error(type);
  return { name, type: parsedType, byteClass: 'indices' };
};

const ARRAYS = [array('columns', 'u4')];
const SHAPE = { rows: 2, cols: 3 };
const encoding = (change: object): unknown => ({
  answer: 'encoded',
  arrays: [Uint8Array.of(1, 2)],
  padding: [0],
  stores: null,
  narrated: null,
  ...change,
});

describe('answers of a user’s module', () => {
  test('an encoding that matches the request is accepted', () => {
    expect(parseEncoding(encoding({}), ARRAYS, SHAPE)).toEqual({
      kind: 'done',
      result: {
        arrays: [{ array: ARRAYS[0], elements: Uint8Array.of(1, 2), padding: 0 }],
        stores: null,
        narrated: null,
      },
    });
  });

  test('encodings of another form are rejected', async () => {
    const changes = {
      'of another kind': { answer: 'decoded' },
      'without arrays': { arrays: null },
      'with a list of another type': { arrays: [Uint16Array.of(1)] },
      'with an array-like object instead of a list': { arrays: [{ length: 1, 0: 1 }] },
      'in memory that is shared': { arrays: [new Uint8Array(new SharedArrayBuffer(2))] },
      'that does not fit': { arrays: [Uint8Array.of(1, 16)] },
      'with too many elements': { arrays: [new Uint8Array(70_000)] },
      'with more padding than elements': { padding: [3] },
      'with part of an element': { padding: [0.5] },
    };
    const texts = Object.entries(changes).map(
      ([what, change]) => `${what}\n  ${rejectionOf(() => parseEncoding(encoding(change), ARRAYS, SHAPE), Error)}\n`,
    );
    await expect(texts.join('')).toMatchFileSnapshot('words/answers.txt');
  });

  test('stores into an array or element that does not exist, and steps out of order, are rejected', () => {
    const stores = {
      array: Uint8Array.of(0),
      at: Uint32Array.of(2),
      value: Float64Array.of(1),
      isPadding: Uint8Array.of(0),
      line: Uint32Array.of(1),
    };
    const answer = (change: object): unknown => encoding({ stores: { ...stores, ...change }, narrated: [] });
    expect(() => parseEncoding(answer({}), ARRAYS, SHAPE)).toThrow('store 0 is in no array');
    expect(() => parseEncoding(answer({ array: Uint8Array.of(1), at: Uint32Array.of(0) }), ARRAYS, SHAPE)).toThrow(
      'store 0 is in no array',
    );
    expect(() => parseEncoding(answer({ at: new Uint32Array(3) }), ARRAYS, SHAPE)).toThrow(
      'found 3 entries in at, expected 1',
    );
    const validStores = { ...stores, at: Uint32Array.of(1) };
    const steps = (narrated: unknown): unknown => encoding({ stores: validStores, narrated });
    expect(() => parseEncoding(steps([{ say: 'x', rows: [], column: null, stores: 2 }]), ARRAYS, SHAPE)).toThrow(
      'found steps out of their order',
    );
    const parsed = parseEncoding(
      steps([{ say: 'a\u202eb', rows: ['x', -1, 1], column: 1.5, stores: 1 }]),
      ARRAYS,
      SHAPE,
    );
    expect(parsed.kind === 'done' && parsed.result.narrated).toEqual([
      { say: 'a\ufffdb', rows: [1], column: null, stores: 1, line: 0 },
    ]);
  });

  test('decodings with cells outside the matrix, or reads of no element, are rejected', () => {
    const puts = { rows: Uint32Array.of(2), columns: Uint32Array.of(0), values: Float32Array.of(1) };
    expect(() => parseDecoding({ answer: 'decoded', puts }, SHAPE, [])).toThrow('cell 0 is outside the matrix');
    expect(() => parseDecoding({ answer: 'decoded', puts: { ...puts, rows: [0] } }, SHAPE, [])).toThrow(
      'found no list rows',
    );
    const inside = { ...puts, rows: Uint32Array.of(1) };
    const reads = { array: Uint8Array.of(0), at: Uint32Array.of(5), before: Uint32Array.of(0) };
    expect(() => parseDecoding({ answer: 'decoded', puts: inside, reads }, SHAPE, [5])).toThrow(
      'read 0 is of no element',
    );
    expect(parseDecoding({ answer: 'decoded', puts: inside, reads }, SHAPE, [6]).kind).toBe('done');
  });

  test('the message of a failure is shortened, and its direction marks are replaced', () => {
    expect(parseDescription({ answer: 'failed', message: `\u202e${'x'.repeat(9999)}`, line: -4 })).toEqual({
      kind: 'failed',
      message: `\ufffd${'x'.repeat(399)}`,
      line: 0,
    });
    for (const answer of [null, undefined, 7, 'encoded', [], new Map()]) {
      expect(() => parseDescription(answer)).toThrow("the module's answer: found null, expected described");
    }
  });
});

describe('descriptions of a user’s module', () => {
  const described = (title: unknown, params: unknown = []): unknown => ({ answer: 'described', title, params });

  test('descriptions and lists of arrays that break a rule are rejected with a message', async () => {
    const forbiddenParams = [
      Array(9).fill(['a', [1], '']),
      [['rows', [1], '']],
      [['__proto__', [1], '']],
      ['a', 'a'].map((name) => [name, [1], '']),
      [['a', [], '']],
      [['a', [1, {}], '']],
      [['a', [Number.NaN], '']],
    ];
    const descriptions = [
      ...[null, '  ', 'x'.repeat(99)].map((title) => described(title)),
      ...forbiddenParams.map((params) => described('x', params)),
    ];
    const arrayLists = [
      [],
      Array.from({ length: 17 }, (_, i) => [`a${i}`, 'u8 values']),
      [['a b', 'u8 values']],
      ...['u8', 'u64 values', 'u8 padding', null].map((type) => [['a', type]]),
      ['u8 values', 'u4 values'].map((type) => ['a', type]),
    ];
    const texts = [
      ...descriptions.map((answer) => rejectionOf(() => parseDescription(answer), Error)),
      ...arrayLists.map((arrays) => rejectionOf(() => parseArrays({ answer: 'arrays', arrays }), Error)),
    ];
    await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot('words/descriptions.txt');
  });
});
