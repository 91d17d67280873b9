import { expect, it } from 'vitest';
import type { FiredToken } from '../service/types.ts';
import { countedWords, countFired } from './counted.ts';

const fired = (...layers: readonly (readonly number[])[]): FiredToken => ({
  piece: 'a',
  layers: layers.map((neurons) => ({
    neurons: Uint16Array.from(neurons),
    values: Float32Array.from(neurons, () => 1),
  })),
});
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

it('counts what fires in a text, layer by layer', () => {
  const counted = countFired([fired(upTo(32), [0, 9]), fired(upTo(8), [9])], 40);
  expect(counted).toMatchObject({ tokens: 2, neurons: 40, mean: 10.75, tiles: 2 });
  expect(counted?.meanByLayer).toEqual([20, 1.5]);
  expect(counted?.maxByLayer).toEqual([32, 2]);
  expect(counted?.tilesOver).toEqual([1, 0]);
  expect(counted?.deadByLayer.map(({ length }) => length)).toEqual([8, 38]);
  expect(counted?.counts).toEqual([
    [0, 1, 0, 0, 1, 0],
    [2, 0, 0, 0, 0, 0],
  ]);
  expect(countFired([], 40)).toBeNull();
});

it('is told in a sentence', () => {
  const counted = countFired([fired(upTo(32), [0, 9]), fired(upTo(8), [9])], 40);
  const words = counted ? countedWords('Tiny OPT', counted) : [];
  const text = words.map((word) => (typeof word === 'string' ? word : word.text)).join('');
  expect(text).toBe('11 of 40 neurons a layer fire while Tiny OPT writes these 2 tokens, from 2 to 20 by layer.');
});
