// npm test: installs missing packages and browsers, and runs the checks that decide whether a change is good.
// `npm run test:all` runs every check, with different random cases every day; `npm run test:all -- --list` lists the tests that
// npm test leaves out.
// A stage is one program of checks, such as the unit tests. A failed stage does not stop the others. The last line is
// `N passed, N failed`; the exit code is 1 on a failure.
// Imports no package at the top, since packages are installed first.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { freePort } from './free-port.mjs';
import { installPackages, ROOT } from './packages.mjs';
import { killRunning, runChild } from './testing/child.mjs';
import {
  add,
  countTests,
  failureLine,
  NOTHING,
  oneCheck,
  readResults,
  RESULTS_FILE,
  summary,
} from './testing/counts.mjs';
import { listText } from './testing/scheduled.mjs';
import { runInSlots } from './testing/slots.mjs';
import { PORT_COUNT, stagesOf } from './testing/stages.mjs';

/** Stages that run at once: one more than two cores, since a stage sometimes waits for a page, a program or a file. */
const SLOTS = 3;

/** A stage that prints nothing and ends no test for this long is stopped. Stages have no other limit: a machine may be slow. */
const SILENT_MS = 10 * 60_000;
/** A running stage prints its progress this often. */
const PROGRESS_MS = 60_000;
/** Number of slow tests that are listed at the end. */
const SLOWEST = 20;

const DAY_MS = 86_400_000;

/** @typedef {import('./testing/stages.mjs').Stage} Stage */
/** @typedef {import('./testing/counts.mjs').Counts} Counts */
/** @typedef {import('./testing/counts.mjs').Result} Result */

const startedAt = Date.now();

/**
 * Prints a line after the time since the start, as minutes:seconds.
 *
 * @param {string} line
 */
function printTimed(line) {
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const clock = `${String(Math.floor(seconds / 60)).padStart(2, ' ')}:${String(seconds % 60).padStart(2, '0')}`;
  console.log(`${clock}  ${line}`);
}

/**
 * Runs one stage, and reports at once which tests fail.
 *
 * @param {Stage} stage
 * @param {NodeJS.ProcessEnv} env
 * @param {string} folder for its results and what it prints
 * @returns {Promise<{ counts: Counts, results: readonly Result[] }>}
 */
async function runStage(stage, env, folder) {
  const { title, command } = stage;
  const name = title.replaceAll(/\W+/g, '-');
  const outputFile = join(folder, `${name}.txt`);
  const resultsFile = join(folder, `${name}.jsonl`);
  const output = openSync(outputFile, 'w');
  const start = Date.now();
  printTimed(`${title} ...`);
  let printedFailures = 0;
  let lastPrinted = start;
  // While the stage runs, prints each new failure, and its progress once a minute.
  const progressTimer = setInterval(() => {
    const { results } = readResults(resultsFile);
    const failed = results.filter(({ status }) => status === 'failed');
    for (const result of failed.slice(printedFailures)) printTimed(`${title}: FAILED ${failureLine(result)}`);
    printedFailures = failed.length;
    if (Date.now() - lastPrinted < PROGRESS_MS) return;
    lastPrinted = Date.now();
    printTimed(`${title}: ${stage.hasTests ? `${results.length} tests so far` : 'running'}`);
  }, 5000);
  const code = await runChild(
    {
      command,
      cwd: ROOT,
      env: { ...env, ...stage.env, [RESULTS_FILE]: resultsFile },
      output,
      progress: [outputFile, resultsFile],
      silentMs: SILENT_MS,
    },
    (line) => printTimed(`${title}: ${line}`),
  );
  clearInterval(progressTimer);
  closeSync(output);
  const finalResults = readResults(resultsFile);
  const counts = stage.hasTests ? countTests(title, finalResults, code) : oneCheck(title, code);
  if (counts.failed > 0 || stage.isShown) console.log(`\n=== ${title}\n${readFileSync(outputFile, 'utf8')}`);
  printTimed(`${title}: ${summary(counts)} (${Math.round((Date.now() - start) / 1000)} s)`);
  return { counts, results: finalResults.results };
}

/**
 * Installs packages, runs all stages, and prints the slowest and the failed tests.
 *
 * @param {boolean} all also the tests that only `npm run test:all` runs
 * @returns {Promise<Counts>}
 */
async function runAll(all) {
  installPackages();
  const seed = process.env.FUZZ_SEED ? Number(process.env.FUZZ_SEED) : all ? Math.floor(Date.now() / DAY_MS) : 1;
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, FUZZ_SEED: String(seed), TEST_ALL: all ? '1' : '' };
  let totals = NOTHING;
  const ports = [];
  while (ports.length < PORT_COUNT) ports.push(await freePort());
  const folder = mkdtempSync(join(tmpdir(), 'sparsescope-test-'));
  /** @type {Result[]} */
  const allResults = [];
  try {
    await runInSlots(stagesOf({ all, seed, ports }), SLOTS, async (stage) => {
      const { counts, results } = await runStage(stage, env, folder);
      totals = add(totals, counts);
      if (stage.title === 'browsers' && counts.failed === 0) env.CHROMIUM_PATH = await ensureChromium();
      // bounded: tests of a stage
      allResults.push(...results);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const slowest = allResults.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  console.log(`\nThe slowest ${SLOWEST} tests:`);
  for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
  if (totals.failures.length > 0) console.log(`\nFailed:\n${totals.failures.map((line) => `  ${line}`).join('\n')}`);
  printTimed('ended');
  return totals;
}

const unknown = process.argv.slice(2).find((option) => option !== '--all' && option !== '--list');
if (unknown !== undefined) {
  console.error(`test: found '${unknown}', expected --all, --list or nothing`);
  process.exit(2);
}
if (process.argv.includes('--list')) {
  console.log(listText());
  process.exit();
}
// Stopping the run stops its browsers and servers, too.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    killRunning();
    process.exit(1);
  });
}

let totals;
try {
  totals = await runAll(process.argv.includes('--all'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  totals = oneCheck('npm test', 1);
}
console.log(`\n${summary(totals)}`);
process.exitCode = totals.failed > 0 ? 1 : 0;
