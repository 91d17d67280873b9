import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csrOf } from '../../../test/matrices.ts';
import { finish } from '../job.ts';
import { denseMatrix, toCsr, toDense } from './index.ts';
import { pruneToPatternSteps } from './prune-pattern.ts';
import { cases } from '../../../test/scheduled.ts';

/** Rows of up to 90 cells with ties, zeros, NaN and infinities. */
const cells = fc.integer({ min: 1, max: 90 }).chain((cols) =>
  fc.record({
    cols: fc.constant(cols),
    data: fc.array(
      fc.oneof(
        fc.float(),
        fc.integer({ min: -2, max: 2 }),
        fc.constantFrom(0, Number.NaN, Number.NEGATIVE_INFINITY, 2 ** -149),
      ),
      { minLength: 3 * cols, maxLength: 3 * cols },
    ),
  }),
);
/** Patterns that drop at most two, which have a fast path, and others. */
const pattern = fc.oneof(
  fc
    .integer({ min: 2, max: 34 })
    .chain((kept) => fc.tuple(fc.constant(kept), fc.integer({ min: kept, max: kept + 2 }))),
  fc.integer({ min: 1, max: 64 }).chain((group) => fc.tuple(fc.integer({ min: 1, max: group }), fc.constant(group))),
);

/** The entries that a pattern keeps of three rows, found by sorting. */
function expectedEntries(data: Float32Array, cols: number, kept: number, group: number): Float32Array {
  const rank = (v: number): number => (Number.isNaN(v) ? Number.POSITIVE_INFINITY : Math.min(Math.abs(v), 2 ** 200));
  const pruned = new Float32Array(data.length);
  for (let row = 0; row < data.length; row += cols) {
    for (let start = 0; start < cols; start += group) {
      const positions = Array.from({ length: Math.min(group, cols - start) }, (_, i) => row + start + i);
      positions.sort((a, b) => (rank(data[a]) === rank(data[b]) ? b - a : rank(data[b]) - rank(data[a])));
      for (const position of positions.slice(0, kept)) pruned[position] = data[position] === 0 ? 0 : data[position];
    }
  }
  return pruned;
}

it('keeps the largest magnitudes of every group, the last of equal ones', () => {
  fc.assert(
    fc.property(cells, pattern, ({ cols, data }, [kept, group]) => {
      const matrixCells = Float32Array.from(data);
      const pruned = finish(pruneToPatternSteps(denseMatrix(3, cols, matrixCells), kept, group));
      const expected = expectedEntries(matrixCells, cols, kept, group);
      expect(toDense(pruned)).toEqual(expected);
      expect(pruned.nnz).toBe(expected.filter((v) => v !== 0).length);
    }),
    { numRuns: cases(300, 1000) },
  );
});

it.each([
  { kept: 31, group: 32, dropped: [0] },
  { kept: 30, group: 32, dropped: [0, 1] },
])('keeps the cells behind a group of 32 whose mask fills a word: $kept:$group', ({ kept, group, dropped }) => {
  const cols = 40;
  const all = Float32Array.from({ length: cols }, (_, i) => i + 1);
  all.set([-1, 2 ** -149, Number.NaN], cols - 3);
  const pruned = toDense(finish(pruneToPatternSteps(denseMatrix(1, cols, all), kept, group)));
  expect(Array.from(pruned.keys()).filter((i) => pruned[i] === 0)).toEqual(dropped);
});

it('prunes rows whose groups are mostly empty', () => {
  const m = csrOf([1, 6000], [0, 6], [3, 900, 901, 902, 903, 5000], [1, 4, 2, 3, 5, 1]);
  expect(Array.from(toCsr(finish(pruneToPatternSteps(m, 2, 4))).indices)).toEqual([3, 900, 903, 5000]);
  expect(Array.from(toCsr(finish(pruneToPatternSteps(m, 1, 60))).indices)).toEqual([3, 903, 5000]);
});

it.each([
  [0, 4],
  [5, 4],
  [1.5, 4],
  [2, 65],
])('rejects the pattern %s:%s', (kept, group) => {
  expect(() => finish(pruneToPatternSteps(denseMatrix(1, 1, Float32Array.of(1)), kept, group))).toThrow(
    `pattern: found ${kept}:${group}, expected whole numbers N:M with 1 <= N <= M <= 64`,
  );
});
