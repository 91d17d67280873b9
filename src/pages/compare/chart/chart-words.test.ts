import { expect, it } from 'vitest';
import { plainText } from '../../../../test/text-rules.ts';
import type { Words } from '../../../core/text/words.ts';
import { crossingWords, losslessText, sizeWords, type SpeedFacts, speedWords } from './chart-words.ts';

const text = (words: readonly Words[]): string => plainText(words).replaceAll('\u202f', ' ');

/** Ranges of densities with the fastest format in each, from texts such as 'dense i4 0.3 0.5'. */
const stretchesOf = (...spans: readonly string[]) =>
  spans.map((span) => {
    const [, winner, from, to] = /^(.+) (\S+) (\S+)$/.exec(span) ?? [];
    return { winner, from: Number(from), to: Number(to) };
  });

const SPEED: SpeedFacts = {
  deviceName: 'NVIDIA H200, recorded',
  formats: 9,
  reference: 'dense',
  formatStretches: stretchesOf('MACKO 0.02 0.678', 'dense 0.678 0.9'),
  stretchesWithDense: stretchesOf('MACKO 0.02 0.303', 'dense i4 0.303 0.9'),
  quantised: ['i8', 'i4'].map((type) => ({ title: `dense ${type}`, isTimed: true })),
};

it('the texts of the charts name the fastest format, where formats are smaller, and the crossings by bytes alone', async () => {
  const oneAfterAnother = {
    formatStretches: stretchesOf('EC-SpMV 0.1 0.2', 'MACKO 0.2 0.5'),
    stretchesWithDense: stretchesOf('MACKO 0.1 0.2', 'dense i8 0.2 0.3', 'dense i4 0.3 0.5'),
  };
  const dense = stretchesOf('dense 0.1 0.5');
  const untimed = SPEED.quantised.map((item) => ({ ...item, isTimed: false }));
  const fastestText = (changed: Partial<SpeedFacts>) => text(speedWords({ ...SPEED, ...changed }));
  const facts = { title: 'MACKO', evenAt: 0.76, startsSmaller: true, supportedUpTo: 1, isRandom: true };
  const never = { ...facts, title: 'TwELL', evenAt: null, startsSmaller: false };
  const [macko, csr] = [
    { title: 'MACKO', rule: 'dense i4', share: 0.19 },
    { title: 'CSR', rule: 'dense i4', share: 0.123 },
  ];
  const output = {
    'of those that were compared': fastestText({}),
    'one after another': fastestText(oneAfterAnother),
    'none is faster than dense, nor fewer bits': fastestText({
      formatStretches: dense,
      stretchesWithDense: dense,
      quantised: [SPEED.quantised[0]],
    }),
    'fewer bits were timed and are slower': fastestText({ stretchesWithDense: SPEED.formatStretches }),
    'fewer bits were not timed': fastestText({ quantised: untimed }),
    'nothing was timed': fastestText({ formatStretches: [], stretchesWithDense: [] }),
    'two are smaller': text(sizeWords([facts, { ...facts, title: 'CSR', evenAt: 0.5 }])),
    'one never is': text(sizeWords([never])),
    'one holds no more': text(sizeWords([{ ...never, startsSmaller: true, supportedUpTo: 0.75 }])),
    'one holds no more in its pattern': text(
      sizeWords([{ ...never, startsSmaller: true, supportedUpTo: 0.75, isRandom: false }]),
    ),
    'one always is': text(sizeWords([{ ...never, startsSmaller: true }])),
    'no sizes': text(sizeWords([])),
    'bytes alone': text(crossingWords([macko, csr])),
    'no bytes': text(crossingWords([])),
  };
  const lines = Object.entries(output).map(([situation, words]) => `${situation}\n  ${words}\n`);
  await expect(lines.join('')).toMatchFileSnapshot('words/charts.txt');
});

it('states what a lossless code leaves of weights, and of f16 after rounding to bf16', () => {
  const words = (type: 'bf16' | 'f16', bits: number): string =>
    losslessText({ type, exponentBits: 2.567, bits, bitsAsBf16: 10.567 });
  expect(words('f16', 13.567)).toContain(
    'exponents of 2.57 bits (entropy), with sign and mantissa 13.6 bits a weight in f16, 0.85 of',
  );
  expect(words('f16', 13.567)).toContain('Rounded to bf16, as most models are: 10.6, 0.66.');
  expect(words('bf16', 10.567)).toContain('10.6 bits a weight in bf16, 0.66 of f16. Decoding takes time');
});
