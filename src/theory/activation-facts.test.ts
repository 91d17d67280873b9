import { expect, it } from 'vitest';
import { magnitudeFact, meanInThreeDigits, perRowFact } from './activation-facts.ts';

it('means have three digits, or are whole', () => {
  expect([0, 4, 3.14159, 99.96, 1234.5, 5632].map(meanInThreeDigits)).toEqual([
    '0',
    '4',
    '3.14',
    '100',
    '1\u202f235',
    '5\u202f632',
  ]);
});

it('facts report the longest row, and magnitudes divided by the columns', () => {
  expect(perRowFact(2.5, { row: 1, count: 5 })).toEqual({
    label: 'non-zeros per row (L0)',
    value: '2.50',
    note: 'At most 5, in row 1.',
  });
  expect(magnitudeFact(1250.5, 2000)).toMatchObject({
    value: '1\u202f251',
    note: expect.stringContaining('also divides by 2\u202f000: 0.63.') as string,
  });
});
