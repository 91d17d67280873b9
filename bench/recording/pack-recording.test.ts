import { describe, expect, test } from 'vitest';
import type { BenchReport } from '../../src/core/report.ts';
import { unpackRecording } from '../../src/core/reports/recording.ts';
import { checkRecording } from '../../src/core/reports/recording-check.ts';
import { RECORDING } from '../../test/recording.ts';
import { packRecording, recordingId, withSitting } from './pack-recording.ts';

const HASHES = Object.fromEntries(Object.entries(RECORDING.kernels).map(([id, { hash }]) => [id, hash]));
const { name, driver, commit } = RECORDING;
const ABOUT = { name, driver, commit, hashes: HASHES };

function packed(reports: readonly BenchReport[]): ReturnType<typeof packRecording> {
  return packRecording(
    reports.map((report, i) => ({ report, opened: RECORDING.reports[i].opened ?? 'full' })),
    ABOUT,
  );
}

/** A copy without `undefined`, as a file would contain it. */
function asFile(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('a packed recording', () => {
  test('withSitting adds later reports, which keep their day and commit', () => {
    const [first, second] = RECORDING.reports;
    const workload = { ...first.workload, nnz: 3 * first.workload.nnz, density: 0.3 };
    const laterRecording = {
      ...RECORDING,
      date: '2026-02-03',
      commit: '89abcdef',
      reports: [second, { ...first, workload }],
    };
    const joinedRecording = withSitting(RECORDING, laterRecording);
    expect(checkRecording('both', asFile(joinedRecording))).toEqual(asFile(joinedRecording));
    expect(
      unpackRecording(joinedRecording).map(({ recorded }) => [recorded?.id, recorded?.date, recorded?.commit]),
    ).toEqual([
      [RECORDING.id, RECORDING.date, RECORDING.commit],
      [RECORDING.id, '2026-02-03', '89abcdef'],
      [RECORDING.id, '2026-02-03', '89abcdef'],
    ]);
    expect(joinedRecording.reports.map((report) => report.workload)).toEqual([
      first.workload,
      second.workload,
      workload,
    ]);
    const [id, kernel] = Object.entries(RECORDING.kernels)[0];
    const changed = { ...laterRecording, kernels: { [id]: { ...kernel, hash: 'ffffffff' } } };
    expect(() => withSitting(RECORDING, changed)).toThrow(`found a changed kernel ${id}, expected the one of`);
    expect(() => withSitting(RECORDING, { ...laterRecording, name: 'Made Up 2' })).toThrow(
      "found 'Made Up 2', expected more of",
    );
    const { full } = RECORDING.environments;
    const otherEnvironment = { ...laterRecording, environments: full ? { full: { ...full, runtime: 'another' } } : {} };
    expect(() => withSitting(RECORDING, otherEnvironment)).toThrow("found another environment of 'full' than in");
  });

  test('a recording is the same after it was unpacked and packed again', () => {
    const repacked = packed(unpackRecording(RECORDING));
    expect(asFile(repacked)).toEqual(asFile({ ...RECORDING, roofs: { ...RECORDING.roofs, readBandwidthGBps: 1010 } }));
    expect(checkRecording('packed', asFile(repacked))).toEqual(asFile(repacked));
  });

  test('a recording has no samples, and five digits of each time', () => {
    const [report, otherReport] = unpackRecording(RECORDING);
    const row = { ...report.rows[0], samplesNs: [1, 2, 3], medianNs: 40_000.123_456 };
    const recording = packed([{ ...report, rows: [row] }, otherReport]);
    expect(recording.reports[0].rows[0].medianNs).toBe(40_000);
    expect(JSON.stringify(recording)).not.toContain('samplesNs');
  });

  test('a recording lists a wrong kernel as failed, and leaves out kernels without a time', () => {
    const [report, otherReport] = unpackRecording(RECORDING);
    const [dense, macko] = report.rows;
    const wrongRow = { ...macko, medianNs: null, verified: { ...macko.verified, ok: false, failureCount: 3 } };
    const untimed = { ...dense, medianNs: null, p10Ns: null, p90Ns: null };
    const [first] = packed([{ ...report, rows: [untimed, wrongRow] }, otherReport]).reports;
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

  test('the id of a recording consists of the device and the day', () => {
    expect(recordingId('NVIDIA H200', '2026-11-22')).toBe('h200@2026-11-22');
    expect(recordingId('Apple M3 Max', '2026-11-22')).toBe('m3-max@2026-11-22');
    expect(recordingId('…', '2026-11-22')).toBe('device@2026-11-22');
  });
});
