import { describe, expect, test } from 'vitest';
import type { BenchRequest } from '../engine/bench/bench-types.ts';
import type { BenchReport } from '../core/report.ts';
import { MACKO_ROW, REPORT } from '../../test/reports.ts';
import { withRecordedKernels } from './recorded-kernel.ts';

const request: BenchRequest = {
  operation: 'spmv',
  sizes: {},
  workload: { kind: 'stage' },
  entries: [{ format: 'macko', params: { valueType: 'f16' }, kernels: 'auto' }],
  memory: 'cold',
  rounds: 24,
  seed: 1,
  where: 'gpu',
};
const subject = { rows: 4096, cols: 4096, density: 0.5 };

function reportOn(rows: number, density: number, kernel: string, vendor = 'nvidia'): BenchReport {
  const tuned = { chosen: { lanes: 512 }, start: { lanes: 1024 }, gain: 1.1, tried: 7, remembered: false };
  const report = { ...REPORT, rows: [{ ...MACKO_ROW, kernel, params: { valueType: 'f16' }, tuned }] };
  return {
    ...report,
    environment: { ...report.environment, adapter: { ...report.environment.adapter, vendor } },
    workload: { ...report.workload, operation: 'spmv', sizes: {}, rows, cols: 4096, density },
  };
}
const recordedIn = (reports: readonly BenchReport[], benchRequest = request) =>
  withRecordedKernels(benchRequest, subject, 'nvidia', reports).entries[0].recordedKernel;

describe('the recorded kernel of an entry', () => {
  test('the recorded kernel of an entry is the one chosen for the most similar matrix, with its numbers', () => {
    const reports = [
      reportOn(16_384, 0.5, 'macko/far'),
      reportOn(4096, 0.4, 'macko/near'),
      reportOn(4096, 0.1, 'macko/thin'),
    ];
    expect(recordedIn(reports)).toEqual({ kernel: 'macko/near', chosen: { lanes: 512 } });
  });

  test('the recorded kernel of an entry is never a kernel from a GPU of another vendor, a much smaller matrix, or other parameters', () => {
    expect(recordedIn([reportOn(4096, 0.5, 'macko/a', 'amd')])).toBeUndefined();
    expect(recordedIn([reportOn(64, 0.5, 'macko/a')])).toBeUndefined();
    const other = { ...request, entries: [{ ...request.entries[0], params: { valueType: 'i8' } }] };
    expect(recordedIn([reportOn(4096, 0.5, 'macko/a')], other)).toBeUndefined();
  });

  test('the recorded kernel of an entry is not used if the request names which kernels to run', () => {
    const chosen: BenchRequest = { ...request, entries: [{ ...request.entries[0], kernels: 'all' }] };
    expect(recordedIn([reportOn(4096, 0.5, 'macko/a')], chosen)).toBeUndefined();
  });
});
