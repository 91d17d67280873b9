import { expect, it } from 'vitest';
import { CSR_ROW, DENSE_ROW, MACKO_ROW, REPORT } from '../../../test/reports.ts';
import { RECORDING } from '../../../test/recording.ts';
import type { BenchReport, BenchRow } from '../report.ts';
import { checkRecording } from './recording-check.ts';
import { parseReports } from './report-check.ts';

const WHOLE: BenchReport = { ...REPORT, rows: [DENSE_ROW, MACKO_ROW, CSR_ROW] };

/** The report with a changed row in the middle. */
const withRow = (change: Partial<BenchRow>): BenchReport => ({
  ...WHOLE,
  rows: [DENSE_ROW, { ...MACKO_ROW, ...change }, CSR_ROW],
});
const verified = (change: Partial<BenchRow['verified']>): BenchReport =>
  withRow({ verified: { ...MACKO_ROW.verified, ...change } });
const against = (change: Partial<NonNullable<BenchRow['vsDense']>>): BenchReport =>
  withRow({ vsDense: { reference: DENSE_ROW.kernel, ratio: 1.78, p10: 1.75, p90: 1.81, ...change } });
const workload = (change: Partial<BenchReport['workload']>): BenchReport => ({
  ...WHOLE,
  workload: { ...WHOLE.workload, ...change },
});

it('takes a report whose figures are those of its samples, also with fewer digits', () => {
  expect(parseReports('a.json', JSON.stringify(WHOLE))).toEqual([WHOLE]);
  const { medianNs, vsDense } = MACKO_ROW;
  const short = withRow({
    medianNs: Number(medianNs?.toPrecision(4)),
    vsDense: vsDense && { ...vsDense, ratio: Number(vsDense.ratio.toPrecision(4)) },
  });
  expect(parseReports('a.json', JSON.stringify(short))).toEqual([short]);
});

it.each<[string, BenchReport, string]>([
  [
    'right, with failures',
    verified({ failureCount: 4000 }),
    "rows[1].verified.failureCount: found 4000, expected 0, as 'ok' says.",
  ],
  [
    'right, with a large error',
    verified({ worstShare: 900 }),
    "rows[1].verified.worstShare: found 900, expected at most 1, as 'ok' says.",
  ],
  [
    'wrong, without a failure',
    verified({ ok: false }),
    "rows[1].verified.failureCount: found 0, expected 1 or more, as 'ok' says.",
  ],
  [
    'wrong, with a time',
    verified({ ok: false, failureCount: 3 }),
    "rows[1].medianNs: found a time, expected null: 'ok' says that it is wrong.",
  ],
  [
    'more compared than there are',
    verified({ compared: 12_289 }),
    'rows[1].verified.compared: found 12289, expected at most 12288, the outputs.',
  ],
  [
    'more failures than outputs',
    verified({ ok: false, failureCount: 12_289 }),
    'rows[1].verified.failureCount: found 12289, expected at most 12288, the outputs.',
  ],
  [
    'a median of other samples',
    withRow({ medianNs: 20_112 }),
    'rows[1].medianNs: found 20112, expected 40225, the median of its samples.',
  ],
  [
    'a median without any',
    withRow({ medianNs: null }),
    'rows[1].medianNs: found null, expected the median of 8 samples.',
  ],
  [
    'a tenth of other samples',
    withRow({ p10Ns: 30_000 }),
    'rows[1].p10Ns: found 30000, expected 39907, that of its samples.',
  ],
  [
    'nine tenths of other samples',
    withRow({ p90Ns: 90_000 }),
    'rows[1].p90Ns: found 90000, expected 40542, that of its samples.',
  ],
  [
    'quantiles in another order',
    withRow({ samplesNs: [], p10Ns: 50_000 }),
    `rows[1].p10Ns: found 50000, expected at most ${MACKO_ROW.medianNs}, the median.`,
  ],
  ['a speed of other bytes', withRow({ GBps: 9000 }), 'rows[1].GBps: found 9000, expected 2852.9, bytes over median.'],
  [
    'a ratio of other rounds',
    against({ ratio: 5, p90: 5 }),
    'rows[1].vsDense.ratio: found 5, expected 1.78, that of the rounds.',
  ],
  [
    'a tenth of other ratios',
    against({ p10: 1 }),
    'rows[1].vsDense.p10: found 1, expected 1.7521, that of the rounds.',
  ],
  [
    'ratios in another order',
    against({ p10: 1.8 }),
    'rows[1].vsDense.p10: found 1.8, expected at most 1.78, the median.',
  ],
  [
    'a ratio without a time',
    withRow({ samplesNs: [], medianNs: null, p10Ns: null, p90Ns: null, GBps: null }),
    'rows[1].vsDense: found a ratio, expected null without a time.',
  ],
  [
    'more non-zeros than cells',
    workload({ nnz: 150_994_945 }),
    'workload.nnz: found 150994945, expected at most 150994944, the cells.',
  ],
  [
    'another share of non-zeros',
    workload({ density: 0.5 }),
    'workload.density: found 0.5, expected 0.3, the share of non-zeros.',
  ],
])('refuses %s', (_, report, sentence) => {
  expect(() => parseReports('a.json', JSON.stringify(report))).toThrow(`a.json: ${sentence}`);
});

it('refuses a recording whose quantiles are in another order', () => {
  const [first, ...rest] = RECORDING.reports;
  const [row, ...rows] = first.rows;
  const forged = (change: object): unknown => ({
    ...RECORDING,
    reports: [{ ...first, rows: [{ ...row, ...change }, ...rows] }, ...rest],
  });
  expect(() => checkRecording('a.json', forged({ p90Ns: row.medianNs / 2 }))).toThrow(
    /^a\.json: reports\[0\]\.rows\[0\]\.medianNs: found .* expected at most /,
  );
  expect(() => checkRecording('a.json', forged({ verified: { ...row.verified, compared: 1e9 } }))).toThrow(
    /^a\.json: reports\[0\]\.rows\[0\]\.verified\.compared: found 1000000000, expected at most /,
  );
});
