import { expect, test } from 'vitest';
import { labNames } from '../labs.mjs';
import { allScheduled, scheduledIn, testFiles } from './scheduled.mjs';

const LABS = labNames();

test('a scheduled test is listed with its reasons, in either runner', () => {
  const vitest = `scheduled('it\\'s slow', 'a.test.ts', 'adds', () => {});`;
  const playwright = "test(`opens ${name}`, scheduled('slow', 'b.spec.ts'), async () => {});";
  expect(scheduledIn('x.test.ts', `${vitest}\n${playwright}`)).toEqual([
    { file: 'x.test.ts', title: 'adds', why: "it's slow", foundBy: 'a.test.ts' },
    { file: 'x.test.ts', title: 'opens ${name}', why: 'slow', foundBy: 'b.spec.ts' },
  ]);
});

test('reasons that are not strings are rejected', () => {
  expect(() => scheduledIn('x.test.ts', "scheduled(WHY, 'a', 'adds', () => {});")).toThrow(
    'x.test.ts: found 1 calls of scheduled(), of which 0 give their reasons as strings',
  );
});

test('every scheduled test states why, and what finds its faults in npm test', () => {
  const all = allScheduled();
  expect(all.length).toBeGreaterThan(0);
  const files = testFiles();
  const wrong = all.flatMap(({ file, title, why, foundBy }) => {
    const named = foundBy.match(/[\w./-]+\.(?:gpu\.test|test|spec)\.tsx?/g) ?? [];
    const otherLabs = LABS.filter((lab) => foundBy.includes(`labs/${lab}/`) && !file.startsWith(`labs/${lab}/`));
    const missing = named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)));
    return [
      ...(why.length < 5 || foundBy.length < 5 ? [`${file}, ${title}: found no reason`] : []),
      // If that lab is removed, nothing finds the faults of this test.
      ...otherLabs.map(
        (lab) => `${file}, ${title}: found a test of the lab ${lab}, expected one that is there without it`,
      ),
      ...missing.map((name) => `${file}, ${title}: found '${name}', expected a file with tests`),
    ];
  });
  expect(wrong).toEqual([]);
});
