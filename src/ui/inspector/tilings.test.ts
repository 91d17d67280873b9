import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { formatById, formats } from '../../formats/registry.ts';
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
  ])('%s tiles of %d, %d : 1, hold %d non-zeros', (layout, tileWidth, compression, capacity) => {
    const params = { ...usual, layout, tileWidth, compression };
    expect(tilingOf(twell, params, 5632)).toEqual({ cols: 5632, width: tileWidth, capacity });
  });

  it('is nothing for formats without tiles, and for a matrix without columns', () => {
    for (const format of formats) {
      const tiling = tilingOf(format, defaultParams<Record<string, unknown>>(format.params), 100);
      if (!('tileWidth' in format.params)) expect(tiling).toBeNull();
    }
    expect(tilingOf(twell, usual, 0)).toBeNull();
  });
});

describe('tilingComparisons', () => {
  it('has every parameter that changes what a tile row holds, with the option that is set', () => {
    const comparisons = tilingComparisons(twell, usual, 5632);
    expect(comparisons.map((c) => c.name)).toEqual(['tileWidth', 'compression', 'layout']);
    for (const { options } of comparisons) expect(options.filter((option) => option.current)).toHaveLength(1);
    expect(comparisons[1].options.map(({ tiling }) => tiling.capacity)).toEqual([127, 63, 31]);
  });
});
