import { describe, expect, it } from 'vitest';
import { bitsText, counted, countText, listText, say, strong, valueText, withGroups } from './words.ts';

describe('valueText', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [3, '3'],
    [-12, '−12'],
    [0.621, '0.62'],
    [-1.4, '−1.40'],
    [99.99, '99.99'],
    [99.999, '100'],
    [123.4, '123'],
    [65504, '7e4'],
    [0.0123, '0.012'],
    [-0.0073, '−0.007'],
    [0.0196, '0.02'],
    [0.00003, '3e−5'],
    [-3e38, '−3e38'],
    [Number.POSITIVE_INFINITY, '∞'],
    [Number.NEGATIVE_INFINITY, '−∞'],
    [Number.NaN, 'NaN'],
  ])('shows %d as %s', (value, text) => {
    expect(valueText(value)).toBe(text);
  });

  it('never takes more than six characters', () => {
    for (let exponent = -45; exponent <= 38; exponent++) {
      for (const digits of [1, 1.5, 4.9999, 9.99999]) {
        expect(valueText(-digits * 10 ** exponent).length).toBeLessThanOrEqual(6);
      }
    }
  });
});

describe('countText', () => {
  it('puts a narrow space between groups of three digits', () => {
    expect([0, 999, 1000, 157286, 1234567].map(countText)).toEqual([
      '0',
      '999',
      '1\u202f000',
      '157\u202f286',
      '1\u202f234\u202f567',
    ]);
  });
});

describe('counted', () => {
  it('distinguishes one from many', () => {
    expect([counted(1, 'value'), counted(3, 'value'), counted(0, 'entry', 'entries')]).toEqual([
      '1 value',
      '3 values',
      '0 entries',
    ]);
  });
});

describe('bitsText', () => {
  it('counts bytes, and bits where bytes are not whole', () => {
    expect([bitsText(64), bitsText(12), bitsText(1)]).toEqual(['8 B', '12 bits', '1 bit']);
  });
});

describe('listText', () => {
  it('joins with commas and a last and', () => {
    expect([listText([]), listText(['a']), listText(['a', 'b']), listText(['a', 'b', 'c'])]).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
    ]);
  });
});

describe('withGroups', () => {
  it.each([
    ['TwELL of 28672 × 8192 with 117440512 non-zeros', 'TwELL of 28 672 × 8 192 with 117 440 512 non-zeros'],
    [
      'found 12345, expected a whole number from -32768 to 32767',
      'found 12 345, expected a whole number from -32 768 to 32 767',
    ],
    ['line 1234: found the end after 5000 of 5001 entries', 'line 1 234: found the end after 5 000 of 5 001 entries'],
    ['found shape (4096, 11008) of f4, 999 bytes', 'found shape (4 096, 11 008) of f4, 999 bytes'],
    // What is quoted, names, addresses, fractions, times and seeds are no counts.
    ["line 2: found '28672', expected ‘10000’ or “20000”", "line 2: found '28672', expected ‘10000’ or “20000”"],
    [
      'model-00001-of-10002.safetensors, w.1024.weight, 4096x4096',
      'model-00001-of-10002.safetensors, w.1024.weight, 4096x4096',
    ],
    ['http://localhost:5173/models/1234/a?n=2048#1000', 'http://localhost:5173/models/1234/a?n=2048#1000'],
    ['1234.5 and 0.00012 and 2048:1, seed 20261, f8_1234', '1234.5 and 0.00012 and 2048:1, seed 20261, f8_1234'],
    ['28 672 rows', '28 672 rows'],
  ])('%s', (message, written) => {
    expect(withGroups(message).replaceAll('\u202f', ' ')).toBe(written);
  });
});

describe('say', () => {
  it('keeps strong words separate and joins everything else', () => {
    expect(say`Row ${2} holds ${strong(0.5)} in column ${'7'}.`).toEqual([
      { text: 'Row 2 holds ' },
      { text: '0.5', strong: true },
      { text: ' in column 7.' },
    ]);
  });

  it('has no empty words', () => {
    expect(say`${strong('all')}`).toEqual([{ text: 'all', strong: true }]);
  });
});
