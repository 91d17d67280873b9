import { expect, it } from 'vitest';
import { CSR_ROW, DENSE_ROW, MACKO_ROW, REPORT, timedRow, wrongRow } from '../../../test/reports.ts';
import { rejectionOf } from '../../../test/io/rejections.ts';
import { RECORDING } from '../../../test/recording.ts';
import type { BenchReport, BenchRow } from '../report.ts';
import { quantile } from '../number/statistics.ts';
import { checkRecording } from './recording-check.ts';
import { parseReports } from './report-check.ts';

const WHOLE: BenchReport = { ...REPORT, rows: [DENSE_ROW, MACKO_ROW, CSR_ROW] };

/** The report with a changed row in the middle. */
const withRow = (change: Partial<BenchRow>): BenchReport => ({
  ...WHOLE,
  rows: [DENSE_ROW, { ...MACKO_ROW, ...change }, CSR_ROW],
});
const withVerification = (change: Partial<BenchRow['verified']>): BenchReport =>
  withRow({ verified: { ...MACKO_ROW.verified, ...change } });
const withRatio = (change: Partial<NonNullable<BenchRow['vsDense']>>): BenchReport =>
  withRow({ vsDense: { reference: DENSE_ROW.kernel, ratio: 1.78, p10: 1.75, p90: 1.81, ...change } });
const withWorkload = (change: Partial<BenchReport['workload']>): BenchReport => ({
  ...WHOLE,
  workload: { ...WHOLE.workload, ...change },
});

it('accepts a report whose figures follow from its samples, also with fewer digits', () => {
  expect(parseReports('a.json', JSON.stringify(WHOLE))).toEqual([WHOLE]);
  const { medianNs, vsDense } = MACKO_ROW;
  const short = withRow({
    medianNs: Number(medianNs?.toPrecision(4)),
    vsDense: vsDense && { ...vsDense, ratio: Number(vsDense.ratio.toPrecision(4)) },
  });
  expect(parseReports('a.json', JSON.stringify(short))).toEqual([short]);
});

it('accepts rounded figures, rows without a speed or samples, and a row with wrong outputs', () => {
  const { medianNs, bytes } = MACKO_ROW;
  const ns = medianNs ?? 0;
  const reports: BenchReport[] = [
    withRow({ medianNs: ns * 1.0009 }),
    withRow({ GBps: null }),
    withRow({ GBps: (bytes / ns) * 1.0009 }),
    withRow({ samplesNs: [] }),
    withRow({ samplesNs: [0, 0], medianNs: 0, p10Ns: 0, p90Ns: 0, GBps: 5, vsDense: null }),
    { ...WHOLE, rows: [DENSE_ROW, wrongRow('macko/spmv_subgroup', 'macko')] },
    // A requested density, which was rounded to a whole number of non-zeros, or a thousandth of them.
    withWorkload({ rows: 10, cols: 10, nnz: 11, density: 0.1 }),
    withWorkload({ rows: 100, cols: 10_000, nnz: 100_100, density: 0.1 }),
  ];
  // The reference kernel may have several rows, such as one for each type of values: a ratio agrees with any of them.
  const otherDense = timedRow(DENSE_ROW.kernel, 'dense', 1, DENSE_ROW.bytes, 3 * (DENSE_ROW.medianNs ?? 0));
  for (const dense of [
    [otherDense, DENSE_ROW],
    [DENSE_ROW, otherDense],
  ])
    reports.push({ ...WHOLE, rows: [...dense, MACKO_ROW] });
  for (const report of reports) expect(parseReports('a.json', JSON.stringify(report))).toEqual([report]);
});

/** The fields of a kernel whose outputs were wrong: it has no times. */
const WRONG: Partial<BenchRow> = {
  verified: { ...MACKO_ROW.verified, ok: false, failureCount: 3 },
  samplesNs: [],
  medianNs: null,
  p10Ns: null,
  p90Ns: null,
  GBps: null,
  vsDense: null,
};

const TO_CSR = { ratio: 1.78 / 0.56, p10: 1.78 / 0.56, p90: 1.78 / 0.56 };

const FORGED: readonly (readonly [what: string, report: BenchReport])[] = [
  ['right, with failures', withVerification({ failureCount: 4000 })],
  ['right, with a large error', withVerification({ worstShare: 900 })],
  ['wrong, without a failure', withVerification({ ok: false })],
  ['wrong, with a time', withVerification({ ok: false, failureCount: 3 })],
  ['more compared than there are', withVerification({ compared: 12_289 })],
  ['more failures than outputs', withVerification({ ok: false, failureCount: 12_289 })],
  ['a median of other samples', withRow({ medianNs: 20_112 })],
  ['a median without any', withRow({ medianNs: null })],
  ['a tenth of other samples', withRow({ p10Ns: 30_000 })],
  ['nine tenths of other samples', withRow({ p90Ns: 90_000 })],
  ['quantiles in another order', withRow({ samplesNs: [], p10Ns: 50_000 })],
  ['a speed of other bytes', withRow({ GBps: 9000 })],
  ['a ratio of other rounds', withRatio({ ratio: 5, p90: 5 })],
  ['a tenth of other ratios', withRatio({ p10: 1 })],
  ['ratios in another order', withRatio({ p10: 1.8 })],
  ['a ratio without a time', withRow({ samplesNs: [], medianNs: null, p10Ns: null, p90Ns: null, GBps: null })],
  ['wrong, with a median and a speed', withRow({ ...WRONG, medianNs: 20_112, GBps: 9000 })],
  ['wrong, with a speed', withRow({ ...WRONG, GBps: 9000 })],
  ['a ratio without a common round', withRow({ rounds: MACKO_ROW.samplesNs.map((_, i) => 8 + i) })],
  ['a ratio of a round of 0 ns', withRow({ samplesNs: [0], medianNs: 0, p10Ns: 0, p90Ns: 0, GBps: null })],
  ['a ratio to a kernel that is not dense', withRatio({ reference: CSR_ROW.kernel, ...TO_CSR })],
  [
    'more failures listed than counted',
    withRow({ ...WRONG, verified: { ...wrongRow('', '').verified, failureCount: 0 } }),
  ],
  ['nine tenths below the median', withRow({ samplesNs: [], p90Ns: 40_000 })],
  ['nine tenths of the ratios below their median', withRatio({ p90: 1.7 })],
  ['a tenth that is missing', withRow({ samplesNs: [], p10Ns: null, vsDense: null })],
  ['nine tenths that are missing', withRow({ samplesNs: [], p90Ns: null, vsDense: null })],
  ['a quantile just beyond rounding', withRow({ medianNs: (MACKO_ROW.medianNs ?? 0) * 1.0011 })],
  ['too many non-zeros for the density by two', withWorkload({ rows: 10, cols: 10, nnz: 12, density: 0.1 })],
  ['more non-zeros than cells', withWorkload({ nnz: 150_994_945 })],
  ['another share of non-zeros', withWorkload({ density: 0.5 })],
];

it('accepts a ratio to a kernel that is not in the report, and a ratio to dense without a ratio of dense', () => {
  const reportWithoutDense = { ...WHOLE, rows: [MACKO_ROW] };
  expect(parseReports('a.json', JSON.stringify(reportWithoutDense))).toEqual([reportWithoutDense]);
  // Dense has no ratio: in one round it took 0 ns.
  const zero = { ...DENSE_ROW, samplesNs: [...DENSE_ROW.samplesNs, 0], vsDense: null };
  const [medianNs, p10Ns, p90Ns] = [0.5, 0.1, 0.9].map((share) => quantile(zero.samplesNs, share));
  const dense = { ...zero, medianNs, p10Ns, p90Ns, GBps: zero.bytes / medianNs };
  const report = { ...WHOLE, rows: [dense, MACKO_ROW] };
  expect(parseReports('a.json', JSON.stringify(report))).toEqual([report]);
});

it('rejects a report that contradicts itself, with a message', async () => {
  const texts = FORGED.map(([what, report]) => [
    what,
    rejectionOf(() => parseReports('a.json', JSON.stringify(report))),
  ]);
  await expect(texts.map((line) => `${line.join(': ')}\n`).join('')).toMatchFileSnapshot('words/forged-reports.txt');
});

it('rejects a recording whose quantiles are in another order', () => {
  const [first, ...otherReports] = RECORDING.reports;
  const [row, ...rows] = first.rows;
  const forged = (change: object): unknown => ({
    ...RECORDING,
    reports: [{ ...first, rows: [{ ...row, ...change }, ...rows] }, ...otherReports],
  });
  expect(() => checkRecording('a.json', forged({ p90Ns: row.medianNs / 2 }))).toThrow(
    /^a\.json: reports\[0\]\.rows\[0\]\.medianNs: found .* expected at most /,
  );
  expect(() => checkRecording('a.json', forged({ verified: { ...row.verified, compared: 1e9 } }))).toThrow(
    /^a\.json: reports\[0\]\.rows\[0\]\.verified\.compared: found 1000000000, expected at most /,
  );
});
