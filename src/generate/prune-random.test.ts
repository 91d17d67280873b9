import fc from 'fast-check';
import { expect, it } from 'vitest';
import { finish } from '../core/job.ts';
import { csrMatrix, denseMatrix, toCsr, toDense } from '../core/matrix/index.ts';
import { generate } from './generate.ts';
import { pruneAtRandomSteps } from './prune.ts';

it('random pruning keeps the requested number of entries with their values, and the same ones for the same seed', () => {
  const m = generate({ pattern: 'uniform', rows: 40, cols: 50, density: 0.5, seed: 1 });
  const cellsBefore = toDense(m);
  const pruned = finish(pruneAtRandomSteps(m, 0.1, 7));
  expect(pruned.nnz).toBe(200);
  toDense(pruned).forEach((v, i) => expect([0, cellsBefore[i]]).toContain(v));
  expect(toCsr(finish(pruneAtRandomSteps(m, 0.1, 7)))).toEqual(toCsr(pruned));
  expect(toCsr(finish(pruneAtRandomSteps(m, 0.1, 8)))).not.toEqual(toCsr(pruned));
  expect(finish(pruneAtRandomSteps(m, 1, 7))).toBe(m);
});

it('random pruning keeps about as many entries in both halves of a matrix', () => {
  const m = denseMatrix(100, 100, new Float32Array(10_000).fill(1));
  const { indptr } = toCsr(finish(pruneAtRandomSteps(m, 0.25, 3)));
  // half of the rows have 1250 of 2500; a deviation above 4 standard deviations (22 each) would be a mistake
  expect(Math.abs(indptr[50] - 1250)).toBeLessThan(90);
});

const matrices = fc.integer({ min: 1, max: 9 }).chain((cols) =>
  fc.array(fc.constantFrom(0, 1, 2, 3), { minLength: 8 * cols, maxLength: 8 * cols }).map((cells) => ({
    cells: Float32Array.from(cells),
    cols,
  })),
);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const seed = fc.nat({ max: 2 ** 32 - 1 });

it('random pruning to a lower density keeps a subset of the entries kept at a higher density', () => {
  fc.assert(
    fc.property(matrices, share, share, seed, ({ cells, cols }, a, b, s) => {
      const m = denseMatrix(8, cols, cells);
      const few = finish(pruneAtRandomSteps(m, Math.min(a, b), s));
      const many = toDense(finish(pruneAtRandomSteps(m, Math.max(a, b), s)));
      expect(few.nnz).toBe(Math.min(m.nnz, Math.round(Math.min(a, b) * 8 * cols)));
      toDense(few).forEach((v, i) => expect([0, many[i]]).toContain(v));
    }),
  );
});

it('random pruning chooses the same cells for any values and any storage', () => {
  fc.assert(
    fc.property(matrices, share, seed, ({ cells, cols }, density, s) => {
      const dense = denseMatrix(8, cols, cells);
      const pruned = toCsr(finish(pruneAtRandomSteps(dense, density, s)));
      const negated = denseMatrix(
        8,
        cols,
        cells.map((v) => -v),
      );
      expect(toCsr(finish(pruneAtRandomSteps(csrMatrix(toCsr(dense)), density, s)))).toMatchObject({ ...pruned });
      expect(toCsr(finish(pruneAtRandomSteps(negated, density, s))).indices).toEqual(pruned.indices);
    }),
  );
});

it('random pruning chooses neighbouring cells independently of each other', () => {
  const n = 256;
  const kept = toDense(finish(pruneAtRandomSteps(denseMatrix(n, n, new Float32Array(n * n).fill(1)), 0.5, 5)));
  for (const [dr, dc] of [
    [0, 1],
    [1, 0],
    [1, 1],
    [1, -1],
    [0, 2],
    [2, 0],
  ]) {
    let sameCount = 0;
    for (let r = 2; r < n; r++)
      for (let c = 2; c < n; c++) sameCount += kept[r * n + c] === kept[(r - dr) * n + c - dc] ? 1 : 0;
    // of 64516 pairs half are the same; the standard deviation is 127
    expect(Math.abs(sameCount - 64_516 / 2)).toBeLessThan(5 * 127);
  }
});

it('random pruning rejects densities outside of 0 to 1', () => {
  const m = denseMatrix(1, 1, Float32Array.of(1));
  for (const density of [-0.1, 1.1, Number.NaN]) {
    expect(() => finish(pruneAtRandomSteps(m, density, 1))).toThrow(
      `density: found ${density}, expected a number from 0 to 1`,
    );
  }
});
