import { describe, expect, test } from 'vitest';
import { evenDensities, meanDensity } from '../../../language/stored/recipe.ts';
import { SHIPPED_MODELS } from '../../../theory/models/shipped-models.ts';
import type { SearchFound } from '../service/quality-types.ts';
import { foundWords, layerDensity, recordedTries, searchedTries, withLayerDensity } from './Densities.tsx';

const [{ shape }] = SHIPPED_MODELS;
const even = evenDensities(0.5, shape.layers);

describe('densities of layers', () => {
  test('a layer set to a share keeps it, and the differences between its kinds', () => {
    const uneven = even.map((row) => ({ ...row, q: 0.6, down: 0.4 }));
    const next = withLayerDensity(uneven, 2, 0.7, shape);
    expect(layerDensity(next, 2, shape)).toBeCloseTo(0.7, 3);
    expect(next[2].q - next[2].down).toBeCloseTo(0.2, 3);
    expect(next[1]).toBe(uneven[1]);
    const all = withLayerDensity(uneven, 0, 1, shape);
    expect(Object.values(all[0]).every((density) => density <= 1)).toBe(true);
    expect(meanDensity({ way: 'rows', density: withLayerDensity(even, 0, 0.8, shape) }, shape)).toBeCloseTo(0.55, 6);
  });

  const found = (changes: Partial<SearchFound>): SearchFound => ({
    densities: withLayerDensity(withLayerDensity(even, 0, 0.58, shape), 5, 0.42, shape),
    tries: 7,
    heldOut: { mean: -12.3, se: 2, low: -16.1, high: -8.2 },
    isGain: true,
    ...changes,
  });

  test('a gain is told with its interval', () => {
    expect(foundWords(found({}), shape, 0.5)).toBe(
      'layer 0 0.58, layer 5 0.42: gains 12.30 bits a tale on tales that the search has not seen (between 8.20 and 16.10).',
    );
  });

  test('what could be chance is not called a gain', () => {
    const words = foundWords(
      found({ isGain: false, heldOut: { mean: -0.05, se: 0.2, low: -0.4, high: 0.3 } }),
      shape,
      0.5,
    );
    expect(words).toContain('too little to tell from nothing (between −0.30 and 0.40)');
    expect(
      foundWords(found({ isGain: false, heldOut: { mean: 0.1, se: 0.2, low: -0.3, high: 0.5 } }), shape, 0.5),
    ).toContain('loses 0.10 bits a tale');
    const none = found({ densities: even, isGain: false, heldOut: { mean: 0, se: 0, low: 0, high: 0 } });
    expect(foundWords(none, shape, 0.5)).toBe('None of 7 moves was better than the same density everywhere.');
  });

  test('tries are told against the same density everywhere, the best one marked', () => {
    const recorded = recordedTries([
      { name: 'even', bytes: 0.5, lost: 165 },
      { name: 'a', bytes: 0.5, lost: 123 },
      { name: 'b', bytes: 0.5, lost: 193 },
    ]);
    expect(recorded).toEqual([
      { name: 'a', lost: -42, isBest: true },
      { name: 'b', lost: 28, isBest: false },
    ]);
    const difference = { mean: -2, se: 1, low: -4, high: 0 };
    const to = { layer: 0 } as const;
    const tries = [
      { to, from: { kinds: ['q', 'k', 'v', 'o'] as const }, by: 0.08, difference, texts: 12, isKept: true },
      {
        to,
        from: { kinds: ['down'] as const },
        by: 0.04,
        difference: { ...difference, mean: 5 },
        texts: 4,
        isKept: false,
      },
    ];
    // What was given up early was not measured on the same tales.
    expect(searchedTries(tries, 12)).toEqual([{ name: 'layer 0 +.08 from attention', lost: -2, isBest: true }]);
  });
});
