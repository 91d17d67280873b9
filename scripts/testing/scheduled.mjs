// Lists the tests that run on a schedule only, with their reasons, by reading the calls of scheduled().

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from '../labs.mjs';
import { ROOT } from '../packages.mjs';

/**
 * A test, or a family of tests in a loop, that runs on a schedule only.
 *
 * @typedef {object} Scheduled
 * @property {string} file
 * @property {string} title as written in the source: of a family of tests, the template
 * @property {string} why
 * @property {string} foundBy what finds its faults in `npm test`
 */

const FOLDERS = ['src', 'labs', 'test', 'e2e', 'bench', 'fuzz', 'scripts'];

/** A string as written, with its quotes. */
const STRING = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\`(?:[^\`\\]|\\.)*\``;
/** A call of scheduled(): the helper of Vitest has the title as its third argument; with Playwright the call follows the title. */
const CALL = new RegExp(
  String.raw`(?:\(\s*(?<before>${STRING}|[\w.]+),\s*)?(?<![\w.])scheduled\(\s*(?<why>${STRING}),\s*(?<foundBy>${STRING}),?\s*(?<after>${STRING})?`,
  'g',
);

/** @param {string} string */
const unquoted = (string) => string.replace(/^['"`]|['"`]$/g, '').replaceAll(/\\(.)/g, '$1');

/** @returns {readonly string[]} all files with tests, by their path in the project */
export function testFiles() {
  return filesIn(FOLDERS, /\.(?:test\.tsx?|spec\.ts)$/).toSorted();
}

/**
 * The scheduled tests of a file. Throws an Error where a reason is not written as a string: it could not be listed.
 *
 * @param {string} file
 * @param {string} text
 * @returns {readonly Scheduled[]}
 */
export function scheduledIn(file, text) {
  const found = [...text.matchAll(CALL)].map(({ groups = {} }) => ({
    file,
    // If the title is not written at the call, the test is listed with its reasons and no title.
    title: unquoted(groups.after ?? groups.before ?? ''),
    why: unquoted(groups.why),
    foundBy: unquoted(groups.foundBy),
  }));
  const calls = [...text.matchAll(/(?<![\w.'`])scheduled\(/g)].length;
  if (found.length !== calls)
    throw new Error(
      `${file}: found ${calls} calls of scheduled(), of which ${found.length} give their reasons as strings`,
    );
  return found;
}

/** @returns {readonly Scheduled[]} */
export const allScheduled = () =>
  testFiles()
    .filter((file) => file !== 'scripts/testing/scheduled.test.ts')
    .flatMap((file) => scheduledIn(file, readFileSync(join(ROOT, file), 'utf8')));

/** @returns {string} the list for the user */
export const listText = () =>
  allScheduled()
    .map((one) => `${one.file}\n  ${one.title}\n    scheduled: ${one.why}\n    its faults are found by: ${one.foundBy}`)
    .join('\n');
