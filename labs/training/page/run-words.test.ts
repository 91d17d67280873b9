// Texts and saved files of a training run of the gated network.

import { expect, test } from 'vitest';
import { runCsv, runJson } from './run-export.ts';
import { pointWords, testWords, trainingWords } from './run-words.ts';

const POINT = { step: 120, l1: 0.03, loss: 0.5, accuracy: 0.94, mean: 46.2, max: 83, dead: 154, overflowing: 0 };
const text = (words: ReturnType<typeof pointWords>): string => words.map((word) => word.text).join('');

test('the text of a run contains its progress and its result', () => {
  expect(text(pointWords(POINT))).toBe(
    'After 120 of 500 steps, 46.2 of 1\u202f024 neurons fire for an image, 94\u202f% of images are recognised, and 154 neurons are dead.',
  );
  const settings = { seed: 81, reinitialises: true, warmsUp: false };
  const l1Changes = [0.03, 0].map((l1, i) => ({ step: 120 * i, l1 }));
  expect(text(testWords({ ...settings, l1Changes }, { accuracy: 0.979, mean: 623.2, max: 672, dead: 1 }))).toBe(
    'With L1 0.03, from step 120 on 0, dead neurons reinitialised, 623 of 1\u202f024 neurons fire for an image. Of 4\u202f000 test images 97.9\u202f% are recognised, and 1 neuron fires for none of them.',
  );
});

test('a run is saved as CSV with a line for a point, and as JSON with its settings', () => {
  expect(runCsv({ points: [POINT] })).toBe(
    'step,l1,loss,accuracy,mean,max,dead,overflowing\r\n120,0.03,0.5,0.94,46.2,83,154,0\r\n',
  );
  const settings = { seed: 81, l1Changes: [{ step: 0, l1: 0.03 }], reinitialises: false, warmsUp: false };
  expect(JSON.parse(runJson({ settings, points: [POINT], test: null }))).toEqual({
    schema: 1,
    settings,
    points: [POINT],
    test: null,
  });
});

test.each([
  ['nothing has run', {}, /^Train, and see how many/],
  ['a run is in progress', { last: POINT }, /^After 120 of 500 steps/],
  ['a run failed before its first point', { error: 'Training failed: why.' }, /^Training failed: why\.$/],
  [
    'a run failed later',
    { last: POINT, error: 'Training failed: why.' },
    /^Training failed: why\. After 120 of 500 steps/,
  ],
  ['a run was cancelled', { last: POINT, isCancelled: true }, /^Training was cancelled\. After 120 of 500 steps/],
  ['a run was cancelled before its first point', { isCancelled: true }, /^Training was cancelled\.$/],
])('the headline of the page Training when %s', (_, facts, expected) => {
  const settings = { seed: 81, l1Changes: [{ step: 0, l1: 0.03 }], reinitialises: false, warmsUp: false };
  const nothing = { settings, test: null, last: undefined, error: null, isCancelled: false };
  expect(text(trainingWords({ ...nothing, ...facts }))).toMatch(expected);
});
