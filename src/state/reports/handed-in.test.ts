import { expect, test } from 'vitest';
import { RECORDING } from '../../../test/recording.ts';
import { REPORT } from '../../../test/reports.ts';
import { checkHandedIn } from './handed-in.ts';

const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('a report, a list of them and a recording can be handed in', () => {
  expect(checkHandedIn('one.json', copy(REPORT))).toEqual([{ ...REPORT, imported: true }]);
  expect(checkHandedIn('list.json', copy([REPORT, REPORT]))).toHaveLength(2);
  const recorded = checkHandedIn('theirs.json', copy(RECORDING));
  // Those without subgroups say nothing about the card.
  expect(recorded.map(({ workload }) => workload.operation)).toEqual(['spmv']);
  expect(recorded[0].recorded).toMatchObject({ id: 'made-up-1@2026-01-31', driver: '1.2.3', commit: '0123456a' });
});

test('what is wrong in a recording is said with its place', () => {
  expect(() => checkHandedIn('theirs.json', { ...RECORDING, driver: '' })).toThrow(/^theirs\.json: driver: found "", /);
});
