import { expect, it } from 'vitest';
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

it('says who is the fastest, where formats are smaller, and what bytes alone say', async () => {
  const oneAfterAnother = {
    ofFormats: [
      { winner: 'EC-SpMV', from: 0.1, to: 0.2 },
      { winner: 'MACKO', from: 0.2, to: 0.5 },
    ],
    withDense: [
      { winner: 'MACKO', from: 0.1, to: 0.2 },
      { winner: 'dense i8', from: 0.2, to: 0.3 },
      { winner: 'dense i4', from: 0.3, to: 0.5 },
    ],
  };
  const dense = [{ winner: 'dense', from: 0.1, to: 0.5 }];
  const untimed = SPEED.quantised.map((one) => ({ ...one, isTimed: false }));
  const fastest = (changed: Partial<SpeedFacts>) => text(speedWords({ ...SPEED, ...changed }));
  const facts = { title: 'MACKO', evenAt: 0.76, startsSmaller: true, heldUpTo: 1 };
  const never = { ...facts, title: 'TwELL', evenAt: null, startsSmaller: false };
  const [macko, csr] = [
    { title: 'MACKO', rule: 'dense i4', at: 0.19 },
    { title: 'CSR', rule: 'dense i4', at: 0.123 },
  ];
  const said = {
    'of those that were compared': fastest({}),
    'one after another': fastest(oneAfterAnother),
    'none is faster than dense, nor fewer bits': fastest({
      ofFormats: dense,
      withDense: dense,
      quantised: [SPEED.quantised[0]],
    }),
    'fewer bits were timed and are slower': fastest({ withDense: SPEED.ofFormats }),
    'fewer bits were not timed': fastest({ quantised: untimed }),
    'nothing was timed': fastest({ ofFormats: [], withDense: [] }),
    'two are smaller': text(sizeWords([facts, { ...facts, title: 'CSR', evenAt: 0.5 }])),
    'one never is': text(sizeWords([never])),
    'one holds no more': text(sizeWords([{ ...never, startsSmaller: true, heldUpTo: 0.75 }])),
    'one always is': text(sizeWords([{ ...never, startsSmaller: true }])),
    'no sizes': text(sizeWords([])),
    'bytes alone': text(crossingWords([macko, csr])),
    'no bytes': text(crossingWords([])),
  };
  const lines = Object.entries(said).map(([of, words]) => `${of}\n  ${words}\n`);
  await expect(lines.join('')).toMatchFileSnapshot('words/charts.txt');
});
