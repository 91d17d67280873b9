import { expect, it } from 'vitest';
import { REPORT, SOFTWARE_REPORT, TIMED_SOFTWARE_REPORT } from '../../../test/reports.ts';
import { answeringReports, greyOf, noCardOf, softwareSentence, withMark } from './no-card.ts';

it('names what is no card', () => {
  expect(noCardOf(REPORT)).toBeNull();
  expect(noCardOf(TIMED_SOFTWARE_REPORT)).toBe('software');
  expect(noCardOf({ ...REPORT, rows: REPORT.rows.map((row) => ({ ...row, where: 'cpu' })) })).toBe('CPU');
  expect([withMark('1.31×', null), withMark('1.31×', 'software')]).toEqual(['1.31×', '1.31×, software']);
});

it('calls a software adapter by its name, if it has one', () => {
  const { environment } = TIMED_SOFTWARE_REPORT;
  expect(softwareSentence(environment)).toBe('SwiftShader is a CPU that plays a GPU: ratios say nothing about cards.');
  const unnamed = { ...environment, adapter: { vendor: '', architecture: '', device: '', description: '' } };
  expect(softwareSentence(unnamed)).toBe(
    'A software adapter is a CPU that plays a GPU: ratios say nothing about cards.',
  );
});

it('lets no report of a software adapter answer, and keeps the others in their order', () => {
  const other = { ...REPORT, readBandwidthGBps: 1 };
  expect(answeringReports([SOFTWARE_REPORT, other, TIMED_SOFTWARE_REPORT, REPORT])).toEqual([other, REPORT]);
});

it('has a grey of its own for each of several lines', () => {
  const greys = [0, 1, 2, 3].map((place) => greyOf(place, 4));
  expect(new Set(greys).size).toBe(4);
  for (const grey of [...greys, greyOf()])
    expect(grey).toMatch(/^color-mix\(in oklab, var\(--text\) \d+%, var\(--ground\)\)$/);
});
