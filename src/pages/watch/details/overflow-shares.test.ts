import { describe, expect, it } from 'vitest';
import { tileRowOverflowShare } from '../../../theory/overflow-odds.ts';
import { compareOverflow, oddsText, tableMeans } from './overflow-shares.ts';
import { probabilityText } from '../../../kit/words/shares.ts';

describe('compareOverflow', () => {
  // Two tiles of 4 that fit 2 each: rows 1100 0000, 1110 0000, 1110 0001.
  const histograms = {
    rows: Uint32Array.of(0, 0, 1, 1, 1),
    tileRows: Uint32Array.of(2, 1, 1, 2, 0),
    fullest: Uint32Array.of(0, 0, 1, 2, 0),
  };
  const tiling = { cols: 8, width: 4, capacity: 2 };

  it('counts the tile rows and rows that overflow', () => {
    expect(compareOverflow(tiling, histograms)).toMatchObject({
      perRow: 3,
      actual: { tileRows: 1 / 3, rows: 2 / 3 },
      tileRows: { count: 2, total: 6 },
      rows: { count: 2, total: 3 },
    });
  });

  it('compares with independent non-zeros, with one mean and with the counts of the rows', () => {
    // P(more than 2 of 4) = 4 p^3 q + p^4
    const tail = (p: number): number => 4 * p ** 3 * (1 - p) + p ** 4;
    const comparison = compareOverflow(tiling, histograms);
    expect(comparison?.independent.tileRows).toBeCloseTo(tail(3 / 8), 12);
    expect(comparison?.independent.rows).toBeCloseTo(1 - (1 - tail(3 / 8)) ** 2, 12);
    expect(comparison?.ownCounts.tileRows).toBeCloseTo((tail(2 / 8) + tail(3 / 8) + tail(4 / 8)) / 3, 12);
  });

  it('is null for a matrix without rows', () => {
    const empty = new Uint32Array(0);
    expect(
      compareOverflow(tiling, { rows: empty, tileRows: new Uint32Array(5), fullest: new Uint32Array(5) }),
    ).toBeNull();
  });
});

it.each([
  [0, '0'],
  [1, '100\u202f%'],
  [0.5053, '50.5\u202f%'],
  [0.03, '3\u202f%'],
  [1.13e-33, '1.1e\u221233'],
])('a share of %d is written %s', (share, text) => {
  expect(probabilityText(share)).toBe(text);
});

it('oddsText writes a probability too small for a number as less than the smallest, not as 0', () => {
  const tiling = { cols: 5632, width: 256, capacity: 127 };
  expect(oddsText(tiling, tileRowOverflowShare(tiling, 1))).toBe('< 1e\u2212300');
  expect(oddsText({ ...tiling, cols: 100 }, tileRowOverflowShare({ ...tiling, cols: 100 }, 1))).toBe('0');
  expect(oddsText(tiling, 0.5)).toBe('50\u202f%');
});

it('tableMeans has round means, the means of the paper and that of the matrix', () => {
  expect(tableMeans(5632, 60.5)).toEqual([1, 2, 5, 10, 20, 29, 50, 60.5, 100, 200, 400, 500, 1000, 2000, 5000, 5632]);
  expect(tableMeans(1, 0)).toEqual([1]);
});
