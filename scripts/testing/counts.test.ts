// Counting of test results, and the summary line of `npm test`.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { countTests, NOTHING, oneCheck, readResults, type Result, summary } from './counts.mjs';

describe('summary', () => {
  test('the summary is the last line of a run', () => {
    expect(summary({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
  });

  test('the summary states skipped cases only if there are any', () => {
    expect(summary({ passed: 1, failed: 2, skipped: 3 })).toBe('1 passed, 2 failed, 3 skipped');
  });
});

test('a tool without cases is one check', () => {
  expect(oneCheck('lint', 0)).toEqual({ ...NOTHING, passed: 1 });
  expect(oneCheck('lint', 2)).toEqual({ ...NOTHING, failed: 1, failures: ['lint: exit code 2'] });
});

describe('results of a stage', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'counts-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const passed: Result = { name: 'a.test.ts > adds', status: 'passed', ms: 3 };
  const failed: Result = { name: 'a.test.ts > sums up', status: 'failed', ms: 4, why: 'Error: found 1' };
  const skipped: Result = { name: 'a.test.ts > divides', status: 'skipped', ms: 0 };

  const read = (text: string) => {
    const file = join(folder, 'stage.jsonl');
    writeFileSync(file, text);
    return readResults(file);
  };
  const written = (...lines: readonly unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

  test('results are counted, and failures are named', () => {
    expect(countTests('unit', read(written(passed, failed, skipped, { end: true })), 1)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: ['a.test.ts > sums up: Error: found 1'],
    });
  });

  test('the results of a stopped stage contain the failures so far, and that it was stopped', () => {
    const stopped = read(`${written(passed, failed)}{"name":"a.test.ts > mult`);
    expect(countTests('unit', stopped, 1)).toEqual({
      passed: 1,
      failed: 2,
      skipped: 0,
      failures: ['a.test.ts > sums up: Error: found 1', 'unit: stopped after 2 tests'],
    });
  });

  test('a failure outside of tests counts as one failure', () => {
    expect(countTests('unit', read(written(passed, { end: true })), 3)).toMatchObject({
      passed: 1,
      failed: 1,
      failures: ['unit: exit code 3'],
    });
  });

  test('a stage without tests has failed', () => {
    expect(countTests('unit', readResults(join(folder, 'nothing')), 0)).toMatchObject({ passed: 0, failed: 1 });
    expect(countTests('unit', read(written({ end: true })), 0)).toMatchObject({ passed: 0, failed: 1 });
  });
});
