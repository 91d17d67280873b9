import { describe, expect, it } from 'vitest';
import { bitsText, bytesNumber, counted, countText, listText, say, strong, valueText, withGroups } from './words.ts';

const VALUES = [
  0,
  -0,
  3,
  -12,
  0.621,
  -1.4,
  99.99,
  99.999,
  123.4,
  65_504,
  0.0123,
  -0.0073,
  0.0196,
  0.00003,
  -3e38,
  Infinity,
  -Infinity,
  Number.NaN,
];
const MESSAGES = [
  'TwELL of 28672 × 8192 with 117440512 non-zeros',
  'found 12345, expected a whole number from -32768 to 32767',
  'line 1234: found the end after 5000 of 5001 entries',
  'found shape (4096, 11008) of f4, 999 bytes',
  // Quoted texts, names, addresses, fractions, times and seeds are no counts: they stay as they are.
  "line 2: found '28672', expected ‘10000’ or “20000”",
  'model-00001-of-10002.safetensors, w.1024.weight, 4096x4096',
  'http://localhost:5173/models/1234/a?n=2048#1000',
  '1234.5 and 0.00012 and 2048:1, seed 20261, f8_1234',
  '28 672 rows',
];

it('values, counts, bits, lists and messages have the expected texts', async () => {
  const written = [
    VALUES.map((value) => `${Object.is(value, -0) ? '-0' : value} is ${valueText(value)}`).join('; '),
    [0, 999, 1000, 157_286, 1_234_567].map(countText).join('; '),
    [counted(1, 'value'), counted(3, 'value'), counted(0, 'entry', 'entries')].join('; '),
    [64, 12, 1].map(bitsText).join('; '),
    [[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listText).join('; '),
    ...MESSAGES.map(withGroups),
  ];
  await expect(`${written.join('\n')}\n`).toMatchFileSnapshot('words/written.txt');
});

it('a value never needs more than six characters', () => {
  for (let exponent = -45; exponent <= 38; exponent++) {
    for (const digits of [1, 1.5, 4.9999, 9.99999])
      expect(valueText(-digits * 10 ** exponent).length).toBeLessThanOrEqual(6);
  }
});

describe('say', () => {
  it('keeps strong words separate and joins everything else', () => {
    expect(say`Row ${2} holds ${strong(0.5)} in column ${'7'}.`).toEqual([
      { text: 'Row 2 holds ' },
      { text: '0.5', strong: true },
      { text: ' in column 7.' },
    ]);
  });

  it('returns no empty text', () => expect(say`${strong('all')}`).toEqual([{ text: 'all', strong: true }]));
});

it('bytesNumber groups digits before a decimal point as it groups those of a whole number', () => {
  expect([0, 2.5, 1692, 1676.25, 12_345.678_9].map(bytesNumber)).toEqual([
    '0',
    '2.5',
    '1\u202f692',
    '1\u202f676.25',
    '12\u202f345.679',
  ]);
});
