import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultWindow, fitWindow, windowProblem } from './window.ts';

const extent = fc.oneof(fc.nat(70), fc.nat(100_000));
const shape = fc.record({ rows: extent, cols: extent });

describe('defaultWindow', () => {
  it('defaultWindow is the whole matrix if that is small or has no cells', () => {
    expect(defaultWindow({ rows: 64, cols: 64, firstEntry: null })).toEqual({ row: 0, col: 0, rows: 64, cols: 64 });
    expect(defaultWindow({ rows: 0, cols: 5, firstEntry: null })).toEqual({ row: 0, col: 0, rows: 0, cols: 5 });
  });

  it('defaultWindow is 5 × 32 cells from the first row that has entries', () => {
    expect(defaultWindow({ rows: 4096, cols: 4096, firstEntry: { row: 100, col: 9 } })).toEqual({
      row: 100,
      col: 0,
      rows: 5,
      cols: 32,
    });
    expect(defaultWindow({ rows: 4096, cols: 4096, firstEntry: { row: 4095, col: 4090 } })).toEqual({
      row: 4091,
      col: 4064,
      rows: 5,
      cols: 32,
    });
  });

  it('begins at the column of the first entry if that is past the first 32 columns', () => {
    const windowFrom = (col: number) => defaultWindow({ rows: 100, cols: 100, firstEntry: { row: 0, col } });
    expect([31, 32, 33].map((col) => windowFrom(col).col)).toEqual([0, 32, 33]);
  });

  it('contains the first entry and is a window of the matrix', () => {
    const withEntry = shape.chain(({ rows, cols }) =>
      fc.record({
        rows: fc.constant(rows),
        cols: fc.constant(cols),
        firstEntry:
          rows === 0 || cols === 0
            ? fc.constant(null)
            : fc.option(fc.record({ row: fc.nat(rows - 1), col: fc.nat(cols - 1) })),
      }),
    );
    fc.assert(
      fc.property(withEntry, (summary) => {
        const window = defaultWindow(summary);
        expect(windowProblem(window, summary)).toBeNull();
        if (!summary.firstEntry) return;
        const { row, col } = summary.firstEntry;
        expect(row >= window.row && row < window.row + window.rows).toBe(true);
        expect(col >= window.col && col < window.col + window.cols).toBe(true);
      }),
    );
  });
});

describe('fitWindow', () => {
  it('returns a window of the matrix for any position, and keeps one that fits', () => {
    const integer = fc.integer({ min: -1000, max: 200_000 });
    const window = fc.record({ row: integer, col: integer, rows: integer, cols: integer });
    fc.assert(
      fc.property(window, shape, (wanted, matrix) => {
        const fitted = fitWindow(wanted, matrix);
        expect([windowProblem(fitted, matrix), fitWindow(fitted, matrix)]).toEqual([null, fitted]);
      }),
    );
  });

  it('moves a window before shrinking it', () => {
    const matrix = { rows: 100, cols: 2000 };
    expect(fitWindow({ row: 98, col: -3, rows: 5, cols: 900 }, matrix)).toEqual({
      row: 95,
      col: 0,
      rows: 5,
      cols: 819,
    });
    expect(fitWindow({ row: 0, col: 0, rows: 70, cols: 70 }, matrix)).toEqual({ row: 0, col: 0, rows: 64, cols: 64 });
  });
});

describe('windowProblem', () => {
  const matrix = { rows: 100, cols: 200 };
  it.each([
    [
      { row: 0, col: 0, rows: 65, cols: 1 },
      'window: found 65 × 1 cells at row 0, column 0, expected at most 64 rows and 4096 cells.',
    ],
    [
      { row: 0, col: 0, rows: 5, cols: 820 },
      'window: found 5 × 820 cells at row 0, column 0, expected at most 64 rows and 4096 cells.',
    ],
    [
      { row: 0, col: 0, rows: 0, cols: 1 },
      'window: found 0 × 1 cells at row 0, column 0, expected at least 1 × 1 cells.',
    ],
    [
      { row: 96, col: 10, rows: 5, cols: 32 },
      'window: found 5 × 32 cells at row 96, column 10, expected a position within the matrix of 100 × 200.',
    ],
  ])('reports what is wrong with %j', (window, text) => {
    expect(windowProblem(window, matrix)).toBe(text);
  });
});
