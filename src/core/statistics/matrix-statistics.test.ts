import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CancelledError } from '../errors.ts';
import { finish } from '../job.ts';
import { csrMatrix, denseMatrix, type Matrix, toCsr, toDense } from '../matrix/index.ts';
import { Random } from '../number/random.ts';
import { type MatrixStatistics, statisticsSteps } from './matrix-statistics.ts';
import { SAMPLED_ROWS } from './shared-columns.ts';
import { cases } from '../../../test/scheduled.ts';

const REQUEST = { groups: [1, 2, 3, 4, 6, 8, 12, 14, 16, 32, 48, 256], blocks: [1, 2, 4, 8, 16] };

/** Matrices of every density, on both sides of the threshold for reading rows as bits. */
const matrices = fc
  .record({
    rows: fc.integer({ min: 0, max: 40 }),
    cols: fc.integer({ min: 0, max: 150 }),
    density: fc.constantFrom(0, 0.005, 0.02, 0.05, 0.3, 0.5, 0.9, 1),
    seed: fc.nat(),
  })
  .map(({ rows, cols, density, seed }) => {
    const random = new Random(seed);
    const cells = Float32Array.from({ length: rows * cols }, () => (random.uniform() < density ? 1 : 0));
    return { rows, cols, cells };
  });

/** The expected statistics, counted cell by cell, without any code of `statisticsSteps`. */
function naive({ rows, cols, cells }: { rows: number; cols: number; cells: Float32Array }) {
  const has = (r: number, c: number): boolean => r < rows && c < cols && cells[r * cols + c] !== 0;
  const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
  const gaps = new Map<number, number>();
  const rowCounts = new Map<number, number>();
  let longestRun = 0;
  for (const r of range(rows)) {
    const columns = range(cols).filter((c) => has(r, c));
    columns.forEach((c, i) => {
      const gap = c - (i === 0 ? -1 : columns[i - 1]);
      gaps.set(gap, (gaps.get(gap) ?? 0) + 1);
    });
    rowCounts.set(columns.length, (rowCounts.get(columns.length) ?? 0) + 1);
    const runs = range(cols)
      .map((c) => (has(r, c) ? '1' : '0'))
      .join('')
      .split('0');
    longestRun = runs.reduce((longest, run) => Math.max(longest, run.length), longestRun);
  }
  const groups = REQUEST.groups.map((width) => {
    const counts = Array.from({ length: width + 1 }, () => 0);
    for (const r of range(rows)) {
      for (let g = 0; g * width < cols; g++) counts[range(width).filter((i) => has(r, g * width + i)).length]++;
    }
    return { width, counts };
  });
  const blocks = REQUEST.blocks.map((size) => {
    let stored = 0;
    for (let i = 0; i * size < rows; i++) {
      for (let j = 0; j * size < cols; j++) {
        if (range(size * size).some((k) => has(i * size + Math.floor(k / size), j * size + (k % size)))) stored++;
      }
    }
    return { size, stored };
  });
  return { gaps, rowCounts, longestRun, groups, blocks };
}

const countsByIndex = (counts: Uint32Array): Map<number, number> =>
  new Map([...counts].flatMap((n, k) => (n > 0 ? [[k, n] as const] : [])));

const statisticsOf = (m: Matrix): MatrixStatistics => finish(statisticsSteps(m, REQUEST));

describe('statisticsSteps', () => {
  it('counts gaps, rows, runs, groups and blocks like a loop over cells, however the matrix is stored', () => {
    fc.assert(
      fc.property(matrices, (matrix) => {
        const expected = naive(matrix);
        const dense = denseMatrix(matrix.rows, matrix.cols, matrix.cells);
        for (const m of [dense, csrMatrix(toCsr(dense))]) {
          const statistics = statisticsOf(m);
          expect(countsByIndex(statistics.gaps)).toEqual(new Map([...expected.gaps].toSorted(([a], [b]) => a - b)));
          expect(countsByIndex(statistics.rowCounts)).toEqual(
            new Map([...expected.rowCounts].toSorted(([a], [b]) => a - b)),
          );
          expect(statistics.longestRun).toBe(expected.longestRun);
          expect(statistics.groups.map(({ width, counts }) => ({ width, counts: [...counts] }))).toEqual(
            expected.groups,
          );
          expect(statistics.blocks).toEqual(expected.blocks);
        }
      }),
      { numRuns: cases(30, 80) },
    );
  });

  it('counts the columns that pairs with a sampled row share', () => {
    fc.assert(
      fc.property(matrices, ({ rows, cols, cells }) => {
        const m = denseMatrix(rows, cols, cells);
        const { shared } = statisticsOf(m);
        const { sampled } = shared;
        expect(sampled).toHaveLength(Math.min(rows, SAMPLED_ROWS));
        expect(new Set(sampled).size).toBe(sampled.length);
        const dense = toDense(m);
        const sharedColumns = (a: number, b: number): number => {
          let n = 0;
          for (let c = 0; c < cols; c++) if (dense[a * cols + c] !== 0 && dense[b * cols + c] !== 0) n++;
          return n;
        };
        const counts = new Map<number, number>();
        const best = new Map(sampled.map((row) => [row, 0]));
        let pairs = 0;
        let sum = 0;
        for (let a = 0; a < rows; a++) {
          for (let b = a + 1; b < rows; b++) {
            if (!best.has(a) && !best.has(b)) continue;
            const k = sharedColumns(a, b);
            counts.set(k, (counts.get(k) ?? 0) + 1);
            pairs++;
            sum += k;
            for (const row of [a, b]) if (best.has(row)) best.set(row, Math.max(best.get(row) ?? 0, k));
          }
        }
        expect(countsByIndex(shared.counts)).toEqual(new Map([...counts].toSorted(([a], [b]) => a - b)));
        expect(shared.mean).toBeCloseTo(sum / Math.max(1, pairs), 9);
        const bests = [...best.values()];
        expect(shared.best).toBeCloseTo(bests.reduce((x, y) => x + y, 0) / Math.max(1, bests.length), 9);
      }),
      { numRuns: cases(25, 60) },
    );
  });

  it('estimates within 1 % how many columns random rows share by chance', () => {
    const random = new Random(3);
    const cells = Float32Array.from({ length: 200 * 400 }, () => (random.uniform() < 0.4 ? 1 : 0));
    const { shared } = statisticsOf(denseMatrix(200, 400, cells));
    expect(shared.byChance).toBeGreaterThan(0);
    expect(Math.abs(shared.mean / shared.byChance - 1)).toBeLessThan(0.01);
  });

  it('samples the same rows every time', () => {
    const m = denseMatrix(300, 4, new Float32Array(1200).fill(1));
    expect(statisticsOf(m).shared.sampled).toEqual(statisticsOf(m).shared.sampled);
  });

  it('reports progress, and stops when cancelled', () => {
    const m = denseMatrix(3000, 1024, new Float32Array(3000 * 1024).fill(1));
    const reported: number[] = [];
    finish(statisticsSteps(m, REQUEST), { cancelled: false, report: ({ done }) => reported.push(done) });
    expect(reported.length).toBeGreaterThan(5);
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
    expect(() => finish(statisticsSteps(m, REQUEST), { cancelled: true, report: () => {} })).toThrow(CancelledError);
  });

  it('rejects invalid widths', () => {
    const m = denseMatrix(1, 1, Float32Array.of(1));
    expect(() => finish(statisticsSteps(m, { groups: [0], blocks: [] }))).toThrow(
      'width or size of a group or block: found 0, expected a whole number from 1',
    );
  });
});
