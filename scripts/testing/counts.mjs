// Counts the results of tests for the summary of `npm test`.

import { existsSync, readFileSync } from 'node:fs';

/** Environment variable that names the file for the results of a stage. */
export const RESULTS_FILE = 'TEST_RESULTS_FILE';

/**
 * A test that has ended.
 *
 * @typedef {object} Result
 * @property {string} name with its file
 * @property {'passed' | 'failed' | 'skipped'} status
 * @property {number} ms
 * @property {string} [why] the first line of its error
 */

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {readonly string[]} failures names of the failed cases, each with the first line of its error
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
 * A check without test cases.
 *
 * @param {string} title
 * @param {number} exitCode
 * @returns {Counts}
 */
export function oneCheck(title, exitCode) {
  return exitCode === 0
    ? { ...NOTHING, passed: 1 }
    : { ...NOTHING, failed: 1, failures: [`${title}: exit code ${exitCode}`] };
}

/**
 * The results that a stage has written so far, and whether its runner ended. The last line may be incomplete while
 * it is being written; it is left out then.
 *
 * @param {string} file
 * @returns {{ results: readonly Result[], isComplete: boolean }}
 */
export function readResults(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  /** @type {(Result | { end: true })[]} */
  const written = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  return {
    results: written.filter((line) => 'name' in line),
    isComplete: written.some((line) => 'end' in line),
  };
}

/** @param {Result} result */
export const failureLine = ({ name, why }) => (why ? `${name}: ${why}` : name);

/**
 * Counts the tests of a stage. A stage that failed without a failed test (a file that cannot be loaded, an error outside of
 * a test, no test at all, a runner that was stopped) counts as one failure, so that it cannot be overlooked.
 *
 * @param {string} title
 * @param {ReturnType<typeof readResults>} read
 * @param {number} exitCode
 * @returns {Counts}
 */
export function countTests(title, { results, isComplete }, exitCode) {
  const withStatus = (/** @type {Result['status']} */ status) => results.filter((result) => result.status === status);
  const failed = withStatus('failed');
  const counts = {
    passed: withStatus('passed').length,
    failed: failed.length,
    skipped: withStatus('skipped').length,
    failures: failed.map(failureLine),
  };
  if (results.length === 0) return add(counts, { ...NOTHING, failed: 1, failures: [`${title}: no test has ended`] });
  if (!isComplete)
    return add(counts, { ...NOTHING, failed: 1, failures: [`${title}: stopped after ${results.length} tests`] });
  if (exitCode !== 0 && failed.length === 0) return add(counts, oneCheck(title, exitCode));
  return counts;
}
