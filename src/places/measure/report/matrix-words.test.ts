import { describe, expect, it } from 'vitest';
import { SUBGROUP_MATRIX } from '../../../core/kernel/subgroup-matrix.ts';
import type { BenchReport, BenchRow } from '../../../core/report.ts';
import { gemmReport, REPORT, SOFTWARE_REPORT } from '../../../../test/reports.ts';
import { matrixSentence } from './BenchResult.tsx';

const titleOf = (format: string): string => (format === 'slidesparse' ? 'SlideSparse' : format);

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

describe('matrixSentence(report)', () => {
  it('says how much faster every format is where both kinds of kernels were timed', () => {
    const report = i8Report({
      'dense/gemm_i8': 197,
      'dense/gemm_i8_subgroup_matrix': 98.5,
      'slidesparse/gemm_i8': 206,
      'slidesparse/gemm_i8_subgroup_matrix': 103,
    });
    expect(matrixSentence(report, titleOf)).toBe(
      'Dense 2.00 times, SlideSparse 2.00 times as fast with subgroup matrices as with dot products.',
    );
  });
  it('says who uses them where a trial left the others out', () => {
    const report = i8Report({ 'dense/gemm_i8_subgroup_matrix': 98, 'slidesparse/gemm_i8_subgroup_matrix': 118 });
    expect(matrixSentence(report, titleOf)).toBe('Dense and SlideSparse: with subgroup matrices.');
    expect(matrixSentence(i8Report({ 'dense/gemm_i8': 71 }), titleOf)).toBe('Subgroup matrices help no kernel here.');
  });
  it('says which flag offers them where the device has none', () => {
    expect(matrixSentence(i8Report({ 'dense/gemm_i8': 197 }, false), titleOf)).toBe(
      'Subgroup matrices: Chromium with --enable-unsafe-webgpu.',
    );
    expect(matrixSentence(gemmReport(2048, 1), titleOf)).toBe(
      'Subgroup matrices: Chromium with --enable-unsafe-webgpu; only products in i8 use them.',
    );
  });
  it('says nothing about a few tokens, or where no speed was told', () => {
    for (const report of [REPORT, SOFTWARE_REPORT, gemmReport(16, 1)]) {
      expect(matrixSentence(report, titleOf)).toBeNull();
    }
  });
});
