// The layout of the raster (neurons by token), and which tokens are visible.

import { describe, expect, test } from 'vitest';
import { markAt, rasterPlan, firstColumn } from './raster.ts';

describe('the layout of the raster', () => {
  test('has space for every layer, most for the open layer, without overlap', () => {
    const { layers, columns, columnWidth, height } = rasterPlan(850, 6, 2, false);
    expect(columns * columnWidth).toBeLessThanOrEqual(850);
    for (const [i, { top, height: layerHeight }] of layers.entries()) {
      expect(top + layerHeight).toBeLessThanOrEqual(layers[i + 1]?.top ?? height);
      if (i !== 2) expect(layerHeight).toBeLessThan(layers[2].height);
    }
  });

  test('shows 24 tokens and one layer on a phone', () => {
    const { layers, columns, columnWidth } = rasterPlan(340, 6, 4, true);
    expect(columns).toBe(24);
    expect(columns * columnWidth).toBeCloseTo(340);
    expect(layers.filter(({ height }) => height > 0)).toEqual([layers[4]]);
  });
});

describe('the visible tokens', () => {
  test('follow the current token while the model writes', () => {
    expect([firstColumn(null, 0, 1, 70), firstColumn(null, 100, 101, 70)]).toEqual([0, 37]);
  });

  test.for([
    [10, 10],
    [9, 9],
    [79, 10],
    [80, 11],
  ])('move as little as necessary for token %i: from %i on', ([currentToken, expected]) => {
    expect(firstColumn(10, currentToken, 300, 70)).toBe(expected);
  });

  test('end with the last token', () => {
    expect(firstColumn(290, 299, 300, 70)).toBe(230);
  });
});

test('the mark under the pointer is the nearest neuron that fires, also in another order', () => {
  const plan = rasterPlan(240, 2, 0, false);
  const layer = { neurons: Uint16Array.of(10, 700), values: Float32Array.of(1.5, 2) };
  const silent = { neurons: new Uint16Array(0), values: new Float32Array(0) };
  const tokens = [{ piece: 'a', layers: [layer, silent] }];
  const { top, height } = plan.layers[0];
  const pointOf = (neuron: number): readonly [number, number] => [3, top + (neuron / 768) * height];
  expect(markAt(plan, tokens, 0, 768, null, pointOf(10))).toEqual({ token: 0, layer: 0, neuron: 10, value: 1.5 });
  expect(markAt(plan, tokens, 0, 768, null, pointOf(300))).toBeNull();
  expect(markAt(plan, tokens, 0, 768, null, [15, top])).toBeNull();
  const turned = [Uint16Array.from({ length: 768 }, (_, i) => 767 - i), new Uint16Array(768)];
  expect(markAt(plan, tokens, 0, 768, turned, pointOf(757))?.neuron).toBe(10);
});
