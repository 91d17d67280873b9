import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CancelledError } from '../core/errors.ts';
import { denseMatrix, toDense } from '../core/matrix/index.ts';
import { generate } from './generate.ts';
import { pruneByMagnitude } from './prune.ts';
import { cases } from '../../test/scheduled.ts';

it('keeps the largest magnitudes, of equal ones the first', () => {
  const value = fc.oneof(
    fc.float({ noNaN: true }),
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e-45, -1e-45, 0, -0),
  );
  const cells = fc.integer({ min: 1, max: 9 }).chain((cols) =>
    fc.integer({ min: 1, max: 9 }).chain((rows) =>
      fc.record({
        cols: fc.constant(cols),
        rows: fc.constant(rows),
        data: fc.array(value, { minLength: rows * cols, maxLength: rows * cols }).map((v) => Float32Array.from(v)),
      }),
    ),
  );
  fc.assert(
    fc.property(cells, fc.double({ min: 0, max: 1, noNaN: true }), ({ rows, cols, data }, density) => {
      const pruned = toDense(pruneByMagnitude(denseMatrix(rows, cols, data), density));
      const count = Math.round(density * rows * cols);
      const order = [...data.keys()].toSorted((a, b) => Math.abs(data[b]) - Math.abs(data[a]) || a - b);
      const expected = new Float32Array(rows * cols);
      for (const i of order.slice(0, count)) expected[i] = data[i] === 0 ? 0 : data[i];
      expect(pruned).toEqual(expected);
    }),
    { numRuns: cases(200, 500) },
  );
});

it('NaN counts as larger than infinity', () => {
  const m = denseMatrix(1, 3, Float32Array.of(Number.POSITIVE_INFINITY, Number.NaN, 5));
  expect(toDense(pruneByMagnitude(m, 1 / 3))).toEqual(Float32Array.of(0, Number.NaN, 0));
});

it('returns the matrix itself if it is sparse enough', () => {
  const m = generate({ pattern: 'uniform', rows: 30, cols: 30, density: 0.1, seed: 1 });
  expect(pruneByMagnitude(m, 0.5)).toBe(m);
});

it('can be cancelled', () => {
  const m = generate({ pattern: 'uniform', rows: 2000, cols: 2000, density: 0.5, seed: 1 });
  expect(() => pruneByMagnitude(m, 0.1, { report: () => {}, cancelled: true })).toThrow(CancelledError);
});
