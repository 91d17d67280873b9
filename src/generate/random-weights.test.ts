import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CancelledError, MatrixError } from '../core/errors.ts';
import { finish, type Job } from '../core/job.ts';
import { CsrMatrix, type Matrix, rowBuffer, type Rows, StoredDenseMatrix, toDense } from '../core/matrix/index.ts';
import { pruneToPatternSteps } from '../core/matrix/prune-pattern.ts';
import { f16Bits, f16Value } from '../core/number/f16.ts';
import { pruneAtRandomSteps, pruneRowsSteps } from './prune.ts';
import { seedOf, RandomWeights, type RandomWeightsPruning } from './random-weights.ts';

const whole = (weights: RandomWeights, job?: Job): Matrix => finish(weights.wholeSteps(), job);

function row(m: Rows, r: number): { readonly columns: readonly number[]; readonly values: readonly number[] } {
  const buffer = rowBuffer(m.cols);
  const n = m.readRow(r, buffer);
  return { columns: [...buffer.columns.subarray(0, n)], values: [...buffer.values.subarray(0, n)] };
}

const arbitraryPruning: fc.Arbitrary<RandomWeightsPruning | null> = fc.oneof(
  fc.constant(null),
  fc
    .tuple(fc.constantFrom('magnitude' as const, 'rows' as const), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([way, density]) => ({ way, density })),
  fc.record({
    way: fc.constant('random' as const),
    density: fc.double({ min: 0, max: 1, noNaN: true }),
    seed: fc.nat(2 ** 32 - 1),
  }),
  fc
    .tuple(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 0, max: 8 }))
    .map(([kept, more]) => ({ way: 'n-of-m' as const, kept, group: kept + more })),
);
const arbitrarySpec = fc.record({
  rows: fc.integer({ min: 0, max: 12 }),
  cols: fc.constantFrom(0, 1, 2, 7, 33, 64, 90),
  seed: fc.nat(2 ** 32 - 1),
});

describe('RandomWeights', () => {
  it('reads the same rows, and parts of rows, as the whole matrix has', () => {
    fc.assert(
      fc.property(arbitrarySpec, arbitraryPruning, fc.nat(), fc.nat(), (spec, pruning, a, b) => {
        const weights = new RandomWeights(spec, pruning);
        const result = whole(weights);
        expect([result.rows, result.cols]).toEqual([spec.rows, spec.cols]);
        const [from, to] = [a % (spec.cols + 1), b % (spec.cols + 1)].toSorted((x, y) => x - y);
        const buffer = rowBuffer(spec.cols);
        // from the last row to the first: no row depends on those before it
        for (let r = spec.rows - 1; r >= 0; r--) {
          const { columns, values } = row(weights, r);
          expect({ columns, values }).toEqual(row(result, r));
          const inside = columns.flatMap((c, i) => (c >= from && c < to ? [[c, values[i]]] : []));
          const n = weights.readRowPart(r, from, to, buffer);
          expect(Array.from({ length: n }, (_, i) => [buffer.columns[i], buffer.values[i]])).toEqual(inside);
        }
        const isExact = !weights.isExpected;
        if (isExact) expect(result.nnz).toBe(weights.expectedNonZeros);
      }),
    );
  });

  it('RandomWeights has the same values on every machine', () => {
    const hash = (pruning: RandomWeightsPruning | null): string => {
      const cells = toDense(
        whole(new RandomWeights({ rows: 37, cols: 1000, seed: seedOf('llama-3.1-8b 12 down') }, pruning)),
      );
      return createHash('sha256').update(new Uint8Array(cells.buffer)).digest('hex').slice(0, 16);
    };
    expect(seedOf('llama-3.1-8b 12 down')).toBe(254_447_233);
    expect(row(new RandomWeights({ rows: 1, cols: 6, seed: 1 }), 0).values).toEqual([
      0.60107421875, -0.2958984375, -0.57958984375, 0.132080078125, -0.039764404296875, 0.168212890625,
    ]);
    expect(hash(null)).toBe('10bb7730df127918');
    expect(hash({ way: 'magnitude', density: 0.3 })).toBe('41b670231684c6ec');
    expect(hash({ way: 'rows', density: 0.3 })).toBe('2c7458ada57e61e8');
    expect(hash({ way: 'random', density: 0.3, seed: 1 })).toBe('5e04c9486282a4b8');
    expect(hash({ way: 'n-of-m', kept: 2, group: 4 })).toBe('fb42c2aeaf99f295');
  });

  it('RandomWeights has other values for another seed, in another row and in another column', () => {
    const first = row(new RandomWeights({ rows: 2, cols: 64, seed: 1 }), 0).values;
    expect(row(new RandomWeights({ rows: 2, cols: 64, seed: 2 }), 0).values).not.toEqual(first);
    expect(row(new RandomWeights({ rows: 2, cols: 64, seed: 1 }), 1).values).not.toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(60);
  });

  it('RandomWeights has normal values of standard deviation 1 / sqrt(cols), in f16, never 0', () => {
    const cols = 4096;
    const weights = new RandomWeights({ rows: 64, cols, seed: 5 });
    const { data } = finish(pruneRowsSteps(whole(weights), 1));
    expect(data.length).toBe(64 * cols);
    const scaled = data.map((w) => w * Math.sqrt(cols));
    const moment = (k: number): number => scaled.reduce((sum, z) => sum + z ** k, 0) / scaled.length;
    // within 5 standard errors of the normal distribution's moments
    const error = 5 / Math.sqrt(scaled.length);
    expect(Math.abs(moment(1))).toBeLessThan(error);
    expect(Math.abs(moment(2) - 1)).toBeLessThan(Math.sqrt(2) * error);
    expect(Math.abs(moment(3))).toBeLessThan(Math.sqrt(15) * error);
    expect(Math.abs(moment(4) - 3)).toBeLessThan(Math.sqrt(96) * error);
    expect(data.every((w) => w !== 0 && f16Value(f16Bits(w)) === w)).toBe(true);
    expect(scaled.reduce((max, z) => Math.max(max, Math.abs(z)), 0)).toBeLessThan(4.33);
  });

  it('RandomWeights has no 0 in the widest matrix either, whose values are smallest', () => {
    const { values } = row(new RandomWeights({ rows: 1, cols: 2 ** 20, seed: 3 }), 0);
    expect(values.length).toBe(2 ** 20);
    expect(Math.min(...values.slice(0, 2 ** 16).map(Math.abs))).toBeGreaterThanOrEqual(2 ** -24);
  });

  it('RandomWeights has values that do not correlate with their neighbours in rows and columns', () => {
    const cells = toDense(whole(new RandomWeights({ rows: 256, cols: 256, seed: 9 })));
    for (const shift of [1, 2, 256, 257, 512]) {
      let product = 0;
      for (let i = shift; i < cells.length; i++) product += 256 * cells[i] * cells[i - shift];
      // 5 standard errors of a correlation of 0
      expect(Math.abs(product) / (cells.length - shift)).toBeLessThan(5 / 256);
    }
  });

  describe('pruned by magnitude', () => {
    const spec = { rows: 64, cols: 4096, seed: 11 };

    it('keeps about the requested share, by a threshold known in advance', () => {
      for (const density of [0.9, 0.5, 0.3, 0.1, 0.01]) {
        const weights = new RandomWeights(spec, { way: 'magnitude', density });
        const result = whole(weights);
        const cells = spec.rows * spec.cols;
        expect(weights.expectedNonZeros).toBe(Math.round(density * cells));
        expect(weights.isExpected).toBe(true);
        // 4 standard deviations of a binomial
        expect(Math.abs(result.nnz - density * cells)).toBeLessThan(4 * Math.sqrt(cells * density * (1 - density)));
      }
    });

    it('pruned by magnitude has the threshold of the normal distribution, to 0.1 %', () => {
      // R 4.3, qnorm(1 - density / 2)
      const thresholds = [0.1256613, 0.6744898, 1.0364334, 1.6448536, 2.5758293];
      for (const [i, density] of [0.9, 0.5, 0.3, 0.1, 0.01].entries()) {
        const z = thresholds[i];
        const weights = new RandomWeights(spec, { way: 'magnitude', density });
        expect(Math.abs(weights.threshold * Math.sqrt(spec.cols) - z)).toBeLessThan(1e-3 * z);
        const unpruned = toDense(whole(new RandomWeights(spec))).map(Math.abs);
        const pruned = toDense(whole(weights)).map(Math.abs);
        const kept = pruned.filter((w) => w > 0).reduce((min, w) => Math.min(min, w), 1);
        const dropped = unpruned.filter((_, i) => pruned[i] === 0).reduce((max, w) => Math.max(max, w), 0);
        expect(Math.abs(kept / weights.threshold - 1)).toBeLessThan(1e-3);
        expect(dropped).toBeLessThanOrEqual(kept);
      }
    });

    it('keeps at a lower density only weights that it keeps at a higher one', () => {
      const cellsAt = (density: number): Float32Array =>
        toDense(whole(new RandomWeights(spec, { way: 'magnitude', density })));
      const [more, less] = [cellsAt(0.5), cellsAt(0.2)];
      expect(less.every((w, i) => w === 0 || w === more[i])).toBe(true);
    });

    it('keeps every weight at density 1, and none at density 0', () => {
      expect(whole(new RandomWeights(spec, { way: 'magnitude', density: 1 })).nnz).toBe(64 * 4096);
      expect(whole(new RandomWeights(spec, { way: 'magnitude', density: 0 })).nnz).toBe(0);
      expect(new RandomWeights(spec, { way: 'magnitude', density: 1 }).threshold).toBe(0);
    });
  });

  it('ranks scores so that pruning by magnitude keeps the weights of the lowest expected ranks', () => {
    const spec = { rows: 8, cols: 200, seed: 2 };
    const weights = new RandomWeights(spec);
    const buffer = rowBuffer(spec.cols);
    const scoresOfRow = weights.byMagnitude(buffer);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(7), (density, r) => {
        const kept = new Set(row(weights.pruned({ way: 'magnitude', density }), r).columns);
        const n = weights.readRow(r, buffer);
        const scores = scoresOfRow(r, n);
        const maxRank = Math.round(density * spec.rows * spec.cols);
        const ofLowRank = [...scores.subarray(0, n).keys()].filter((c) => weights.expectedRank(scores[c]) <= maxRank);
        expect(ofLowRank).toEqual([...kept]);
      }),
    );
  });

  it('keeps, pruned at random, about the requested share of weights, whatever their magnitude', () => {
    const spec = { rows: 64, cols: 4096, seed: 1 };
    const random = whole(new RandomWeights(spec, { way: 'random', density: 0.4, seed: 1 }));
    const cells = spec.rows * spec.cols;
    expect(Math.abs(random.nnz - 0.4 * cells)).toBeLessThan(4 * Math.sqrt(cells * 0.24));
    const threshold = new RandomWeights(spec, { way: 'magnitude', density: 0.5 }).threshold;
    const large = toDense(random).filter((w) => Math.abs(w) >= threshold).length;
    expect(Math.abs(large / random.nnz - 0.5)).toBeLessThan(4 * Math.sqrt(0.25 / random.nnz));
  });

  it('keeps row by row and by N:M the same weights as pruning of the whole matrix, and at random almost the same', () => {
    const spec = { rows: 40, cols: 300, seed: 77 };
    const unpruned = whole(new RandomWeights(spec));
    const rows = whole(new RandomWeights(spec, { way: 'rows', density: 0.37 }));
    expect(toDense(rows)).toEqual(toDense(finish(pruneRowsSteps(unpruned, 0.37))));
    for (const [kept, group] of ['2:4', '6:8', '1:7'].map((pattern) => pattern.split(':').map(Number))) {
      const pattern = whole(new RandomWeights(spec, { way: 'n-of-m', kept, group }));
      expect(toDense(pattern)).toEqual(toDense(finish(pruneToPatternSteps(unpruned, kept, group))));
    }
    // The count of the whole matrix is exact, the count of rows is expected: the same entries except for some at the
    // border.
    const random = toDense(whole(new RandomWeights(spec, { way: 'random', density: 0.5, seed: 3 })));
    const exact = toDense(finish(pruneAtRandomSteps(unpruned, 0.5, 3)));
    const different = random.filter((w, i) => w !== exact[i]).length;
    expect(different).toBe(Math.abs(random.filter((w) => w !== 0).length - exact.filter((w) => w !== 0).length));
  });

  describe('whole', () => {
    it('whole is stored as f16 cells, or as CSR arrays where these are smaller', () => {
      const spec = { rows: 64, cols: 1024, seed: 4 };
      const dense = new RandomWeights(spec, { way: 'magnitude', density: 0.5 });
      expect(whole(dense)).toBeInstanceOf(StoredDenseMatrix);
      expect(dense.wholeBytes).toBe(2 * 64 * 1024);
      const sparse = new RandomWeights(spec, { way: 'rows', density: 0.1 });
      const result = whole(sparse);
      expect(result).toBeInstanceOf(CsrMatrix);
      expect(sparse.wholeBytes).toBe(result instanceof CsrMatrix ? result.bytes : 0);
    });

    it('reports its size and progress, and can be cancelled', () => {
      const weights = new RandomWeights({ rows: 4096, cols: 1024, seed: 4 }, { way: 'magnitude', density: 0.5 });
      const messages: string[] = [];
      const job = {
        cancelled: false,
        report({ what, done, total }: { what: string; done: number; total: number }) {
          messages.push(`${what}: ${done} of ${total}`);
          if (done >= 2048) job.cancelled = true;
        },
      };
      expect(() => whole(weights, job)).toThrow(CancelledError);
      const messageAt = (done: number): string => `Making random weights, 8.39\u202fMB: ${done} of 4096`;
      expect(messages).toEqual([0, 1024, 2048].map(messageAt));
    });
  });

  it('rejects invalid shapes and prunings', () => {
    expect(() => new RandomWeights({ rows: 2 ** 20, cols: 2 ** 20, seed: 1 })).toThrow(MatrixError);
    expect(() => new RandomWeights({ rows: -1, cols: 1, seed: 1 })).toThrow(MatrixError);
    const spec = { rows: 1, cols: 1, seed: 1 };
    expect(() => new RandomWeights(spec, { way: 'magnitude', density: 1.1 })).toThrow(/^density: found 1.1/);
    expect(() => new RandomWeights(spec, { way: 'random', density: Number.NaN, seed: 1 })).toThrow(
      /^density: found NaN/,
    );
    expect(() => new RandomWeights(spec, { way: 'n-of-m', kept: 3, group: 2 })).toThrow(/^pattern: found 3:2/);
  });
});
