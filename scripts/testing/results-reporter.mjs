// A test reporter for Vitest and Playwright: writes a line of JSON as each test ends, so that a stopped run has results, too.
// Each of the two runners calls its own methods of the class.
import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { RESULTS_FILE } from './counts.mjs';

/** The first line of a message, without the colour codes of the runners. */
const firstLine = (message = '') => stripVTControlCharacters(message).split('\n')[0];

// oxlint-disable-next-line import/no-default-export -- the shape that both runners expect
export default class ResultsReporter {
  /** @param {import('./counts.mjs').Result | { end: true }} line */
  #write(line) {
    const file = process.env[RESULTS_FILE];
    if (!file) throw new Error(`${RESULTS_FILE}: found nothing, expected the file for the results of this run`);
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }

  /**
   * @param {string} name
   * @param {string | undefined} message
   */
  #writeFailure(name, message) {
    this.#write({ name, status: 'failed', ms: 0, why: firstLine(message) });
  }

  // Vitest

  /** @param {import('vitest/node').TestCase} testCase */
  onTestCaseResult(testCase) {
    // Scheduled tests are left out, not skipped.
    if (testCase.meta().scheduled && testCase.result().state === 'skipped') return;
    const { state, errors } = testCase.result();
    this.#write({
      name: `${testCase.module.relativeModuleId} > ${testCase.fullName}`,
      status: state === 'passed' || state === 'skipped' ? state : 'failed',
      ms: Math.round(testCase.diagnostic()?.duration ?? 0),
      ...(errors ? { why: firstLine(errors[0]?.message) } : {}),
    });
  }

  /**
   * Reports files that could not be loaded, and failures outside of tests, such as in beforeAll.
   *
   * @param {import('vitest/node').TestModule} testModule
   */
  onTestModuleEnd(testModule) {
    for (const { message } of testModule.errors()) this.#writeFailure(testModule.relativeModuleId, message);
    for (const suite of testModule.children.allSuites()) {
      for (const { message } of suite.errors())
        this.#writeFailure(`${testModule.relativeModuleId} > ${suite.fullName}`, message);
    }
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} _testModules
   * @param {readonly { readonly message: string }[]} unhandledErrors
   */
  onTestRunEnd(_testModules, unhandledErrors) {
    for (const { message } of unhandledErrors) this.#writeFailure('outside of every test', message);
    this.#write({ end: true });
  }

  // Playwright

  /**
   * @param {import('@playwright/test/reporter').TestCase} testCase
   * @param {import('@playwright/test/reporter').TestResult} result
   */
  onTestEnd(testCase, result) {
    const outcome = testCase.outcome();
    this.#write({
      name: testCase.titlePath().slice(2).join(' > '),
      // A flaky test, which passes only when repeated, counts as failed.
      status: outcome === 'expected' ? 'passed' : outcome === 'skipped' ? 'skipped' : 'failed',
      ms: result.duration,
      ...(result.error ? { why: firstLine(result.error.message) } : {}),
    });
  }

  /** @param {import('@playwright/test/reporter').TestError} error */
  onError(error) {
    this.#writeFailure('outside of every test', error.message);
  }

  onEnd() {
    this.#write({ end: true });
  }
}
