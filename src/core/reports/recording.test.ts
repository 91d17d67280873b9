import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../test/io/refusals.ts';
import { RECORDING } from '../../../test/recording.ts';
import type { BenchReport } from '../report.ts';
import { choiceOf, isNewer, markOf, packRecording, recordingId, unpackRecording, withSitting } from './recording.ts';
import { checkRecording, checkRecordingIndex } from './recording-check.ts';
import { checkReports } from './report-check.ts';

const HASHES = Object.fromEntries(Object.entries(RECORDING.kernels).map(([id, { hash }]) => [id, hash]));
const { name, driver, commit } = RECORDING;
const ABOUT = { name, driver, commit, hashes: HASHES };

function packed(reports: readonly BenchReport[]): ReturnType<typeof packRecording> {
  return packRecording(
    reports.map((report, i) => ({ report, opened: RECORDING.reports[i].opened ?? 'full' })),
    ABOUT,
  );
}

/** A copy without `undefined`, as a file would hold it. */
function asFile(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('a recording', () => {
  test('becomes reports that are checked like any other, each with device, date, driver and commit', () => {
    const reports = unpackRecording(RECORDING);
    expect(checkReports('unpacked', asFile(reports))).toEqual(asFile(reports));
    expect(reports).toHaveLength(2);
    for (const report of reports) expect(report.recorded).toEqual(markOf(RECORDING));
    expect(reports[0].environment.features).toContain('subgroups');
    expect(reports[1].environment.features).not.toContain('subgroups');
    expect(reports[0].rows[1]).toMatchObject({
      title: 'x in workgroup memory, equal shares',
      where: 'gpu',
      samplesNs: [],
      medianNs: 16_000,
      GBps: 5_300_000 / 16_000,
      cached: false,
      verified: { ok: true, failures: [], checkedAfterTiming: true, checkedWhileTimed: 8 },
    });
  });

  test('takes up a later sitting, whose reports keep their own day and sources', () => {
    const [first, second] = RECORDING.reports;
    const workload = { ...first.workload, nnz: 3 * first.workload.nnz, density: 0.3 };
    const later = { ...RECORDING, date: '2026-02-03', commit: '89abcdef', reports: [second, { ...first, workload }] };
    const both = withSitting(RECORDING, later);
    expect(checkRecording('both', asFile(both))).toEqual(asFile(both));
    expect(unpackRecording(both).map(({ recorded }) => [recorded?.id, recorded?.date, recorded?.commit])).toEqual([
      [RECORDING.id, RECORDING.date, RECORDING.commit],
      [RECORDING.id, '2026-02-03', '89abcdef'],
      [RECORDING.id, '2026-02-03', '89abcdef'],
    ]);
    expect(both.reports.map((report) => report.workload)).toEqual([first.workload, second.workload, workload]);
    const [id, kernel] = Object.entries(RECORDING.kernels)[0];
    const changed = { ...later, kernels: { [id]: { ...kernel, hash: 'ffffffff' } } };
    expect(() => withSitting(RECORDING, changed)).toThrow(`found a changed kernel ${id}, expected the one of`);
    expect(() => withSitting(RECORDING, { ...later, name: 'Made Up 2' })).toThrow(
      "found 'Made Up 2', expected more of",
    );
    const { full } = RECORDING.environments;
    const other = { ...later, environments: full ? { full: { ...full, runtime: 'another' } } : {} };
    expect(() => withSitting(RECORDING, other)).toThrow("found another environment of 'full' than in");
  });

  test('is the same after it was unpacked and packed again', () => {
    const again = packed(unpackRecording(RECORDING));
    expect(asFile(again)).toEqual(asFile({ ...RECORDING, roofs: { ...RECORDING.roofs, readBandwidthGBps: 1010 } }));
    expect(checkRecording('packed', asFile(again))).toEqual(asFile(again));
  });

  test('has no samples, and five digits of each time', () => {
    const [report, other] = unpackRecording(RECORDING);
    const row = { ...report.rows[0], samplesNs: [1, 2, 3], medianNs: 40_000.123_456 };
    const recording = packed([{ ...report, rows: [row] }, other]);
    expect(recording.reports[0].rows[0].medianNs).toBe(40_000);
    expect(JSON.stringify(recording)).not.toContain('samplesNs');
  });

  test('lists a kernel that was wrong as failed, and leaves out what has no time', () => {
    const [report, other] = unpackRecording(RECORDING);
    const [dense, macko] = report.rows;
    const wrong = { ...macko, medianNs: null, verified: { ...macko.verified, ok: false, failureCount: 3 } };
    const untimed = { ...dense, medianNs: null, p10Ns: null, p90Ns: null };
    const [first] = packed([{ ...report, rows: [untimed, wrong] }, other]).reports;
    expect(first.rows).toEqual([]);
    expect(first.refused.at(-1)).toEqual({
      kernel: 'macko/spmv_staged',
      format: 'macko',
      params: { deltaBits: 4, valueType: 'f16' },
      reason: '3 of 4096 outputs are wrong',
      failed: true,
    });
    expect(() => packed([{ ...report, rows: [untimed] }])).toThrow(
      'recording: found no kernel with a time, expected at least one',
    );
    expect(() => packRecording([], ABOUT)).toThrow('recording: found no report of the whole device');
  });

  test('is named after the device and the day', () => {
    expect(recordingId('NVIDIA H200', '2026-11-22')).toBe('h200@2026-11-22');
    expect(recordingId('Apple M3 Max', '2026-11-22')).toBe('m3-max@2026-11-22');
    expect(recordingId('…', '2026-11-22')).toBe('device@2026-11-22');
  });

  test('says which kernels of the application are newer than it', () => {
    expect(isNewer(RECORDING, 'macko/spmv_staged', HASHES)).toBe(false);
    expect(isNewer(RECORDING, 'macko/spmv_staged', { ...HASHES, 'macko/spmv_staged': 'fedcba98' })).toBe(true);
    expect(isNewer(RECORDING, 'macko/spmv_rows', { 'macko/spmv_rows': 'fedcba98' })).toBe(false);
    expect(isNewer(RECORDING, 'macko/spmv_staged', {})).toBe(false);
    expect(isNewer(RECORDING, 'constructor', HASHES)).toBe(false);
  });

  test('has an entry in the index that says what it is without being loaded', () => {
    const choice = choiceOf(RECORDING, 12_345);
    expect(choice).toEqual({
      ...markOf(RECORDING),
      bytes: 12_345,
      shapes: ['4096x4096', '4096x14336'],
      roofs: RECORDING.roofs,
    });
    expect(checkRecordingIndex('index.json', { schema: 1, recordings: [choice] }).recordings).toEqual([choice]);
  });
});

describe('a file that is handed in', () => {
  const [report] = RECORDING.reports;
  const withRow = (row: object): object => ({
    ...RECORDING,
    reports: [{ ...report, rows: [{ ...report.rows[0], ...row }] }],
  });

  const { full } = RECORDING.environments;
  const WRONG: readonly (readonly [what: string, value: unknown])[] = [
    ['a list', []],
    ['schema 2', { ...RECORDING, schema: 2 }],
    ['an id that leaves its folder', { ...RECORDING, id: '../x@2026-01-31' }],
    ['the day of another id', { ...RECORDING, date: '2026-02-01' }],
    ['an empty driver', { ...RECORDING, driver: ' ' }],
    ['a branch as commit', { ...RECORDING, commit: 'main' }],
    ['no environment', { ...RECORDING, environments: {} }],
    ['an environment that is missing', { ...RECORDING, environments: { full } }],
    [
      'a software adapter',
      { ...RECORDING, environments: { ...RECORDING.environments, full: { ...full, isFallback: true } } },
    ],
    ['a hash that is none', { ...RECORDING, kernels: { 'dense/spmv_subgroup': { title: 'x', hash: 'newest' } } }],
    ['an unknown kernel', withRow({ kernel: 'dense/other' })],
    ['no time', withRow({ medianNs: 0 })],
    ['an error beyond the bound', withRow({ verified: { outputs: 4096, worstShare: 1.5 } })],
    ['too many reports', { ...RECORDING, reports: Array.from({ length: 1001 }, () => report) }],
  ];
  test('is refused with one sentence', async () => {
    const said = WRONG.map(
      ([what, value]) => `${what}\n  ${refusalOf(() => checkRecording('h.json', asFile(value)))}\n`,
    );
    await expect(said.join('')).toMatchFileSnapshot('words/recordings.txt');
  });
});
