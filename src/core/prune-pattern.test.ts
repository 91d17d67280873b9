import fc from 'fast-check';
import { expect, it } from 'vitest';
import { finish } from './job.ts';
import { denseMatrix, toDense } from './matrix/index.ts';
import { pruneToPatternSteps } from './prune-pattern.ts';

const cells = fc.integer({ min: 1, max: 13 }).chain((cols) =>
  fc.record({
    cols: fc.constant(cols),
    data: fc.array(fc.oneof(fc.float({ noNaN: true }), fc.integer({ min: -2, max: 2 })), {
      minLength: 3 * cols,
      maxLength: 3 * cols,
    }),
  }),
);
const pattern = fc
  .integer({ min: 1, max: 8 })
  .chain((group) => fc.tuple(fc.integer({ min: 1, max: group }), fc.constant(group)));

it('keeps the largest magnitudes of every group, of equal ones the last', () => {
  fc.assert(
    fc.property(cells, pattern, ({ cols, data }, [kept, group]) => {
      const all = Float32Array.from(data, (v) => v + 0);
      const expected = new Float32Array(3 * cols);
      for (let r = 0; r < 3; r++) {
        for (let first = 0; first < cols; first += group) {
          const width = Math.min(group, cols - first);
          const places = Array.from({ length: width }, (_, i) => r * cols + first + i);
          places.sort((a, b) => Math.abs(all[b]) - Math.abs(all[a]) || b - a);
          for (const at of places.slice(0, kept)) expected[at] = all[at] === 0 ? 0 : all[at];
        }
      }
      expect(toDense(finish(pruneToPatternSteps(denseMatrix(3, cols, all), kept, group)))).toEqual(expected);
    }),
  );
});

it.each([
  [0, 4],
  [5, 4],
  [1.5, 4],
  [2, 65],
])('refuses %s:%s', (kept, group) => {
  expect(() => finish(pruneToPatternSteps(denseMatrix(1, 1, Float32Array.of(1)), kept, group))).toThrow(
    `pattern: found ${kept}:${group}, expected whole numbers N:M with 1 <= N <= M <= 64`,
  );
});
