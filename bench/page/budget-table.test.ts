import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { budgetTable, ratiosOf, type Recorded, recordedFigures } from './budget-table.ts';
import { type Figure, figuresIn } from './figure.ts';

const RECORDED: Recorded = {
  date: '2026-11-24',
  browser: 'Chromium 1',
  cores: 2,
  figures: { 'longest task': { unit: 'ms', value: 20, referenceMs: 100 } },
};
const LONGEST: Figure = { name: 'longest task', unit: 'ms', value: 60, budget: 50, referenceMs: 200 };

test('a figure is compared with the recorded one, by its time and by its share of the time of the reference work', () => {
  expect(ratiosOf(LONGEST, RECORDED)).toEqual({ clock: 3, work: 1.5 });
  expect(ratiosOf({ ...LONGEST, name: 'another' }, RECORDED)).toEqual({ clock: Number.NaN, work: Number.NaN });
  expect(ratiosOf(LONGEST, null)).toEqual({ clock: Number.NaN, work: Number.NaN });
});

test('the table has a line for each figure, marks figures above their budget, and names the day of the recording', () => {
  expect(
    budgetTable([LONGEST, { name: 'new', unit: 's', value: 1.2345, referenceMs: 100 }], RECORDED).split('\n'),
  ).toEqual([
    'figure        unit  today  budget  recorded  ratio  reference ms  ratio by reference',
    'longest task    ms   60 !      50        20      3           200                 1.5',
    'new              s   1.23       -         -      -           100                   -',
    'Recorded 2026-11-24, Chromium 1, 2 cores.',
  ]);
  expect(budgetTable([LONGEST], null)).toContain('Nothing was recorded yet');
});

test('figures are kept by name, with three digits', () => {
  const kept = figuresIn(`${JSON.stringify({ ...LONGEST, value: 60.123 })}\n`);
  expect(recordedFigures(kept)).toEqual({ 'longest task': { unit: 'ms', value: 60.1, referenceMs: 200 } });
});

test('the recorded figures are complete', () => {
  const recorded = JSON.parse(readFileSync(resolve(import.meta.dirname, 'recorded.json'), 'utf8')) as Recorded;
  const figures = Object.values(recorded.figures);
  expect(figures.length).toBeGreaterThan(30);
  expect(figures.filter(({ value, referenceMs }) => !(value > 0 && referenceMs > 1))).toEqual([]);
});
