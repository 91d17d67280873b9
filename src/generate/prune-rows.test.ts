import fc from 'fast-check';
import { expect, it } from 'vitest';
import { finish } from '../core/job.ts';
import { denseMatrix, toDense } from '../core/matrix/index.ts';
import { pruneRowsSteps } from './prune.ts';

const cells = fc.integer({ min: 1, max: 9 }).chain((cols) =>
  fc.record({
    cols: fc.constant(cols),
    data: fc.array(fc.oneof(fc.float({ noNaN: true }), fc.integer({ min: -3, max: 3 })), {
      minLength: 4 * cols,
      maxLength: 4 * cols,
    }),
  }),
);

it('pruneRows keeps the largest magnitudes of every row, of equal ones the first', () => {
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

it('pruneRows rejects densities outside of 0 to 1', () => {
  const m = denseMatrix(1, 1, Float32Array.of(1));
  for (const density of [-0.1, 1.1, Number.NaN]) {
    const text = `density: found ${density}, expected a number from 0 to 1`;
    expect(() => finish(pruneRowsSteps(m, density))).toThrow(text);
  }
});
