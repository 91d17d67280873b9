import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csrOf } from '../../../test/matrices.ts';
import { finish } from '../../core/job.ts';
import { type Matrix, subMatrix, toCsr } from '../../core/matrix/index.ts';
import { generate } from '../../generate/generate.ts';
import { prunedWindow, rankingOf } from '../../state/session/live-pruning.ts';
import type { Pruning } from './source-types.ts';
import { pruningRankSteps } from './pruning-ranks.ts';
import { pruneSteps } from './pruning.ts';
import { cases } from '../../../test/scheduled.ts';

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
  return csrOf([rows, cols], indptr, indices, data);
}

const prunings: fc.Arbitrary<Pruning> = fc.oneof(
  fc.record({
    way: fc.constantFrom('magnitude', 'rows', 'wanda'),
    density: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  fc.record({
    way: fc.constant('random' as const),
    density: fc.double({ min: 0, max: 1, noNaN: true }),
    seed: fc.nat({ max: 2 ** 32 - 1 }),
  }),
  fc
    .tuple(fc.integer({ min: 1, max: 16 }), fc.nat())
    .map(([group, kept]) => ({ way: 'n-of-m' as const, group, kept: 1 + (kept % group) })),
);

it('a window pruned by ranks equals the window of the pruned matrix', () => {
  fc.assert(
    fc.property(matrices, prunings, fc.nat(), fc.nat(), (m, pruning, a, b) => {
      const row = a % m.rows;
      const col = b % m.cols;
      const region = { row, col, rows: m.rows - row, cols: Math.max(1, (m.cols - col) >> 1) };
      const norms = Float32Array.from({ length: m.cols }, (_, c) => [1, 0.5, 3][(a + c) % 3]);
      const ranked = { baseNumber: 1, ...finish(pruningRankSteps(m, region, rankingOf(pruning), norms)) };
      const expected = subMatrix(finish(pruneSteps(m, pruning, norms)), region);
      const { indptr, indices, data } = prunedWindow(ranked, pruning, m);
      expect({ indptr, indices, data }).toEqual({
        indptr: expected.indptr,
        indices: expected.indices,
        data: expected.data,
      });
    }),
    { numRuns: cases(400, 1500) },
  );
});

it('prunes by activations only where they are known', () => {
  const m = fromCells(1, 2, [1, 2]);
  const region = { row: 0, col: 0, rows: 1, cols: 2 };
  const text = 'pruning by Wanda: found no activations for this matrix';
  expect(() => finish(pruneSteps(m, { way: 'wanda', density: 0.5 }))).toThrow(text);
  expect(() => finish(pruningRankSteps(m, region, { way: 'wanda' }))).toThrow(text);
  const pruned = finish(pruneSteps(m, { way: 'wanda', density: 0.5 }, Float32Array.of(3, 1)));
  expect([...toCsr(pruned).indices]).toEqual([0]);
});

it('rejects a group of more than 64 columns', () => {
  const region = { row: 0, col: 0, rows: 1, cols: 1 };
  expect(() => finish(pruningRankSteps(fromCells(1, 1, [1]), region, { way: 'n-of-m', group: 65 }))).toThrow(
    'pattern: found 1:65, expected whole numbers N:M with 1 <= N <= M <= 64',
  );
});

it('yields while it ranks a window of a large matrix, so that the pass can be cancelled', () => {
  const m = generate({ pattern: 'magnitude', rows: 1500, cols: 1500, density: 0.5, seed: 3 });
  const steps = pruningRankSteps(m, { row: 700, col: 700, rows: 64, cols: 64 }, { way: 'magnitude' });
  expect(steps.next().done).toBe(false);
});
