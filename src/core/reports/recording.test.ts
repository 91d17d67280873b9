import { describe, expect, test } from 'vitest';
import { rejectionOf } from '../../../test/io/rejections.ts';
import { RECORDING } from '../../../test/recording.ts';
import { entryOf, hasKernelChanged, markOf, unpackRecording } from './recording.ts';
import { checkRecording, checkRecordingIndex } from './recording-check.ts';
import { checkReports } from './report-check.ts';

const HASHES = Object.fromEntries(Object.entries(RECORDING.kernels).map(([id, { hash }]) => [id, hash]));

/** A copy without `undefined`, like the content of a file. */
const asFile = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

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

  test('reports which kernels of the application are newer than it', () => {
    expect(hasKernelChanged(RECORDING, 'macko/spmv_staged', HASHES)).toBe(false);
    expect(hasKernelChanged(RECORDING, 'macko/spmv_staged', { ...HASHES, 'macko/spmv_staged': 'fedcba98' })).toBe(true);
    expect(hasKernelChanged(RECORDING, 'macko/spmv_rows', { 'macko/spmv_rows': 'fedcba98' })).toBe(false);
    expect(hasKernelChanged(RECORDING, 'macko/spmv_staged', {})).toBe(false);
    expect(hasKernelChanged(RECORDING, 'constructor', HASHES)).toBe(false);
  });

  test('a recording has an entry in the index that describes it without being loaded', () => {
    const entry = entryOf(RECORDING, 12_345);
    expect(entry).toEqual({
      ...markOf(RECORDING),
      bytes: 12_345,
      shapes: ['4096x4096', '4096x14336'],
      roofs: RECORDING.roofs,
    });
    expect(checkRecordingIndex('index.json', { schema: 1, recordings: [entry] }).recordings).toEqual([entry]);
  });
});

test('checkRecording rejects a wrong file with a message', async () => {
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
  const texts = WRONG.map(
    ([what, value]) => `${what}\n  ${rejectionOf(() => checkRecording('h.json', asFile(value)))}\n`,
  );
  await expect(texts.join('')).toMatchFileSnapshot('words/recordings.txt');
});
