import { speedCaption } from './SweepChart.tsx';
import { plainText } from '../../../test/text-rules.ts';
import { describe, expect, it } from 'vitest';
import type { BenchReport } from '../../core/report.ts';
import { speedOf } from '../words/speed-of.ts';
import {
  CSR_ROW,
  DENSE_ROW,
  gemmReport,
  liftingReport,
  MACKO_ROW,
  REPORT,
  SOFTWARE_REPORT,
  TIMED_SOFTWARE_REPORT,
  timedRow,
  untimedRow,
  wrongRow,
} from '../../../test/reports.ts';
import { reportHeadline } from './report-headline.ts';
import {
  arithmeticOf,
  differenceText,
  limitRatio,
  medianText,
  multiplyAddRate,
  nearestLimit,
  ratioScale,
  referenceOf,
  resolutionNs,
  rowDifferences,
  sampleRatios,
  samplesScale,
  shareOfPeak,
  shareOfReadSpeed,
  sortedRows,
  tickText,
} from './report-view.ts';

const titleOf = (format: string): string => ({ macko: 'MACKO', csr: 'CSR' })[format] ?? format;
const text = (report: BenchReport): string => plainText(reportHeadline(report, titleOf)).replaceAll('\u202f', ' ');

describe('samplesScale(report)', () => {
  const slow = timedRow('ell/spmv_thread', 'ell', 0.02, 1e6);
  it('leaves out one kernel that is far slower than the others', () => {
    const without = samplesScale({ ...REPORT, rows: [DENSE_ROW, MACKO_ROW, CSR_ROW] });
    expect(samplesScale({ ...REPORT, rows: [DENSE_ROW, MACKO_ROW, CSR_ROW, slow] })).toEqual(without);
    expect(without.domain[0]).toBeGreaterThan(0.3);
  });
  it('includes slow kernels if most kernels are slow', () => {
    const slower = timedRow('bsr/spmv_thread', 'bsr', 0.01, 1e6);
    expect(samplesScale({ ...REPORT, rows: [DENSE_ROW, slow, slower] }).domain[0]).toBeLessThan(0.01);
  });
});

describe('reportHeadline(report)', () => {
  it('distinguishes cells of dense that are compared with other cells of dense', () => {
    const vsDense = { reference: DENSE_ROW.kernel, valueType: 'f16', ratio: 2.31, p10: 2.3, p90: 2.32 };
    const fast = timedRow(DENSE_ROW.kernel, 'dense', 2.31, DENSE_ROW.bytes / 4);
    const i4 = { ...fast, params: { valueType: 'i4' }, vsDense };
    const report = { ...REPORT, rows: [CSR_ROW, DENSE_ROW, i4], readBandwidthGBps: null };
    expect(text(report)).toBe('Dense in i4 is 2.31 times as fast as dense in f16 here. It reads 25 % of the bytes.');
    expect(referenceOf(report, i4)).toBe(DENSE_ROW);
  });
  it('marks imported reports as imported, whatever mark they contain', () => {
    const report = { ...REPORT, rows: [CSR_ROW, DENSE_ROW, MACKO_ROW], readBandwidthGBps: null };
    const recorded = { id: 'h200@2026-11-22', name: 'NVIDIA H200', date: '2026-11-22', driver: '1', commit: 'abcdef1' };
    const firstSentence = (more: Partial<BenchReport>): string => text({ ...report, ...more }).split('. ')[0];
    expect(firstSentence({ recorded })).toBe('MACKO is 1.78 times as fast as dense on NVIDIA H200, recorded');
    expect(firstSentence({ recorded, imported: true })).toBe(
      'MACKO is 1.78 times as fast as dense on NVIDIA H200, imported',
    );
    expect(firstSentence({ imported: true })).toMatch(/^MACKO is 1\.78 times as fast as dense on .+, imported$/);
    expect(firstSentence({})).toBe('MACKO is 1.78 times as fast as dense here');
    expect(speedCaption(false, { recorded, imported: true })).toBe('thin: by bytes alone · thick: imported');
    expect(speedCaption(false, { recorded })).toBe('thin: by bytes alone · thick: recorded on NVIDIA H200');
    expect(speedCaption(true)).toBe('thin: by bytes and multiply-adds alone · thick: measured here');
  });
  it('names the fastest on a GPU, on one thread or in software, and what was not timed', async () => {
    const unread = { ...REPORT, readBandwidthGBps: null };
    const onCpu = (rows: readonly BenchReport['rows'][number][]): BenchReport => ({
      ...unread,
      rows: rows.map((row) => ({ ...row, where: 'cpu' as const })),
    });
    const bad = { ...SOFTWARE_REPORT, rows: [...SOFTWARE_REPORT.rows, wrongRow('ell/spmv', 'ell')] };
    const reports: Readonly<Record<string, BenchReport>> = {
      'MACKO is faster': { ...REPORT, rows: [CSR_ROW, DENSE_ROW, MACKO_ROW] },
      'nothing is faster': { ...unread, rows: [CSR_ROW, DENSE_ROW] },
      'one thread': onCpu([CSR_ROW, DENSE_ROW, MACKO_ROW]),
      'nothing is faster on one thread': onCpu([CSR_ROW, DENSE_ROW]),
      'a wrong kernel': REPORT,
      software: SOFTWARE_REPORT,
      'timed in software': TIMED_SOFTWARE_REPORT,
      'wrong in software': bad,
      'from a cache': { ...REPORT, rows: [DENSE_ROW, { ...MACKO_ROW, cached: true }] },
      'without dense': { ...REPORT, rows: [{ ...MACKO_ROW, vsDense: null }] },
      'without times': { ...REPORT, rows: [untimedRow('macko/spmv', 'macko')] },
      'without kernels': { ...REPORT, rows: [] },
      'multiply-adds': gemmReport(1024, 1.2),
      'one token': gemmReport(1, 1.1),
      lifting: liftingReport(64, 1.3),
    };
    const texts = Object.entries(reports).map(([of, report]) => `${of}\n  ${text(report)}\n`);
    await expect(texts.join('')).toMatchFileSnapshot('words/headlines.txt');
  });
});

describe('limits', () => {
  const [dense, slid] = gemmReport(4096, 1.2).rows;
  it('are arithmetic for many tokens and reading for one', () => {
    expect(nearestLimit(gemmReport(4096, 1.2), dense)?.of).toBe('arithmetic');
    expect(nearestLimit(gemmReport(4096, 1.2), dense)?.share).toBeCloseTo(0.58, 10);
    const oneToken = gemmReport(1, 1.2);
    expect(nearestLimit(oneToken, oneToken.rows[0])?.of).toBe('reading');
    expect(nearestLimit(REPORT, DENSE_ROW)).toMatchObject({ of: 'reading' });
    expect(nearestLimit({ ...REPORT, readBandwidthGBps: null }, DENSE_ROW)).toBeNull();
  });
  it('allow what bytes allow where no peak was measured', () => {
    expect(limitRatio({ ...gemmReport(4096, 1.2), readBandwidthGBps: null }, dense, slid)).toBe(
      dense.bytes / slid.bytes,
    );
    expect(limitRatio(REPORT, DENSE_ROW, MACKO_ROW)).toBeCloseTo(1 / 0.38, 6);
  });
  it('compare products in i8 with the dot products of the device', () => {
    const report = { ...gemmReport(4096, 1.2), peakI8GMAps: 4 * (gemmReport(4096, 1.2).peakGFMAps ?? 0) };
    const i8 = { ...report.rows[0], arithmetic: 'i8' as const };
    expect(shareOfPeak(report, i8)).toBeCloseTo((shareOfPeak(report, dense) ?? 0) / 4, 10);
    expect(shareOfPeak(gemmReport(4096, 1.2), i8)).toBeNull();
    const matrices = { ...report, peakI8MatrixGMAps: 10 * (report.peakGFMAps ?? 0) };
    expect(shareOfPeak(matrices, { ...i8, arithmetic: 'i8-matrix' })).toBeCloseTo(
      (shareOfPeak(report, dense) ?? 0) / 10,
      10,
    );
  });
  it('follow from the name of the kernel if a report of an earlier version does not state the arithmetic', () => {
    expect(arithmeticOf({ ...dense, kernel: 'dense/gemm_i8' })).toBe('i8');
    expect(arithmeticOf({ ...dense, kernel: 'dense/gemm_i8_subgroup_matrix' })).toBe('i8-matrix');
    expect(arithmeticOf(dense)).toBe('f32');
  });
  it('are compared with a rate in 10^9 multiply-adds per second, null if their number is unknown', () => {
    expect(multiplyAddRate(DENSE_ROW)).toBeNull();
    expect(multiplyAddRate({ ...DENSE_ROW, multiplyAdds: 716e6 })).toBeCloseTo(10_000, 6);
  });
});

describe('referenceOf(report, row)', () => {
  it('is the dense kernel of the same value type if dense was timed in several', () => {
    const f32 = { ...DENSE_ROW, params: { valueType: 'f32' } };
    const report = { ...REPORT, rows: [f32, DENSE_ROW, MACKO_ROW] };
    expect(referenceOf(report, MACKO_ROW)).toBe(DENSE_ROW);
    expect(referenceOf(report, { ...MACKO_ROW, params: { valueType: 'f32' } })).toBe(f32);
  });
  it('is dense in f16 for a row in 4 bits, although dense was timed in 4 bits, too', () => {
    const report = { ...REPORT, rows: [{ ...DENSE_ROW, params: { valueType: 'i4' } }, DENSE_ROW, MACKO_ROW] };
    expect(referenceOf(report, { ...MACKO_ROW, params: { valueType: 'i4' } })).toBe(DENSE_ROW);
  });
});

describe('differenceText(report, reports)', () => {
  it('names what differs in a sweep, and the time where nothing does', () => {
    const reports = [gemmReport(1, 1.1), gemmReport(64, 1.2)];
    expect(differenceText(reports[1], reports)).toBe('tokens 64');
    expect(differenceText(REPORT, [REPORT, REPORT])).toBe('2026-01-02 03:04:05');
  });
});

describe('rows of a report', () => {
  it('differ from others of their format by kernel, by parameters, or by both', () => {
    const labels = (_: string, { valueType }: Readonly<Record<string, unknown>>): string => String(valueType);
    const f16 = { ...MACKO_ROW, params: { valueType: 'f16' } };
    const i8 = { ...MACKO_ROW, params: { valueType: 'i8' } };
    const rows = { ...f16, kernel: 'macko/spmv_rows' };
    expect(rowDifferences([CSR_ROW, f16], labels)(f16)).toBe('');
    expect(rowDifferences([f16, i8], labels)(f16)).toBe('f16');
    expect(rowDifferences([f16, rows], labels)(f16)).toBe('spmv_subgroup');
    expect([f16, i8, rows].map(rowDifferences([f16, i8, rows], labels))).toEqual([
      'spmv_subgroup · f16',
      'spmv_subgroup · i8',
      'spmv_rows',
    ]);
  });
  it('are sorted from fast to slow, wrong ones last', () => {
    expect(sortedRows(REPORT).map((row) => row.format)).toEqual(['macko', 'dense', 'csr', 'ell']);
  });
  it('give a ratio for every round, against the same round of the reference', () => {
    const ratios = sampleRatios(REPORT, MACKO_ROW);
    expect(ratios).toHaveLength(8);
    // Each of the two times has up to a hundredth of noise.
    for (const ratio of ratios) expect(Math.abs(ratio / 1.78 - 1)).toBeLessThan(0.021);
    expect(new Set(ratios).size).toBe(8);
  });
  it('give ratios only for the rounds that timed both the row and the reference', () => {
    const { samplesNs } = MACKO_ROW;
    const rounds = samplesNs.map((_, i) => i + 2);
    const later = { ...MACKO_ROW, rounds };
    const dense = referenceOf(REPORT, MACKO_ROW)?.samplesNs ?? [];
    expect(sampleRatios(REPORT, later)).toEqual(dense.slice(2).map((ns, i) => ns / samplesNs[i]));
  });
  it('give no ratios without common rounds', () => {
    expect(sampleRatios(REPORT, { ...MACKO_ROW, samplesNs: [1, 2], rounds: [100, 101] })).toEqual([]);
    expect(sampleRatios(REPORT, untimedRow('macko/spmv', 'macko'))).toEqual([]);
  });
  it('have no speed where a time is below the step of the clock', () => {
    const rowOf = (ratio: number): BenchReport['rows'][number] => ({
      ...MACKO_ROW,
      vsDense: { reference: DENSE_ROW.kernel, ratio, p10: ratio, p90: ratio },
    });
    expect(speedOf(MACKO_ROW)).toBe(MACKO_ROW.vsDense);
    for (const row of [
      rowOf(0),
      rowOf(Number.POSITIVE_INFINITY),
      { ...rowOf(1), medianNs: 0 },
      untimedRow('macko/spmv', 'macko'),
    ])
      expect(speedOf(row)).toBeNull();
    expect(medianText(REPORT, { ...MACKO_ROW, medianNs: 0 }).replace('\u202f', ' ')).toBe('below 328 ns');
    const unknown = { ...REPORT, clock: { ...REPORT.clock, quantumNs: 0 } };
    expect(medianText(unknown, { ...MACKO_ROW, medianNs: 0 })).toBe('below the clock’s step');
    const rows = [DENSE_ROW, { ...rowOf(0), medianNs: 0, multiplyAdds: 1e6 }];
    expect(text({ ...REPORT, rows })).toBe('The times are shorter than the clock’s step.');
    expect(text({ ...REPORT, rows: [...rows, CSR_ROW] })).toMatch(
      /^Nothing that the clock could time is faster than dense here: CSR comes closest, .* One time is shorter than the clock’s step\.$/,
    );
    const once = { ...MACKO_ROW, samplesNs: [0, ...MACKO_ROW.samplesNs.slice(1)], vsDense: null };
    expect(text({ ...REPORT, rows: [DENSE_ROW, once] })).toBe('Some times are shorter than the clock’s step.');
    expect([multiplyAddRate(rows[1]), nearestLimit(REPORT, rows[1])]).toEqual([null, null]);
  });
  it('have a time resolution, and a share of the read speed if that is known', () => {
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
  it('has ticks with at most two decimals', () => {
    expect([0.5, 2 ** -0.5, 1, 2 ** 0.5, 16].map(tickText)).toEqual(['0.5×', '0.71×', '1×', '1.41×', '16×']);
  });
});
