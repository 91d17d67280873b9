import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { add, counted, NOTHING, oneCheck, readPlaywright, readVitest, summary } from './test-counts.mjs';

describe('summary', () => {
  test('is the line that a run ends with', () => {
    expect(summary({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
  });

  test('names skipped cases only when there are any', () => {
    expect(summary({ passed: 1, failed: 2, skipped: 3 })).toBe('1 passed, 2 failed, 3 skipped');
  });
});

test('add sums up class by class', () => {
  const one = { passed: 1, failed: 2, skipped: 3, failures: ['a', 'b'] };
  expect(add(one, { passed: 10, failed: 1, skipped: 30, failures: ['c'] })).toEqual({
    passed: 11,
    failed: 3,
    skipped: 33,
    failures: ['a', 'b', 'c'],
  });
});

test('a tool without cases is one check', () => {
  expect(oneCheck(0)).toEqual({ ...NOTHING, passed: 1 });
  expect(oneCheck(2)).toEqual({ ...NOTHING, failed: 1 });
});

describe('reports', () => {
  const cases = [
    { fullName: 'adds', status: 'passed', failureMessages: [] },
    { fullName: 'sums up', status: 'failed', failureMessages: ['\u001b[31mError: found 1\u001b[39m\n    at a line'] },
  ];
  const vitest = {
    numPassedTests: 5,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
    testResults: [{ assertionResults: cases }],
  };
  const failures = ['sums up: Error: found 1'];

  test('of Vitest: pending and todo are skipped', () => {
    expect(readVitest(vitest)).toEqual({ passed: 5, failed: 1, skipped: 3, failures });
  });

  test('of Playwright: flaky is failed', () => {
    const spec = (title: string, ok: boolean, status: string, message?: string) => ({
      title,
      ok,
      tests: [{ status, results: [{ errors: message === undefined ? [] : [{ message }] }] }],
    });
    const specs = [spec('opens', true, 'expected'), spec('saves', false, 'unexpected', 'Error: no file\n  more')];
    const suites = [
      { title: 'file.spec.ts', specs, suites: [{ title: 'dark', specs: [spec('looks', true, 'flaky')] }] },
    ];
    expect(readPlaywright({ stats: { expected: 7, unexpected: 1, flaky: 1, skipped: 0 }, suites })).toEqual({
      passed: 7,
      failed: 2,
      skipped: 0,
      failures: ['file.spec.ts › saves: Error: no file', 'file.spec.ts › dark › looks'],
    });
  });

  describe('counted', () => {
    let folder = '';

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'counts-'));
      vi.spyOn(console, 'error').mockReturnValue();
    });
    afterEach(() => {
      rmSync(folder, { recursive: true });
      vi.restoreAllMocks();
    });

    function report(content: unknown): string {
      const file = join(folder, 'report.json');
      writeFileSync(file, JSON.stringify(content));
      return file;
    }

    test('takes the cases of a report', () => {
      expect(counted(report(vitest), readVitest)(1)).toEqual({ passed: 5, failed: 1, skipped: 3, failures });
    });

    test('a failed run without a failed case is one failure', () => {
      const file = report({ ...vitest, numFailedTests: 0, testResults: [] });
      expect(counted(file, readVitest)(1)).toEqual({ passed: 5, failed: 1, skipped: 3, failures: [] });
      expect(counted(file, readVitest)(0)).toEqual({ passed: 5, failed: 0, skipped: 3, failures: [] });
    });

    test('a run without a report is one failure, whatever its exit code', () => {
      expect(counted(join(folder, 'none.json'), readVitest)(0)).toEqual({ ...NOTHING, failed: 1 });
    });
  });
});
