import { describe, expect, it } from 'vitest';
import { SUBGROUP_MATRIX } from '../../../core/kernel/subgroup-matrix.ts';
import type { BenchReport, BenchRow } from '../../../core/report.ts';
import { gemmReport, REPORT, SOFTWARE_REPORT } from '../../../../test/reports.ts';
import { subgroupMatrixText } from './BenchResult.tsx';

/** i8 products, with rows of these kernels and times. */
function i8Report(times: Readonly<Record<string, number>>, isOffered = true): BenchReport {
  const base = gemmReport(2048, 1);
  const rows = Object.entries(times).map(([kernel, medianNs]): BenchRow => ({
    ...base.rows[0],
    kernel,
    format: kernel.split('/')[0],
    medianNs,
  }));
  const features = [...base.environment.features, ...(isOffered ? ['subgroups', SUBGROUP_MATRIX] : [])];
  return {
    ...base,
    workload: { ...base.workload, operation: 'gemm-i8' },
    environment: { ...base.environment, features },
    rows,
  };
}

describe('subgroupMatrixSentence(report)', () => {
  it('names the flag that enables them if the device has none', () => {
    expect(subgroupMatrixText(i8Report({ 'dense/gemm_i8': 197 }, false))).toBe(
      'Chromium supports subgroup matrices with the flag --enable-unsafe-webgpu.',
    );
  });
  it('subgroupMatrixSentence is null if they are available, for products that do not use them, or without a speed', () => {
    for (const report of [i8Report({ 'dense/gemm_i8': 71 }), REPORT, SOFTWARE_REPORT, gemmReport(2048, 1)]) {
      expect(subgroupMatrixText(report)).toBeNull();
    }
  });
});
