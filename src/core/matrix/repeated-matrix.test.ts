import fc from 'fast-check';
import { expect, it } from 'vitest';
import { generate } from '../../generate/generate.ts';
import { toDense } from './index.ts';
import { RepeatedMatrix } from './repeated-matrix.ts';

it('repeats the rows of the band, and counts them', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (bandRows, rows, cols, density) => {
        const band = generate({ pattern: 'uniform', rows: bandRows, cols, density, seed: 3 });
        const cells = toDense(band);
        const repeated = new RepeatedMatrix(band, rows);
        const expected = Array.from({ length: rows * cols }, (_, i) => cells[i % (bandRows * cols)]);
        expect([...toDense(repeated)]).toEqual(expected);
        expect(repeated.nnz).toBe(expected.filter((v) => v !== 0).length);
      },
    ),
  );
});

it('repeats a tile both ways, and cuts it at the edges', () => {
  fc.assert(
    fc.property(
      fc.record({ rows: fc.integer({ min: 1, max: 9 }), cols: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ rows: fc.integer({ min: 1, max: 30 }), cols: fc.integer({ min: 1, max: 30 }) }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (small, { rows, cols }, density) => {
        const tile = generate({ pattern: 'uniform', ...small, density, seed: 3 });
        const cells = toDense(tile);
        const repeated = new RepeatedMatrix(tile, rows, cols);
        const cellAt = (row: number, col: number): number =>
          cells[(row % small.rows) * small.cols + (col % small.cols)];
        const expected = Array.from({ length: rows * cols }, (_, i) => cellAt(Math.floor(i / cols), i % cols));
        expect([...toDense(repeated)]).toEqual(expected);
        expect(repeated.nnz).toBe(expected.filter((v) => v !== 0).length);
      },
    ),
  );
});
