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

function layerOf(...fired: readonly (readonly [neuron: number, value: number])[]): FiredLayer {
  return {
    neurons: Uint16Array.from(fired, ([neuron]) => neuron),
    values: Float32Array.from(fired, ([, value]) => value),
  };
}

function range(from: number, count: number): FiredLayer {
  return layerOf(...Array.from({ length: count }, (_, i) => [from + i, 1] as const));
}

const TOKENS: readonly FiredToken[] = [
  { piece: ' cat', layers: [layerOf([3, 1], [7, 2]), layerOf([0, 1])] },
  { piece: 's', layers: [layerOf([7, -4]), layerOf()] },
  { piece: ' cat', layers: [layerOf([2, 1], [7, 3]), layerOf([0, 1], [5, 1])] },
];

describe('tiles', () => {
  test('contain at most 31 non-zeros', () => {
    expect([overflowingTiles(range(256, 31)), overflowingTiles(range(256, 32))]).toEqual([[], [1]]);
  });

  test('are of 256 neurons: what lies across two counts for each', () => {
    expect([overflowingTiles(range(240, 40)), overflowingTiles(range(220, 80))]).toEqual([[], [0, 1]]);
  });
});

test('a neuron is 0 where it does not fire', () => {
  expect([valueAt(TOKENS[1].layers[0], 7), valueAt(TOKENS[1].layers[0], 3)]).toEqual([-4, 0]);
});

test('a token fires the mean over its layers', () => {
  expect([TOKENS.map(meanFired), extremeTokens(TOKENS), extremeTokens([])]).toEqual([
    [1.5, 0.5, 2],
    { max: 2, min: 1 },
    null,
  ]);
});

test('by frequency, neurons that fire at most tokens come first, and none is lost', () => {
  const ranks = ranksByFrequency(TOKENS, 0, 8);
  expect([ranks[7], [ranks[2], ranks[3]]]).toEqual([0, [1, 2]]);
  expect([...ranks].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('a neuron fires most where it is largest by magnitude, each piece once', () => {
  const { count, strongest } = strongestFirings(TOKENS, 0, 7);
  expect(count).toBe(3);
  expect(strongest).toEqual([
    { token: 1, value: -4 },
    { token: 2, value: 3 },
  ]);
});

test('a piece that continues a word begins with dots', () => {
  expect([pieceText('og'), pieceText(' dog'), pieceText('.'), pieceText('\n')]).toEqual(['…og', 'dog', '.', '↵']);
});
