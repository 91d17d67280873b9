import fc from 'fast-check';
import { expect, it } from 'vitest';
import { finish } from '../core/job.ts';
import { denseMatrix, toCsr, toDense } from '../core/matrix/index.ts';
import { generate } from './generate.ts';
import { pruneAtRandomSteps } from './prune-random.ts';
import { pruneRowsSteps } from './prune-rows.ts';

const cells = fc.integer({ min: 1, max: 9 }).chain((cols) =>
  fc.record({
    cols: fc.constant(cols),
    data: fc.array(fc.oneof(fc.float({ noNaN: true }), fc.integer({ min: -3, max: 3 })), {
      minLength: 4 * cols,
      maxLength: 4 * cols,
    }),
  }),
);

it('keeps the largest magnitudes of every row, of equal ones the first', () => {
  fc.assert(
    fc.property(cells, fc.double({ min: 0, max: 1, noNaN: true }), ({ cols, data }, density) => {
      const all = Float32Array.from(data, (v) => v + 0);
      const pruned = toDense(finish(pruneRowsSteps(denseMatrix(4, cols, all), density)));
      const expected = new Float32Array(4 * cols);
      for (let r = 0; r < 4; r++) {
        const columns = Array.from({ length: cols }, (_, c) => r * cols + c);
        columns.sort((a, b) => Math.abs(all[b]) - Math.abs(all[a]) || a - b);
        for (const at of columns.slice(0, Math.round(density * cols))) expected[at] = all[at] === 0 ? 0 : all[at];
      }
      expect(pruned).toEqual(expected);
    }),
  );
});

it('keeps as many entries at random as asked for, with their values, the same for the same seed', () => {
  const m = generate({ pattern: 'uniform', rows: 40, cols: 50, density: 0.5, seed: 1 });
  const cellsBefore = toDense(m);
  const pruned = finish(pruneAtRandomSteps(m, 0.1, 7));
  expect(pruned.nnz).toBe(200);
  toDense(pruned).forEach((v, i) => expect([0, cellsBefore[i]]).toContain(v));
  expect(toCsr(finish(pruneAtRandomSteps(m, 0.1, 7)))).toEqual(toCsr(pruned));
  expect(toCsr(finish(pruneAtRandomSteps(m, 0.1, 8)))).not.toEqual(toCsr(pruned));
  expect(finish(pruneAtRandomSteps(m, 1, 7))).toBe(m);
});

it('spreads what it keeps evenly', () => {
  const m = denseMatrix(100, 100, new Float32Array(10_000).fill(1));
  const { indptr } = toCsr(finish(pruneAtRandomSteps(m, 0.25, 3)));
  // half of the rows hold 1250 of 2500; a deviation above 4 standard deviations (22 each) would be a mistake
  expect(Math.abs(indptr[50] - 1250)).toBeLessThan(90);
});

it('refuses densities outside of 0 to 1', () => {
  const m = denseMatrix(1, 1, Float32Array.of(1));
  for (const density of [-0.1, 1.1, Number.NaN]) {
    const sentence = `density: found ${density}, expected a number from 0 to 1`;
    expect(() => finish(pruneRowsSteps(m, density))).toThrow(sentence);
    expect(() => finish(pruneAtRandomSteps(m, density, 1))).toThrow(sentence);
  }
});
