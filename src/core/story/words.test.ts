import { describe, expect, it } from 'vitest';
import { bitsText, counted, countText, listText, say, strong, valueText } from './words.ts';

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
