import { expect, test } from 'vitest';
import { nearestReport } from './use-shown-run.ts';

const report = (rows: number, cols: number, density: number, kernels = 2) => ({
  rows: Array.from({ length: kernels }),
  workload: { operation: 'spmv', rows, cols, nnz: 1, density, source: '', seed: 1, memory: 'cold', rounds: 8 } as const,
});

test('of a recording, the report of the most similar matrix is shown first', () => {
  const reports = [report(4096, 4096, 0.9), report(4096, 14336, 0.5), report(4096, 4096, 0.5), report(64, 64, 0.5)];
  expect(nearestReport(reports, { rows: 4096, cols: 4096, density: 0.49 })).toBe(2);
  expect(nearestReport(reports, { rows: 4096, cols: 14336, density: 0.9 })).toBe(1);
  expect(nearestReport(reports, { rows: 128, cols: 128, density: 0.3 })).toBe(3);
  expect(nearestReport([], { rows: 1, cols: 1, density: 1 })).toBe(0);
});

test('of several reports of that matrix, the one with the most kernels is shown first', () => {
  // The recording also has a newer report with EC-SpMV alone; the newest reports come first.
  const reports = [report(4096, 4096, 0.1), report(4096, 4096, 0.1, 9), report(4096, 4096, 0.3, 12)];
  expect(nearestReport(reports, { rows: 4096, cols: 4096, density: 0.1 })).toBe(1);
});
