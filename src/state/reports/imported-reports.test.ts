import { expect, test } from 'vitest';
import { RECORDING } from '../../../test/recording.ts';
import { REPORT } from '../../../test/reports.ts';
import { checkImportedReports } from './imported-reports.ts';

const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('a report, a list of them and a recording can be handed in', () => {
  expect(checkImportedReports('one.json', copy(REPORT))).toEqual([{ ...REPORT, imported: true }]);
  expect(checkImportedReports('list.json', copy([REPORT, REPORT]))).toHaveLength(2);
  const recorded = checkImportedReports('theirs.json', copy(RECORDING));
  // Those without subgroups say nothing about the card.
  expect(recorded.map(({ workload }) => workload.operation)).toEqual(['spmv']);
  expect(recorded[0].recorded).toMatchObject({ id: 'made-up-1@2026-01-31', driver: '1.2.3', commit: '0123456a' });
});

test('what is wrong in a recording is said with its place', () => {
  expect(() => checkImportedReports('theirs.json', { ...RECORDING, driver: '' })).toThrow(
    /^theirs\.json: driver: found "", /,
  );
});
