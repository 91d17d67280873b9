import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/** @type {Counts} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0 };

/**
 * @param {Counts} a
 * @param {Counts} b
 * @returns {Counts}
 */
export function add(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/**
 * The last line of a run.
 *
 * @param {Counts} counts
 */
export function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * A tool without test cases is one check.
 *
 * @param {number} exitCode
 * @returns {Counts}
 */
export function oneCheck(exitCode) {
  return exitCode === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 };
}

/**
 * Cases of a JSON report of Vitest.
 *
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number }} report
 * @returns {Counts}
 */
export function readVitest(report) {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * Cases of a JSON report of Playwright. One that passes only when it is repeated has failed.
 *
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } }} report
 * @returns {Counts}
 */
export function readPlaywright({ stats }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}

/**
 * Counts the cases in a test runner's report. A run that failed without a failed case (a file that cannot be imported,
 * an error outside of a test, no report at all) counts as one failure, so that it can not be overlooked.
 *
 * @template Report
 * @param {string} file path of the JSON report
 * @param {(report: Report) => Counts} read
 * @returns {(exitCode: number) => Counts}
 */
export function counted(file, read) {
  return (exitCode) => {
    let counts = NOTHING;
    let complete = false;
    try {
      counts = read(JSON.parse(readFileSync(file, 'utf8')));
      complete = true;
    } catch (error) {
      console.error(`no report of this stage: ${error instanceof Error ? error.message : String(error)}`);
    }
    const silent = (exitCode !== 0 || !complete) && counts.failed === 0;
    return silent ? { ...counts, failed: 1 } : counts;
  };
}
