// countFired: firing neurons of a text, by layer.

import { expect, it } from 'vitest';
import type { FiredToken } from '../service/types.ts';
import { countFired } from './firing-counts.ts';

const fired = (...layers: readonly (readonly number[])[]): FiredToken => ({
  piece: 'a',
  layers: layers.map((neurons) => ({
    neurons: Uint16Array.from(neurons),
    values: Float32Array.from(neurons, () => 1),
  })),
});
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

it('countFired counts the firing neurons of a text by layer', () => {
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
