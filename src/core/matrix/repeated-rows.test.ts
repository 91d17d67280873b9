import fc from 'fast-check';
import { expect, it } from 'vitest';
import { generate } from '../../generate/generate.ts';
import { toDense } from './index.ts';
import { RepeatedRows } from './repeated-rows.ts';

it('RepeatedRows repeats the rows of a matrix (the band), and counts all non-zeros', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (bandRows, rows, cols, density) => {
        const band = generate({ pattern: 'uniform', rows: bandRows, cols, density, seed: 3 });
        const cells = toDense(band);
        const repeated = new RepeatedRows(band, rows);
        const expected = Array.from({ length: rows * cols }, (_, i) => cells[i % (bandRows * cols)]);
        expect([...toDense(repeated)]).toEqual(expected);
        expect(repeated.nnz).toBe(expected.filter((v) => v !== 0).length);
      },
    ),
  );
});
