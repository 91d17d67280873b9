import fc from 'fast-check';
import { expect, it } from 'vitest';
import { finish } from '../core/job.ts';
import { csrMatrix, type Matrix, subMatrix } from '../core/matrix/index.ts';
import { generate } from '../generate/generate.ts';
import { prunedWindow } from '../state/prune-preview.ts';
import type { Pruning } from './protocol.ts';
import { pruningRankSteps, type RankedWay } from './pruning-ranks.ts';
import { pruneSteps } from './pruning.ts';

const value = fc.oneof(
  fc.float({ noNaN: true }),
  fc.constantFrom(1, -1, 2, 1.0000001, Number.POSITIVE_INFINITY, Number.NaN, 1e-45),
);
const matrices = fc
  .record({ rows: fc.integer({ min: 1, max: 9 }), cols: fc.integer({ min: 1, max: 12 }) })
  .chain(({ rows, cols }) =>
    fc
      .array(fc.option(value, { nil: 0 }), { minLength: rows * cols, maxLength: rows * cols })
      .map((cells) => fromCells(rows, cols, cells)),
  );

function fromCells(rows: number, cols: number, cells: readonly number[]): Matrix {
  const indptr = [0];
  const indices: number[] = [];
  const data: number[] = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      if (cells[r * cols + c] === 0) continue;
      indices.push(c);
      data.push(cells[r * cols + c]);
    }
    indptr.push(indices.length);
  }
  return csrMatrix({
    rows,
    cols,
    indptr: Uint32Array.from(indptr),
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  });
}

it.each(['magnitude', 'rows'] as const)(
  '%s: a window pruned by ranks is that of the pruned matrix',
  (way: RankedWay) => {
    fc.assert(
      fc.property(matrices, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(), fc.nat(), (m, density, a, b) => {
        const row = a % m.rows;
        const col = b % m.cols;
        const region = { row, col, rows: m.rows - row, cols: Math.max(1, (m.cols - col) >> 1) };
        const pruning: Pruning = { way, density };
        const ranked = { generation: 1, ...finish(pruningRankSteps(m, region, way)) };
        const expected = subMatrix(finish(pruneSteps(m, pruning)), region);
        const { indptr, indices, data } = prunedWindow(ranked, pruning, m);
        expect({ indptr, indices, data }).toEqual({
          indptr: expected.indptr,
          indices: expected.indices,
          data: expected.data,
        });
      }),
      { numRuns: 500 },
    );
  },
);

it('ranks a window of a large matrix in one pass that can be left', () => {
  const m = generate({ pattern: 'magnitude', rows: 1500, cols: 1500, density: 0.5, seed: 3 });
  const steps = pruningRankSteps(m, { row: 700, col: 700, rows: 64, cols: 64 }, 'magnitude');
  expect(steps.next().done).toBe(false);
});
