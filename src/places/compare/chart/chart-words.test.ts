import { describe, expect, it } from 'vitest';
import type { Words } from '../../../core/story/scene.ts';
import { crossingWords, sizeWords, type SpeedFacts, speedWords } from './chart-words.ts';

const text = (words: readonly Words[]): string =>
  words
    .map((word) => word.text)
    .join('')
    .replaceAll('\u202f', ' ');

const SPEED: SpeedFacts = {
  on: 'NVIDIA H200, recorded',
  formats: 9,
  reference: 'dense',
  ofFormats: [
    { winner: 'MACKO', from: 0.02, to: 0.678 },
    { winner: 'dense', from: 0.678, to: 0.9 },
  ],
  withDense: [
    { winner: 'MACKO', from: 0.02, to: 0.303 },
    { winner: 'dense i4', from: 0.303, to: 0.9 },
  ],
  quantised: [
    { title: 'dense i8', isTimed: true },
    { title: 'dense i4', isTimed: true },
  ],
};

describe('who is the fastest', () => {
  it.each<[string, Partial<SpeedFacts>, string]>([
    [
      'of those that were compared',
      {},
      'On NVIDIA H200, recorded, of 9 formats with 16-bit values MACKO is the fastest from 2 % to 68 %. Dense i4, unpruned, is faster still from 30 % to 90 %.',
    ],
    [
      'one after another',
      {
        ofFormats: [
          { winner: 'EC-SpMV', from: 0.1, to: 0.2 },
          { winner: 'MACKO', from: 0.2, to: 0.5 },
        ],
        withDense: [
          { winner: 'MACKO', from: 0.1, to: 0.2 },
          { winner: 'dense i8', from: 0.2, to: 0.3 },
          { winner: 'dense i4', from: 0.3, to: 0.5 },
        ],
      },
      'On NVIDIA H200, recorded, of 9 formats with 16-bit values EC-SpMV is the fastest from 10 % to 20 %, MACKO from 20 % to 50 %. Dense i8, unpruned, is faster still from 20 % to 30 %, dense i4 from 30 % to 50 %.',
    ],
    [
      'where none is faster than dense, nor fewer bits',
      {
        ofFormats: [{ winner: 'dense', from: 0.1, to: 0.5 }],
        withDense: [{ winner: 'dense', from: 0.1, to: 0.5 }],
        quantised: [SPEED.quantised[0]],
      },
      'On NVIDIA H200, recorded, of 9 formats with 16-bit values none is faster than dense, from 10 % to 50 %. Dense i8, unpruned, is nowhere faster.',
    ],
    [
      'where fewer bits were timed and are slower',
      { withDense: SPEED.ofFormats },
      'On NVIDIA H200, recorded, of 9 formats with 16-bit values MACKO is the fastest from 2 % to 68 %. Dense i8 and dense i4, unpruned, are nowhere faster.',
    ],
    [
      'where fewer bits were not timed',
      { quantised: SPEED.quantised.map((one) => ({ ...one, isTimed: false })) },
      'On NVIDIA H200, recorded, of 9 formats with 16-bit values MACKO is the fastest from 2 % to 68 %. Dense i8 and dense i4, unpruned, were not timed.',
    ],
    ['where nothing was timed', { ofFormats: [], withDense: [] }, ''],
  ])('%s', (_, changed, sentence) => {
    expect(text(speedWords({ ...SPEED, ...changed }))).toBe(sentence);
  });
});

it('says where formats are smaller, and does not call one smaller that never is', () => {
  const facts = { title: 'MACKO', evenAt: 0.76, startsSmaller: true, heldUpTo: 1 };
  expect(text(sizeWords([facts, { ...facts, title: 'CSR', evenAt: 0.5 }]))).toBe(
    'MACKO is smaller than f16 below 76 %, CSR below 50 %.',
  );
  const never = { ...facts, title: 'TwELL', evenAt: null, startsSmaller: false };
  expect(text(sizeWords([never]))).toBe('TwELL is smaller than f16 at no share.');
  expect(text(sizeWords([{ ...never, startsSmaller: true, heldUpTo: 0.75 }]))).toBe(
    'TwELL is smaller than f16 up to 75 %, all that it holds.',
  );
  expect(text(sizeWords([{ ...never, startsSmaller: true }]))).toBe('TwELL is smaller than f16 at every share.');
  expect(sizeWords([])).toEqual([]);
});

it('calls what bytes alone say by that name', () => {
  const [macko, csr] = [
    { title: 'MACKO', rule: 'dense i4', at: 0.19 },
    { title: 'CSR', rule: 'dense i4', at: 0.123 },
  ];
  expect(text(crossingWords([macko, csr]))).toBe('By bytes, MACKO passes dense i4 below 19 %, CSR 12 %.');
  expect(crossingWords([])).toEqual([]);
});
