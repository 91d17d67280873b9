import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../../core/format.ts';
import { denseMatrix } from '../../../core/matrix/index.ts';
import { formatById, formats } from '../../../formats/registry.ts';
import { paramFields } from '../../../state/index.ts';
import { tilingComparisons, tilingOf } from './tilings.ts';

const twell = formatById('twell');
const usual = defaultParams<Record<string, unknown>>(twell.params);

describe('tilingOf', () => {
  it.each([
    ['packed', 256, 8, 31],
    ['split', 256, 8, 32],
    ['packed', 256, 2, 127],
    ['split', 8, 8, 1],
    ['packed', 8, 8, 0],
  ])('%s tiles of %d, %d : 1, fit %d non-zeros', (layout, tileWidth, compression, capacity) => {
    const params = { ...usual, layout, tileWidth, compression };
    expect(tilingOf(twell, params, 5632)).toEqual({ cols: 5632, width: tileWidth, capacity });
  });

  it('tilingOf is null for formats without tiles, and for a matrix without columns', () => {
    for (const format of formats) {
      const tiling = tilingOf(format, defaultParams<Record<string, unknown>>(format.params), 100);
      if (!('tileWidth' in format.params)) expect(tiling).toBeNull();
    }
    expect(tilingOf(twell, usual, 0)).toBeNull();
  });
});

describe('tiles', () => {
  it('agree with every format and every option on the non-zeros that fit in a row of one tile', () => {
    const tiled = formats.filter(({ tiles }) => tiles !== undefined);
    expect(tiled.length).toBeGreaterThan(0);
    for (const format of tiled) {
      const start = defaultParams<Record<string, unknown>>(format.params);
      for (const [name, field] of paramFields(format.params)) {
        for (const { value } of field.kind === 'choice' ? field.options : []) {
          const params = { ...start, [name]: value };
          const { width, capacity } = format.tiles?.(params) ?? { width: 0, capacity: 0 };
          const isSupported = (count: number): boolean =>
            format.admits(denseMatrix(1, width, new Float32Array(width).fill(1, 0, count)), params).ok;
          expect([name, value, isSupported(capacity), isSupported(capacity + 1)]).toEqual([name, value, true, false]);
        }
      }
    }
  });
});

describe('tilingComparisons', () => {
  it('tilingComparisons has every parameter that changes the capacity of a tile row, with the current option', () => {
    const comparisons = tilingComparisons(twell, usual, 5632);
    expect(comparisons.map((c) => c.name)).toEqual(['tileWidth', 'compression', 'layout']);
    for (const { options } of comparisons) expect(options.filter((option) => option.current)).toHaveLength(1);
    expect(comparisons[1].options.map(({ tiling }) => tiling.capacity)).toEqual([127, 63, 31]);
  });
});
