import { expect, it } from 'vitest';
import { matrixOf } from '../../../../test/matrices.ts';
import { stepEncoded, stepMultiplying } from '../../../story/declared/trace.ts';
import type { SlideSparseTrace } from './facts.ts';
import { story } from './index.ts';

const P68 = { halfGroup: 4, valueType: 'f16' } as const;
/** The story of a row whose second window is full, so that the third stores a value that the second sees. */
const t = story.trace(matrixOf([0.9, 0, -0.4, 1.2, 0.3, -0.7, 0, 0.5, 3, 0]), P68) as SlideSparseTrace;

const lifted = (step: number) => story.scene(t, step).panels.find(({ id }) => id === 'lifted');
const texts = (step: number) =>
  lifted(step)?.marks.flatMap(({ shape, text, focus }) => (shape === 'box' ? [`${focus ? '*' : ''}${text}`] : []));

it('the panel of lifted x repeats x as 0 1 2 3, 2 3 4 5, 4 5 6 7, and lights up the element of the current product', () => {
  const x = Array.from(t.x, (value) => String(value).replace('-', '\u2212').replace('0.', '.'));
  const columns = [0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7];
  // Column 3 meets its weight in window 1, slot 1: the window before it is full.
  expect(texts(stepMultiplying(t, 0, 3))).toEqual(columns.map((c, i) => (i === 5 ? `*${x[c]}` : x[c])));
  expect(lifted(stepMultiplying(t, 0, 3))?.caption).toBe('group 0: 8 columns in 12 slots');
});

it('the panel of lifted x has zeros past the last column, and exists only in steps that multiply', () => {
  expect(
    texts(stepMultiplying(t, 0, 8))
      ?.map((text) => text.replace('*', ''))
      .filter((text) => text === '0'),
  ).toHaveLength(10);
  expect(lifted(stepEncoded(t))).toBeUndefined();
  expect(lifted(t.steps.length)).toBeUndefined();
});
