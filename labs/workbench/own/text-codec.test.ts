// The text form in which answers of a child process are sent.

import { expect, test } from 'vitest';
import { fromText, toText } from './text-codec.ts';

test('fromText restores a value that toText wrote', () => {
  const value = {
    ask: 'encode',
    lists: [Uint8Array.of(0, 255, 10), new Uint16Array(0), Uint32Array.of(2 ** 32 - 1)],
    deep: { f: Float32Array.of(Number.NaN, -0, Infinity), d: Float64Array.from({ length: 20_000 }, (_, i) => i / 3) },
    words: 'a\nb \u{1f600}',
  };
  expect(fromText(toText(value))).toEqual(value);
});

test('fromText rejects a text with fewer bytes than it states', () => {
  const text = (json: string): string => `${json.length}\n${json}`;
  for (const length of [1, -1, 1e9, 0.5]) {
    expect(() => fromText(text(`{"list":"Uint32Array","length":${length}}`))).toThrow(RangeError);
  }
  expect(fromText(text('{"list":"constructor","length":1}'))).toEqual({ list: 'constructor', length: 1 });
  for (const nothing of ['', 'x', '5\n{', '-3\n{}']) expect(() => fromText(nothing)).toThrow(SyntaxError);
});
