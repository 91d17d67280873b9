import { expect, it } from 'vitest';
import { densityText, probabilityText, percentOf, roughDensityText } from './shares.ts';

const plain = (text: string): string => text.replaceAll('\u202f', ' ');

it('a share in a text has two digits', () => {
  expect([0.8, 0.0534, 0.126, 0.0449, 0.67, 1].map((left) => plain(roughDensityText(left)))).toEqual([
    '80 %',
    '5.3 %',
    '13 %',
    '4.5 %',
    '67 %',
    '100 %',
  ]);
});

it('a density has three digits, and odds have three however small they are', () => {
  expect([0.5, 0.02, 0.57, 0.005, 1, 0.125, 0.0001, 0.12345].map((left) => plain(densityText(left)))).toEqual([
    '50 %',
    '2 %',
    '57 %',
    '0.5 %',
    '100 %',
    '12.5 %',
    '0.01 %',
    '12.3 %',
  ]);
  expect([0.001, 0.000_999].map((share) => plain(probabilityText(share)))).toEqual(['0.1 %', '1.0e−3']);
  expect([0.07, 0.29].map(percentOf)).toEqual([7, 29]);
});
