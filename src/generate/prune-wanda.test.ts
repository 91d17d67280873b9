import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MatrixError } from '../core/errors.ts';
import { finish } from '../core/job.ts';
import { csrMatrix, denseMatrix, toCsr, toDense } from '../core/matrix/index.ts';
import { columnNorms, pruneByWandaSteps } from './prune.ts';

/** Wanda pruning by its definition: each row keeps its highest scores, computed in f32; of equal ones the first. */
function naive(
  rows: number,
  cols: number,
  data: Float32Array,
  activations: Float32Array,
  density: number,
): Float32Array {
  const samples = activations.length / cols;
  const norms = Array.from({ length: cols }, (_, c) => {
    let sum = 0;
    for (let k = 0; k < samples; k++) sum += activations[k * cols + c] * activations[k * cols + c];
    return Math.fround(Math.sqrt(sum));
  });
  const kept = new Float32Array(rows * cols);
  for (let r = 0; r < rows; r++) {
    const scored = [];
    for (let c = 0; c < cols; c++) {
      const w = data[r * cols + c];
      if (w !== 0) scored.push({ c, w, score: Math.fround(Math.abs(w) * norms[c]) });
    }
    scored.sort((a, b) => b.score - a.score || a.c - b.c);
    for (const { c, w } of scored.slice(0, Math.round(density * cols))) kept[r * cols + c] = w;
  }
  return kept;
}

const value = fc.oneof(
  fc.float({ min: -4, max: 4, noNaN: true }),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0, 0, 1e-30),
);
const size = fc.integer({ min: 1, max: 9 });
const cases = fc.tuple(size, size, size).chain(([rows, cols, samples]) => {
  const floats = (length: number): fc.Arbitrary<Float32Array> =>
    fc.array(value, { minLength: length, maxLength: length }).map((list) => Float32Array.from(list));
  return fc.record({
    rows: fc.constant(rows),
    cols: fc.constant(cols),
    data: floats(rows * cols),
    activations: floats(samples * cols),
  });
});

it('Wanda pruning keeps the largest |w| times the norm of its column in every row, of equal ones the first', () => {
  fc.assert(
    fc.property(cases, fc.double({ min: 0, max: 1, noNaN: true }), ({ rows, cols, data, activations }, density) => {
      const norms = columnNorms(activations, cols);
      const expected = naive(rows, cols, data, activations, density);
      const dense = denseMatrix(rows, cols, data);
      expect(toDense(finish(pruneByWandaSteps(dense, density, norms)))).toEqual(expected);
      const stored = csrMatrix(toCsr(dense));
      expect(toDense(finish(pruneByWandaSteps(stored, density, norms)))).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

it('Wanda pruning keeps a small weight with large activations rather than a large weight with small ones', () => {
  const m = denseMatrix(1, 2, Float32Array.of(3, 1));
  const norms = columnNorms(Float32Array.of(0.1, 3, 0.1, 4), 2);
  expect(Array.from(norms)).toEqual([Math.fround(Math.sqrt(2 * Math.fround(0.1) ** 2)), 5]);
  expect(toDense(finish(pruneByWandaSteps(m, 0.5, norms)))).toEqual(Float32Array.of(0, 1));
});

it('Wanda pruning rejects norms of a wrong length and a density above 1', () => {
  const m = denseMatrix(1, 2, Float32Array.of(3, 1));
  expect(() => finish(pruneByWandaSteps(m, 0.5, Float32Array.of(1)))).toThrow(
    new MatrixError('norms: found 1, expected one for each of 2 columns'),
  );
  expect(() => finish(pruneByWandaSteps(m, 2, Float32Array.of(1, 1)))).toThrow(
    new MatrixError('density: found 2, expected a number from 0 to 1'),
  );
  expect(() => columnNorms(Float32Array.of(1, 2, 3), 2)).toThrow(
    new RangeError('activations: found 3 values, expected a multiple of 2 columns'),
  );
});
