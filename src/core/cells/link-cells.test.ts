import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINK_CELLS_BOUNDS } from '../bounds/bounds.ts';
import { type CsrMatrix, toDense } from '../matrix/index.ts';
import { matrixOfCells } from './edited-cells.ts';
import { exactText, linkCellsText, linkShapeProblem, readLinkCells, withRegion } from './link-cells.ts';

const value = fc.float({ noNaN: true, noDefaultInfinity: true }).filter((item) => item !== 0);

/** A matrix of up to 8 × 12 cells, each with an f32 value or empty. */
const matrix: fc.Arbitrary<CsrMatrix> = fc
  .record({ rows: fc.integer({ min: 1, max: 8 }), cols: fc.integer({ min: 1, max: 12 }) })
  .chain(({ rows, cols }) =>
    fc
      .array(fc.array(fc.option(value), { minLength: cols, maxLength: cols }), { minLength: rows, maxLength: rows })
      .map((all) =>
        matrixOfCells(
          cols,
          all.map((row) => row.flatMap((item, col) => (item === null ? [] : [{ col, value: item }]))),
        ),
      ),
  );

describe('the text of a matrix in a link', () => {
  it('is read as the same matrix, bit for bit', () => {
    fc.assert(
      fc.property(matrix, (m) => {
        const text = linkCellsText(m);
        expect(text).not.toBeNull();
        expect(readLinkCells(text ?? '', m.rows, m.cols)).toEqual(m);
      }),
      { seed: 1 },
    );
  });

  it('has the shortest decimal of each value', () => {
    expect([0.1, 1 / 3, -2, 1e-45, 3.4028234663852886e38, 16777217].map((one) => exactText(Math.fround(one)))).toEqual([
      '0.1',
      '0.33333334',
      '-2',
      '1e-45',
      '3.4028235e+38',
      '16777216',
    ]);
  });

  it('has COLUMN:VALUE for each non-zero, semicolons between them, and commas between rows', () => {
    const m = matrixOfCells(4, [
      [
        { col: 1, value: 0.5 },
        { col: 3, value: -2 },
      ],
      [],
      [{ col: 0, value: 1e-3 }],
    ]);
    expect(linkCellsText(m)).toBe('1:0.5;3:-2,,0:0.001');
  });

  it('is null just above its bounds, and read just within them', () => {
    // Each cell takes 3 characters and a separator.
    const full = (nnz: number): CsrMatrix =>
      matrixOfCells(
        10,
        Array.from({ length: nnz / 10 }, () => Array.from({ length: 10 }, (_, col) => ({ col, value: 1 }))),
      );
    const most = full(LINK_CELLS_BOUNDS.length / 4);
    expect(linkCellsText(most)).toHaveLength(LINK_CELLS_BOUNDS.length - 1);
    expect(linkCellsText(full(LINK_CELLS_BOUNDS.length / 4 + 10))).toBeNull();
    const { side } = LINK_CELLS_BOUNDS;
    expect(linkShapeProblem(1, side)).toBeNull();
    expect(linkShapeProblem(1, side + 1)).toMatch(/found 1 × 4097, expected at most 4096/);
    expect(linkShapeProblem(0, 3)).toMatch(/expected at least 1 × 1/);
    expect(linkShapeProblem(side, 256)).toBeNull();
    expect(linkShapeProblem(side, 257)).toMatch(/cells/);
    expect(linkCellsText(matrixOfCells(2, [[{ col: 0, value: Number.POSITIVE_INFINITY }]]))).toBeNull();
  });

  it.each([
    ['1:0.5', 2, 4, 'cells: found 1 row, expected 2'],
    ['1:0.5,x', 2, 4, "row 1: found 'x', expected COLUMN:VALUE such as 4:-0.5"],
    ['1:0.5,4:1', 2, 4, 'row 1: found column 4, expected at most 3'],
    ['2:1;1:1', 1, 4, 'row 0: found column 1 after column 2, expected ascending ones'],
    ['2:1;2:1', 1, 4, 'row 0: found column 2 after column 2, expected ascending ones'],
    ['2:0', 1, 4, "row 0, column 2: found '0', expected a number other than 0 in the range of f32"],
    ['2:1e39', 1, 4, "row 0, column 2: found '1e39', expected a number other than 0 in the range of f32"],
    ['2:1e-60', 1, 4, "row 0, column 2: found '1e-60', expected a number other than 0 in the range of f32"],
    ['2:0x1', 1, 4, "row 0, column 2: found '0x1', expected a number other than 0 in the range of f32"],
    ['', 5000, 1, 'shape: found 5000 × 1, expected at most 4096 rows and columns'],
    ['1'.repeat(4001), 1, 1, /^cells: found 4.001 characters, expected at most 4.000$/],
  ])('is rejected with the position of its first fault: %s', (text, rows, cols, message) => {
    expect(() => readLinkCells(text, rows, cols)).toThrow(message);
  });
});

it('withRegion replaces the cells that the region covers', () => {
  const m = matrixOfCells(4, [
    [
      { col: 0, value: 1 },
      { col: 2, value: 2 },
    ],
    [{ col: 3, value: 3 }],
  ]);
  const region = matrixOfCells(2, [[{ col: 0, value: 7 }]]);
  expect([...toDense(withRegion(m, { row: 0, col: 1 }, region))]).toEqual([1, 7, 0, 0, 0, 0, 0, 3]);
});
