import { expect, it } from 'vitest';
import { REPORT, TIMED_SOFTWARE_REPORT } from '../../../test/reports.ts';
import { greyOf, substituteOf, softwareText, timedText, withSubstitute } from './ran-instead.ts';

it("substituteOf returns 'software' or 'CPU' for times that are not of a graphics card", () => {
  expect([substituteOf(REPORT), substituteOf(TIMED_SOFTWARE_REPORT)]).toEqual([null, 'software']);
  expect(substituteOf({ ...REPORT, rows: REPORT.rows.map((row) => ({ ...row, where: 'cpu' })) })).toBe('CPU');
  expect([withSubstitute('1.31×', null), withSubstitute('1.31×', 'software')]).toEqual(['1.31×', '1.31×, software']);
});

it('calls a software adapter by its name, if it has one', () => {
  const { environment } = TIMED_SOFTWARE_REPORT;
  expect(softwareText(environment)).toBe(
    'SwiftShader emulates a GPU on the CPU: its times do not apply to graphics cards.',
  );
  const unnamed = { ...environment, adapter: { vendor: '', architecture: '', device: '', description: '' } };
  expect(softwareText(unnamed)).toBe(
    'A software adapter emulates a GPU on the CPU: its times do not apply to graphics cards.',
  );
});

it('timedText adds the substitute to a time, and prints a dash for no time', () => {
  const row = { medianNs: 1_740_000 };
  expect(timedText({ row, report: TIMED_SOFTWARE_REPORT })).toBe('1.74\u202fms, software');
  expect(timedText({ row, report: REPORT })).toBe('1.74\u202fms');
  expect([timedText(null), timedText({ row: { medianNs: null }, report: REPORT })]).toEqual(['–', '–']);
});

it('has a different grey for each of several lines', () => {
  const greys = [0, 1, 2, 3].map((position) => greyOf(position, 4));
  expect(new Set(greys).size).toBe(4);
  for (const grey of [...greys, greyOf()])
    expect(grey).toMatch(/^color-mix\(in oklab, var\(--text\) \d+%, var\(--ground\)\)$/);
});
