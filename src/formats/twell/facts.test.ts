import { describe, expect, it } from 'vitest';
import { denseMatrix } from '../../core/matrix/index.ts';
import { columnsMatrix } from '../../../test/matrices.ts';
import { oddsText, statistics } from './facts.ts';
import { twell } from './index.ts';

it('odds are written short', () => {
  expect([0.5, 0.0284, 0.00099, 6e-34, 0].map(oddsText)).toEqual([
    '50\u202f%',
    '2.8\u202f%',
    '1e\u22123',
    '6e\u221234',
    '0',
  ]);
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
      unconverted: 0,
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
      'L1 term of the loss: 1.0e\u22124',
      'columns without a non-zero: 13',
    ]);
    expect(twell.facts?.(twell.encode(denseMatrix(0, 20, new Float32Array(0)), p))).toEqual([]);
  });

  it('apply equation 2 and the warm-up of the paper to the magnitudes', () => {
    const noteOf = (start: string): string | undefined =>
      twell.facts?.(e).find(({ label }) => label.startsWith(start))?.note;
    expect(noteOf('sum of magnitudes')).toContain('equation 2 also divides by 20: 0.25.');
    expect(noteOf('L1 term')).toContain('of the warm-up: 0.0015, fifteen times as much (the paper says ten).');
  });

  it('count what is in tiles for which the published conversion has no lane, if there are any', () => {
    const last = (cols: number): number[] => [0, cols - 2, cols - 1];
    const factOf = (cols: number): string | undefined =>
      twell
        .facts?.(twell.encode(columnsMatrix(cols, [last(cols)]), p))
        .filter(({ label }) => label.startsWith('non-zeros beyond'))
        .map(({ label, value, note = '' }) => `${label}: ${value}. ${note}`)[0];
    expect(factOf(32 * 8)).toBeUndefined();
    expect(factOf(34 * 8)).toMatch(/^non-zeros beyond tile 31: 2\. .* drops the last 2 tiles of 34\.$/);
  });
});
