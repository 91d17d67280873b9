import { describe, expect, it } from 'vitest';
import { gemmReport } from '../../test/reports.ts';
import { compareReports, comparisonText, differenceOf } from './compare.ts';
import { addressOf, commandLine, PAGE_WORKLOADS } from './workloads.ts';

describe('the page against the command line', () => {
  it('pairs kernels of the same parameters, and marks those that differ too much', () => {
    const compared = compareReports(gemmReport(64, 1.5), gemmReport(64, 1.25));
    expect(compared.length).toBeGreaterThan(0);
    for (const kernel of compared) expect(differenceOf(kernel)).toBeCloseTo(0.2, 6);
    expect(comparisonText(compared)).toMatch(/page 1\.500 {2}command line 1\.250 {2}\+20\.0 % {2}<-- too far apart/);
    expect(comparisonText(compareReports(gemmReport(64, 1.52), gemmReport(64, 1.5)))).not.toContain('too far');
  });

  it('measures the same workloads on both', () => {
    const i8 = PAGE_WORKLOADS.find(({ operation }) => operation === 'gemm-i8');
    expect(i8).toBeDefined();
    if (!i8) return;
    expect(commandLine(i8)).toEqual(
      expect.arrayContaining(['--sizes', 'tokens=2048', '--params', 'dense.valueType=i8,slidesparse.valueType=i8']),
    );
    expect(addressOf(i8)).toBe(
      '#2/measure?src=generated:n-of-m&shape=2048x2048&density=0.5&seed=1&dense.valueType=i8&slidesparse.valueType=i8',
    );
  });
});
