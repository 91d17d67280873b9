import { describe, expect, it } from 'vitest';
import type { BenchReport } from '../../core/report.ts';
import { deltaReport, DENSE_ROW, gemmReport, MACKO_ROW, REPORT, sweepReport, wrongRow } from '../../../test/reports.ts';
import { breakEven, paramSweepsOf, seriesTitle, type SweepPoint, sweepOf } from './sweep-series.ts';

const sweepAround = (reports: readonly BenchReport[]) => sweepOf(reports, reports[0]);

/** A ratio to two decimals, since the times that it divides are rounded to three digits. */
const roundedRatio = ({ ratio }: SweepPoint): number => Number(ratio.toFixed(2));

describe('sweepOf(reports, shown)', () => {
  const densities = [sweepReport(0.7, 0.8), sweepReport(0.1, 3), sweepReport(0.5, 1.25)];
  const tokens = [gemmReport(64, 1.4), gemmReport(1, 1.1), gemmReport(1024, 0.9)];

  it('finds one series per format by rising density, with the limit that the bytes set', () => {
    const sweep = sweepAround(densities);
    expect(sweep?.axis).toMatchObject({ of: 'density', title: '% left' });
    expect(sweep?.series.map((s) => s.format)).toEqual(['macko']);
    expect(sweep?.series[0].points.map((p) => p.x)).toEqual([0.1, 0.5, 0.7]);
    expect(sweep?.series[0].points[0].limit).toBeCloseTo(8);
    expect(sweep?.arithmetic).toBe(false);
  });
  it('finds the size that changes, and a limit that knows arithmetic', () => {
    const sweep = sweepAround(tokens);
    expect(sweep?.axis).toEqual({ of: 'size', name: 'tokens', title: 'tokens' });
    expect(sweep?.series[0].points.flatMap((p) => [p.x, roundedRatio(p)])).toEqual([1, 1.1, 64, 1.4, 1024, 0.9]);
    // One token is bound by bytes, a thousand by multiply-adds, three quarters of them remaining.
    expect(sweep?.series[0].points[0].limit).toBeCloseTo(1 / 0.84, 2);
    expect(sweep?.series[0].points[2].limit).toBeCloseTo(1 / 0.75, 10);
    expect(sweep?.arithmetic).toBe(true);
  });
  it('draws dense in fewer bits as a separate line, after the formats', () => {
    const withBits = densities.map((report) => {
      const params = { ...DENSE_ROW.params, valueType: 'i4' };
      const vsDense = { reference: DENSE_ROW.kernel, valueType: 'f16', ratio: 2.4, p10: 2.3, p90: 2.5 };
      const medianNs = (DENSE_ROW.medianNs ?? 0) / 2.4;
      return { ...report, rows: [{ ...DENSE_ROW, kernel: 'dense/bits', params, vsDense, medianNs }, ...report.rows] };
    });
    const series = sweepAround(withBits)?.series ?? [];
    expect(series.map((s) => seriesTitle(s, (id) => id))).toEqual(['macko', 'dense in i4']);
    expect(series[1].points.map(roundedRatio)).toEqual([2.4, 2.4, 2.4]);
  });
  it('leaves out what differs in anything else', () => {
    const other = { ...densities[1], workload: { ...densities[1].workload, rows: 64, density: 0.2 } };
    const warm = { ...densities[1], workload: { ...densities[1].workload, memory: 'warm' as const, density: 0.3 } };
    expect(sweepOf([...densities, other, warm, ...tokens], densities[0])?.reports).toHaveLength(3);
    expect(sweepOf([...densities, other, warm, ...tokens], tokens[0])?.reports).toHaveLength(3);
  });
  it('finds nothing in one report, or in the same one twice', () => {
    expect([sweepAround([REPORT]), sweepAround([REPORT, REPORT])]).toEqual([null, null]);
  });
  it('sweepOf has no point for a kernel that is wrong', () => {
    const wrong = { ...sweepReport(0.3, 1), rows: [DENSE_ROW, wrongRow('macko/spmv_subgroup', 'macko')] };
    expect(sweepAround([...densities, wrong])?.series[0].points).toHaveLength(3);
  });
});

describe('breakEven(points, scale)', () => {
  const points = (...pairs: readonly (readonly [x: number, ratio: number])[]): readonly SweepPoint[] =>
    pairs.map(([x, ratio]) => ({ x, ratio, p10: ratio, p90: ratio, limit: 2, params: {} }));
  it('lies between the two points where the ratio crosses 1', () => {
    const even = breakEven(points([0.1, 3], [0.5, 1.25], [0.7, 0.8]), 'linear');
    expect(even?.at).toBeCloseTo(0.6, 10);
    expect(even?.faster).toBe('below');
  });
  it('lies in the middle of the logarithm on a logarithmic axis', () => {
    const even = breakEven(points([1, 0.5], [100, 2]), 'log');
    expect(even?.at).toBeCloseTo(10, 10);
    expect(even?.faster).toBe('above');
  });
  it('breakEven is the highest of several, and null where there is none', () => {
    expect(breakEven(points([1, 2], [2, 0.5], [4, 2], [8, 0.5]), 'linear')?.at).toBeCloseTo(6, 10);
    expect([breakEven(points([1, 2], [2, 3]), 'linear'), breakEven(points([1, 2]), 'log')]).toEqual([null, null]);
  });
});

describe('paramSweepsOf(report)', () => {
  it('finds one format at the values of one parameter, by size', () => {
    const [sweep, ...others] = paramSweepsOf(deltaReport({ 8: 1.4, 4: 1.7, 1: 1.1, 2: 1.5 }));
    expect(others).toEqual([]);
    expect(sweep).toMatchObject({ format: 'macko', axis: { of: 'param', name: 'deltaBits' }, values: [1, 2, 4, 8] });
    expect(sweep.points.flatMap((p) => [p.x, roundedRatio(p)])).toEqual([0, 1.1, 1, 1.5, 2, 1.7, 3, 1.4]);
    expect(sweep.points[0].limit).toBeCloseTo(1 / (0.3 * (1 + 1 / 16)));
  });
  it('uses the fastest kernel of each value', () => {
    const report = deltaReport({ 2: 1.5, 4: 1.7 });
    const vsDense = { reference: 'dense/spmv_subgroup', ratio: 0.5, p10: 0.5, p90: 0.5 };
    const medianNs = 2 * (DENSE_ROW.medianNs ?? 0);
    const slower = { ...report.rows[2], kernel: 'macko/spmv_other', vsDense, medianNs };
    expect(paramSweepsOf({ ...report, rows: [slower, ...report.rows] })[0].points.map(roundedRatio)).toEqual([
      1.5, 1.7,
    ]);
  });
  it('finds nothing where no parameter, or more than one, differs', () => {
    expect(paramSweepsOf({ ...REPORT, rows: [DENSE_ROW, MACKO_ROW] })).toEqual([]);
    const both = deltaReport({ 2: 1.5, 4: 1.7 });
    const rows = both.rows.map((row, i) => (i === 2 ? { ...row, params: { deltaBits: 4, valueType: 'f32' } } : row));
    expect(paramSweepsOf({ ...both, rows })).toEqual([]);
  });
});
