// Statistics of the neurons that fire at each token: overflowing tiles of TwELL, means, frequencies, strongest
// values.

import { describe, expect, test } from 'vitest';
import type { FiredLayer, FiredToken } from '../service/types.ts';
import {
  extremeTokens,
  strongestFirings,
  meanFired,
  pieceText,
  ranksByFrequency,
  overflowingTiles,
  valueAt,
} from './firing-tokens.ts';

/** Returns a layer in which these neurons fire. */
function layerOf(...fired: readonly (readonly [neuron: number, value: number])[]): FiredLayer {
  return {
    neurons: Uint16Array.from(fired, ([neuron]) => neuron),
    values: Float32Array.from(fired, ([, value]) => value),
  };
}

/** Returns a layer in which `count` consecutive neurons fire. */
function range(from: number, count: number): FiredLayer {
  return layerOf(...Array.from({ length: count }, (_, i) => [from + i, 1] as const));
}

const TOKENS: readonly FiredToken[] = [
  { piece: ' cat', layers: [layerOf([3, 1], [7, 2]), layerOf([0, 1])] },
  { piece: 's', layers: [layerOf([7, -4]), layerOf()] },
  { piece: ' cat', layers: [layerOf([2, 1], [7, 3]), layerOf([0, 1], [5, 1])] },
];

describe('tiles of TwELL, 256 neurons each', () => {
  test('overflow with 32 firing neurons, not with 31', () => {
    expect([overflowingTiles(range(256, 31)), overflowingTiles(range(256, 32))]).toEqual([[], [1]]);
  });

  test('count their own neurons of a range that spans two tiles', () => {
    expect([overflowingTiles(range(240, 40)), overflowingTiles(range(220, 80))]).toEqual([[], [0, 1]]);
  });
});

test('valueAt returns 0 for a neuron that does not fire', () => {
  expect([valueAt(TOKENS[1].layers[0], 7), valueAt(TOKENS[1].layers[0], 3)]).toEqual([-4, 0]);
});

test('the number of firing neurons of a token is the mean over its layers', () => {
  expect([TOKENS.map(meanFired), extremeTokens(TOKENS), extremeTokens([])]).toEqual([
    [1.5, 0.5, 2],
    { max: 2, min: 1 },
    null,
  ]);
});

test('ranksByFrequency ranks neurons by the number of tokens at which they fire, the most frequent first', () => {
  const ranks = ranksByFrequency(TOKENS, 0, 8);
  expect([ranks[7], [ranks[2], ranks[3]]]).toEqual([0, [1, 2]]);
  expect([...ranks].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('strongestFirings lists the largest magnitudes of a neuron, the same piece of text once', () => {
  const { count, strongest } = strongestFirings(TOKENS, 0, 7);
  expect(count).toBe(3);
  expect(strongest).toEqual([
    { token: 1, value: -4 },
    { token: 2, value: 3 },
  ]);
});

test('pieceText begins a token that continues a word with an ellipsis', () => {
  expect([pieceText('og'), pieceText(' dog'), pieceText('.'), pieceText('\n')]).toEqual(['…og', 'dog', '.', '↵']);
});
