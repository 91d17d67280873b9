import { expect, it } from 'vitest';
import { MAX_REPEATED_CELLS } from '../../core/bench/repeated-name.ts';
import { modelReport } from '../../../test/model-reports.ts';
import { isTooSmall } from '../../story/frames.ts';
import { isTimedRepeated, largerShape, repeatedMatrix } from './matrix-run.ts';
import type { TimedMatrix } from './matrix-times.ts';

it('the larger shape is within the limit, large enough to time, and never cuts the matrix', () => {
  expect(largerShape({ rows: 4, cols: 4 })).toEqual({ rows: 4096, cols: 4096 });
  expect(largerShape({ rows: 4, cols: 100_000 })).toEqual({ rows: 167, cols: 100_000 });
  expect(largerShape({ rows: 100_000, cols: 10 })).toEqual({ rows: 100_000, cols: 167 });
  for (const small of [1, 4, 255, 1023].flatMap((rows) =>
    [1, 4096, 4097, 2 ** 20 - 1].map((cols) => ({ rows, cols })),
  )) {
    if (!isTooSmall(small)) continue;
    for (const { rows, cols } of [small, { rows: small.cols, cols: small.rows }]) {
      const larger = largerShape({ rows, cols });
      expect(larger.rows).toBeGreaterThanOrEqual(rows);
      expect(larger.cols).toBeGreaterThanOrEqual(cols);
      expect(larger.rows * larger.cols).toBeLessThanOrEqual(MAX_REPEATED_CELLS);
      expect(isTooSmall(larger)).toBe(false);
    }
  }
});

it('only a matrix that is too small to time, and has a weight, is timed repeated', () => {
  expect(isTimedRepeated({ rows: 4, cols: 4, nnz: 1 })).toBe(true);
  expect(isTimedRepeated({ rows: 4, cols: 4, nnz: 0 })).toBe(false);
  expect(isTimedRepeated({ rows: 4096, cols: 4096, nnz: 1 })).toBe(false);
});

it('the repeated matrix is that of the reports, if they are of this matrix and as many tokens', () => {
  const report = modelReport(4096, 4096, 0.5, [200, 100]);
  const source = 'my.mtx, repeated to 4096 × 4096';
  const repeatedReport = { ...report, workload: { ...report.workload, nnz: 2 ** 23, density: 0.5, source } };
  const matrix: TimedMatrix = {
    rows: 4,
    cols: 4,
    nnz: 8,
    density: 0.5,
    tokens: 1,
    names: ['my.mtx'],
    isEstimated: false,
    isEven: false,
  };
  const repeated = { ...matrix, rows: 4096, cols: 4096, nnz: 2 ** 23, names: [source] };
  expect(repeatedMatrix(matrix, 'my.mtx', [repeatedReport])).toEqual(repeated);
  expect(repeatedMatrix(matrix, 'other.mtx', [repeatedReport])).toBeNull();
  expect(repeatedMatrix({ ...matrix, tokens: 16 }, 'my.mtx', [repeatedReport])).toBeNull();
  expect(repeatedMatrix(matrix, 'my.mtx', [])).toBeNull();
});
