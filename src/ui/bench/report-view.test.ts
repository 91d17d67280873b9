import { describe, expect, it } from 'vitest';
import type { BenchReport } from '../../core/report.ts';
import {
  CSR_ROW,
  DENSE_ROW,
  MACKO_ROW,
  REPORT,
  SOFTWARE_REPORT,
  sweepReport,
  untimedRow,
  wrongRow,
} from './report.fixture.ts';
import {
  breakEven,
  headline,
  ratioScale,
  resolutionNs,
  sampleRatios,
  shareOfReadSpeed,
  sortedRows,
  sweepSeries,
  tickText,
} from './report-view.ts';

const titleOf = (format: string): string => ({ macko: 'MACKO', csr: 'CSR' })[format] ?? format;
const sentence = (report: BenchReport): string =>
  headline(report, titleOf)
    .map((w) => w.text)
    .join('')
    .replace(/\u202f/g, ' ');

describe('headline(report)', () => {
  it('names the fastest verified format, its bytes and its share of the read speed', () => {
    expect(sentence({ ...REPORT, rows: [CSR_ROW, DENSE_ROW, MACKO_ROW] })).toBe(
      'MACKO is 1.78 times as fast as dense here. It reads 38 % of the bytes and reaches 68 % of the memory speed of this device.',
    );
  });
  it('says when nothing is faster than dense', () => {
    expect(sentence({ ...REPORT, rows: [CSR_ROW, DENSE_ROW], readBandwidthGBps: null })).toBe(
      'Nothing is faster than dense here: CSR comes closest, at 0.56 times its speed. It reads 90 % of the bytes.',
    );
  });
  it('never hides a wrong kernel', () => {
    expect(sentence(REPORT)).toMatch(/One kernel is wrong and got no time\.$/);
  });
  it('shows no performance on a software adapter', () => {
    expect(sentence(SOFTWARE_REPORT)).toBe('Software adapter: 2 of 2 kernels verified, no performance shown.');
    const bad = { ...SOFTWARE_REPORT, rows: [...SOFTWARE_REPORT.rows, wrongRow('ell/spmv', 'ell')] };
    expect(sentence(bad)).toBe(
      'Software adapter: 2 of 3 kernels verified, no performance shown. One kernel is wrong and got no time.',
    );
  });
  it('says where a time came from a cache', () => {
    const rows = [DENSE_ROW, { ...MACKO_ROW, cached: true }];
    expect(sentence({ ...REPORT, rows })).toMatch(/from a cache: faster than memory can be read\.$/);
  });
  it('has words for a run without dense, without times and without kernels', () => {
    expect(sentence({ ...REPORT, rows: [{ ...MACKO_ROW, vsDense: null }] })).toMatch(/^MACKO ran alone/);
    expect(sentence({ ...REPORT, rows: [untimedRow('macko/spmv', 'macko')] })).toBe('No kernel got a time.');
    expect(sentence({ ...REPORT, rows: [] })).toMatch(/^No kernel ran/);
  });
});

describe('rows of a report', () => {
  it('stand from fast to slow, wrong ones last', () => {
    expect(sortedRows(REPORT).map((row) => row.format)).toEqual(['macko', 'dense', 'csr', 'ell']);
  });
  it('give a ratio for every round, against the same round of the reference', () => {
    const ratios = sampleRatios(REPORT, MACKO_ROW);
    expect(ratios).toHaveLength(8);
    for (const ratio of ratios) expect(ratio).toBeCloseTo(1.78, 10);
  });
  it('give none when the rounds do not belong together', () => {
    expect(sampleRatios(REPORT, { ...MACKO_ROW, samplesNs: [1, 2] })).toEqual([]);
    expect(sampleRatios(REPORT, untimedRow('macko/spmv', 'macko'))).toEqual([]);
  });
  it('know how exact they are and how much of the read speed they reach', () => {
    expect(resolutionNs(REPORT, MACKO_ROW)).toBeCloseTo(327.68);
    expect(shareOfReadSpeed(REPORT, DENSE_ROW)).toBeCloseTo(0.9995, 3);
    expect(shareOfReadSpeed({ ...REPORT, readBandwidthGBps: null }, DENSE_ROW)).toBeNull();
  });
});

describe('ratioScale(values)', () => {
  it('always shows dense and covers every value', () => {
    for (const values of [[], [1], [0.2, 3], [0.001, 900], [Number.NaN, 5]]) {
      const { domain, ticks } = ratioScale(values);
      expect(ticks).toContain(1);
      expect(domain[0]).toBeLessThan(1);
      for (const v of values.filter(Number.isFinite)) {
        expect(domain[0]).toBeLessThan(v);
        expect(domain[1]).toBeGreaterThan(v);
      }
      expect(ticks.length).toBeLessThan(12);
    }
  });
  it('has ticks that can be read', () => {
    expect([0.5, 2 ** -0.5, 1, 2 ** 0.5, 16].map(tickText)).toEqual(['0.5×', '0.71×', '1×', '1.41×', '16×']);
  });
});

describe('sweeps', () => {
  const reports = [sweepReport(0.7, 0.8), sweepReport(0.1, 3), sweepReport(0.5, 1.25)];
  it('are one series per format, by rising density, with the limit that the bytes set', () => {
    const [series] = sweepSeries(reports);
    expect(series?.format).toBe('macko');
    expect(series?.points.map((p) => p.density)).toEqual([0.1, 0.5, 0.7]);
    expect(series?.points[0]?.limit).toBeCloseTo(8);
  });
  it('break even between the two densities where the ratio passes 1', () => {
    const [series] = sweepSeries(reports);
    expect(series && breakEven(series)).toBeCloseTo(0.6, 10);
  });
  it('that never pass 1 have no break-even', () => {
    const [series] = sweepSeries([sweepReport(0.1, 3), sweepReport(0.5, 1.25)]);
    expect(series && breakEven(series)).toBeNull();
  });
});
