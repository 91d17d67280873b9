import { describe, expect, it } from 'vitest';
import type { BenchReport, BenchRow } from '../../core/report.ts';
import { patternRows } from './pattern-rows.ts';
import { DENSE_ROW, deltaReport, patternReport } from '../../../test/reports.ts';

const describedRows = (report: BenchReport): string[] =>
  patternRows(report).map(({ halfGroup, ratio }) => `${halfGroup} ${Number(ratio.toFixed(2))}`);

/** The report with more rows of pattern N = 2, each changed in its own way. */
const withRows = (...changes: readonly Partial<BenchRow>[]): BenchReport => {
  const report = patternReport({ 4: 1.1, 2: 1.5 });
  const [row] = patternRows(report);
  return { ...report, rows: [...report.rows, ...changes.map((change) => ({ ...row.row, ...change }))] };
};
const speed = (ratio: number): Pick<BenchRow, 'vsDense' | 'medianNs'> => ({
  vsDense: { reference: 'dense/spmv_subgroup', ratio, p10: ratio, p90: ratio },
  medianNs: (DENSE_ROW.medianNs ?? 0) / ratio,
});

describe('patternRows(report)', () => {
  it('patternRows are the fastest right row of each pattern, by rising N', () => {
    const wrong = { ...withRows().rows[0].verified, ok: false };
    expect(describedRows(withRows(speed(1.4), speed(1.6), { ...speed(9), verified: wrong }))).toEqual([
      '2 1.6',
      '4 1.1',
    ]);
  });
  it('patternRows are of one processor (GPU or CPU) and one value type, as the fastest', () => {
    expect(describedRows(withRows({ ...speed(1.2), params: { halfGroup: 3, valueType: 'i8' } }))).toEqual([
      '2 1.5',
      '4 1.1',
    ]);
    expect(describedRows(withRows({ ...speed(1.9), params: { halfGroup: 3, valueType: 'i8' } }))).toEqual(['3 1.9']);
    const onCpu = { ...withRows({ ...speed(9), where: 'cpu' }) };
    const rows = [...onCpu.rows, { ...DENSE_ROW, where: 'cpu' as const }];
    expect(describedRows({ ...onCpu, rows })).toEqual(['2 8.99']);
  });
  it('leave out what was not compared, took no time that the clock can measure, or did not multiply', () => {
    expect(describedRows(withRows({ vsDense: null }, { ...speed(9), medianNs: 0 }))).toEqual(['2 1.5', '4 1.1']);
    const report = withRows();
    expect(describedRows({ ...report, workload: { ...report.workload, operation: 'quantise' } })).toEqual([]);
    expect(describedRows(deltaReport({ 2: 1.5, 4: 1.7 }))).toEqual([]);
  });
});
