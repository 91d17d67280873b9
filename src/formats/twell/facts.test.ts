import { describe, expect, it } from 'vitest';
import { uniformMatrix } from '../../../test/matrices.ts';
import { denseMatrix } from '../../core/matrix/index.ts';
import { Random } from '../../core/random.ts';
import { oddsText, statistics } from './facts.ts';
import { twell } from './index.ts';
import { overflowOf } from './overflow.ts';
import { rowOverflowOdds } from './odds.ts';

describe('the odds of an overflow', () => {
  it('are those of the definition at 400 and 500 non-zeros of 5632', () => {
    expect(rowOverflowOdds(400, 5632, 256, 31)).toBeCloseTo(0.03, 2);
    expect(rowOverflowOdds(500, 5632, 256, 31)).toBeCloseTo(0.5, 1);
  });

  it('add up by hand in small tiles', () => {
    expect(rowOverflowOdds(4, 8, 4, 2)).toBeCloseTo(1 - (11 / 16) ** 2, 12);
    expect(rowOverflowOdds(5, 10, 4, 2)).toBeCloseTo(1 - (11 / 16) ** 2, 12);
    expect([rowOverflowOdds(0, 0, 4, 2), rowOverflowOdds(8, 8, 4, 2)]).toEqual([0, 1]);
  });

  it('are what random matrices do', () => {
    const random = new Random(5);
    let overflowing = 0;
    const rows = 4000;
    const m = uniformMatrix(rows, 64, 0.25, random.u32());
    const byRow = overflowOf(m, 16, 7)?.byRow ?? new Uint32Array(rows);
    for (const tiles of byRow) if (tiles > 0) overflowing++;
    const expected = rowOverflowOdds(16, 64, 16, 7);
    // Five standard deviations of a share measured in 4000 rows.
    expect(Math.abs(overflowing / rows - expected)).toBeLessThan(5 * Math.sqrt((expected * (1 - expected)) / rows));
  });

  it('are written short', () => {
    expect([0.5, 0.0284, 0.00099, 6e-34, 0].map(oddsText)).toEqual(['50 %', '2.8 %', '1e\u22123', '6e\u221234', '0']);
  });
});

describe('the facts of a matrix', () => {
  const p = { layout: 'split', tileWidth: 8, compression: 2, valueType: 'bf16' } as const;
  const cells = new Float32Array(40);
  for (const at of [0, 1, 9, 24, 25, 26, 39]) cells[at] = at % 2 === 0 ? 2 : -1;
  const e = twell.encode(denseMatrix(2, 20, cells), p);

  it('name the longest row, the fullest tile row, dead columns and the magnitudes', () => {
    expect(statistics(e)).toEqual({
      longestRow: { row: 1, count: 4 },
      fullestTile: { row: 1, tile: 0, count: 3 },
      deadColumns: 13,
      l1PerRow: 5,
    });
  });

  it('are the same for both layouts, and none without cells', () => {
    const packed = twell.encode(denseMatrix(2, 20, cells), { ...p, layout: 'packed' });
    expect(statistics(packed)).toEqual(statistics(e));
    const texts = twell.facts?.(e).map(({ label, value }) => `${label}: ${value}`);
    expect(texts).toEqual([
      'non-zeros per row (L0): 3.50',
      'non-zeros per tile row: 1.17',
      expect.stringMatching(/^odds that a row overflows: /),
      'sum of magnitudes per row (L1): 5',
      'columns without a non-zero: 13',
    ]);
    expect(twell.facts?.(twell.encode(denseMatrix(0, 20, new Float32Array(0)), p))).toEqual([]);
  });
});
