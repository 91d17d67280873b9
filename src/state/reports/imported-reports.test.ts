import { expect, test } from 'vitest';
import { RECORDING } from '../../../test/recording.ts';
import {
  blockReport,
  deltaReport,
  gemmReport,
  liftingReport,
  longReport,
  patternReport,
  REPORT,
  SOFTWARE_REPORT,
  sweepReport,
  TIMED_SOFTWARE_REPORT,
} from '../../../test/reports.ts';
import { checkImportedReports } from './imported-reports.ts';

const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('a report, a list of them and a recording can be imported', () => {
  expect(checkImportedReports('one.json', copy(REPORT))).toEqual([{ ...REPORT, imported: true }]);
  expect(checkImportedReports('list.json', copy([REPORT, REPORT]))).toHaveLength(2);
  const recorded = checkImportedReports('theirs.json', copy(RECORDING));
  // Only runs with the full device are imported: those without subgroups do not show what the card can do.
  expect(recorded.map(({ workload }) => workload.operation)).toEqual(['spmv']);
  expect(recorded[0].recorded).toMatchObject({ id: 'made-up-1@2026-01-31', driver: '1.2.3', commit: '0123456a' });
});

test('an error in a recording is reported with its position', () => {
  expect(() => checkImportedReports('theirs.json', { ...RECORDING, driver: '' })).toThrow(
    /^theirs\.json: driver: found "", /,
  );
});

/** Reports that other tests make and import, some of them only in a browser: all must pass the check. */
const BUILT = {
  'of software': [SOFTWARE_REPORT, TIMED_SOFTWARE_REPORT],
  'of densities': [sweepReport(0.1, 2), sweepReport(0.7, 0.9)],
  'of deltas': [deltaReport({ 2: 1.1, 4: 1.3 })],
  'of patterns': [patternReport({ 2: 1.6, 8: 0.9 })],
  'of tokens': [gemmReport(1, 1.4), gemmReport(4096, 0.2)],
  'of lifting': [liftingReport(64, 1.1)],
  'of blocks': [blockReport('gate', 8, 0.97), blockReport('forward', 600, 0.8), blockReport('backward', 911, 1.2)],
  'of many rows': [longReport(20, 30)],
  'of many rounds': [longReport(1, 1000)],
} as const;

test.each(Object.entries(BUILT))('reports %s can be imported', (_, reports) => {
  for (const report of reports) expect(checkImportedReports('built.json', copy(report))).toHaveLength(1);
});
