import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {readonly string[]} failures the failed cases, as far as their names are known, each with the first line of why
 */

/** @type {Counts} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0, failures: [] };

/**
 * @param {Counts} a
 * @param {Counts} b
 * @returns {Counts}
 */
export function add(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
  };
}

/**
 * The last line of a run.
 *
 * @param {Pick<Counts, 'passed' | 'failed' | 'skipped'>} counts
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
 * @param {string} name
 * @param {string | undefined} message
 */
function failure(name, message = '') {
  // Runners colour what they report.
  const [line] = stripVTControlCharacters(message).split('\n');
  return line === '' ? name : `${name}: ${line}`;
}

/**
 * Cases of a JSON report of Vitest.
 *
 * @param {{
 *   numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: readonly {
 *     assertionResults: readonly { fullName: string, status: string, failureMessages: readonly string[] }[],
 *   }[],
 * }} report
 * @returns {Counts}
 */
export function readVitest(report) {
  const failed = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed');
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: failed.map(({ fullName, failureMessages }) => failure(fullName, failureMessages[0])),
  };
}

/**
 * @typedef {object} PlaywrightSuite
 * @property {string} title
 * @property {readonly PlaywrightSuite[]} [suites]
 * @property {readonly {
 *   title: string, ok: boolean,
 *   tests: readonly { status: string, results: readonly { errors: readonly { message?: string }[] }[] }[],
 * }[]} [specs]
 */

/**
 * @param {PlaywrightSuite} suite
 * @returns {readonly string[]}
 */
function failuresIn({ title, suites = [], specs = [] }) {
  const own = specs
    .filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === 'flaky'))
    .map((spec) =>
      failure(spec.title, spec.tests.flatMap(({ results }) => results.flatMap((r) => r.errors))[0]?.message),
    );
  return [...own, ...suites.flatMap(failuresIn)].map((name) => `${title} › ${name}`);
}

/**
 * Cases of a JSON report of Playwright. One that passes only when it is repeated has failed.
 *
 * @param {{
 *   stats: { expected: number, unexpected: number, flaky: number, skipped: number }, suites: readonly PlaywrightSuite[],
 * }} report
 * @returns {Counts}
 */
export function readPlaywright({ stats, suites }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures: suites.flatMap(failuresIn),
  };
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
