// The speed of a feed-forward block by the share of its firing neurons, and the texts about it.

import { plainText } from '../../../../test/text-rules.ts';
import { describe, expect, it } from 'vitest';
import type { FiringCounts } from './firing-counts.ts';
import { shippedFiring } from '../../test/offers.ts';
import { correlation, speedByLayer, speedWords } from './speed-by-layer.ts';

const record = shippedFiring();
const text = (counted: FiringCounts): string => plainText(speedWords(speedByLayer(counted)));

describe('speed by layer', () => {
  it('equals the recorded block with the same share of firing neurons, including dead ones and overflows', () => {
    const layers = speedByLayer(record);
    const active = layers.map(({ meanActive }) => meanActive.toFixed(1));
    expect(active).toEqual(['42.5', '15.0', '14.5', '11.6', '7.6', '7.1']);
    expect(layers.map(({ speed }) => speed?.toFixed(2))).toEqual(['1.99', '2.53', '2.54', '2.62', '2.73', '2.75']);
    expect(layers.map(({ deadNeurons }) => deadNeurons)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(layers[0].overflowShare).toBeCloseTo(43_067 / 391_080, 12);
  });

  it('states the correlation of speed and firing neurons next to that of the paper', () => {
    expect(text(record)).toBe(
      'The more neurons fire in a layer, the slower its block, down to 1.99×: correlation −0.997. The paper’s figure 6 has −0.996.',
    );
  });

  it('makes no claim about layers outside of the recording', () => {
    const [few, many] = [0.001, 0.2].map((share) => share * 768);
    const counted = { ...record, meanByLayer: [few, many, 7, 8, 9, 20] };
    expect(speedByLayer(counted).map(({ speed }) => speed === null)).toEqual([true, true, false, false, false, false]);
    expect(text(counted)).toContain('2 layers fire outside of the 0.53 to 7.1 % that were recorded.');
    expect(text({ ...counted, meanByLayer: [few, few, few, many, 7, 7] })).toMatch(
      /^Too few layers to compare\. 4 layers/,
    );
  });
});

it('correlation returns the Pearson correlation coefficient, or null if it is undefined', () => {
  expect(correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 12);
  expect(correlation([1, 2, 3], [6, 4, 2])).toBeCloseTo(-1, 12);
  // By hand: 4 / √(5 · 5).
  expect(correlation([1, 2, 3, 4], [1, 3, 2, 4])).toBeCloseTo(0.8, 12);
  expect([correlation([1, 2], [1, 2]), correlation([1, 1, 1], [1, 2, 3])]).toEqual([null, null]);
});
