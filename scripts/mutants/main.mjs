// npm run mutants plants faults in a temporary copy of the project, runs the tests that have to find each, and says which
// were found. Rounds of several faults: those in different kernels, formats or folders are told apart by the tests that
// fail.
//   --list            names the faults
//   --only ID,ID      only these
//   --all             with all cases of npm run test:all instead of those of npm test
//   --kernels, --unit only the faults of kernels, or only the others
//   --choose          chooses the cases of kernels for npm test by what all cases find (src/formats/kernel-cases.json)
//   --from FILE       with --choose: of the earlier run that wrote FILE (.cache/mutants.json)
//   --seed N          with --choose: of the halves of the faults, 1 by default
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../packages.mjs';
import { caughtBy, chooseCases, halves, kernelCase, keyOf } from './cases.mjs';
import { FAULTS, projectOf, reaches, roundsOf } from './faults.mjs';
import { copyOfTree, runVitest } from './tree.mjs';

const { values: options } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    kernels: { type: 'boolean', default: false },
    unit: { type: 'boolean', default: false },
    choose: { type: 'boolean', default: false },
    from: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const CASES_FILE = 'src/formats/kernel-cases.json';
const RESULTS_FILE = '.cache/mutants.json';
/** @param {import('./faults.mjs').Fault} fault */
const isOfKernels = ({ kernels }) => kernels.length > 0;

const only = options.only?.split(',');
const unknown = only?.filter((id) => !FAULTS.some((fault) => fault.id === id)) ?? [];
if (unknown.length > 0) {
  console.error(`--only: found ${unknown.join(', ')}, expected ids of 'npm run mutants -- --list'`);
  process.exit(2);
}
const faults = FAULTS.filter(
  (fault) =>
    (only === undefined || only.includes(fault.id)) &&
    !((options.kernels || options.choose) && !isOfKernels(fault)) &&
    !(options.unit && isOfKernels(fault)),
);

if (options.list) {
  for (const { id, file, what, kernels, test, title } of faults) {
    console.log(
      `${id}\n  ${what} (${file})\n  found by ${test}${title ? `, ${title}` : ''}${kernels.map((k) => ` ${k}`).join('')}`,
    );
  }
  console.log(`${faults.length} planted faults`);
} else if (options.choose) {
  choose(options.from ? readResults(options.from) : await runAll(true));
} else {
  report(await runAll(options.all));
}

/**
 * What came of each fault, and all cases of kernels that were seen with the time they took.
 *
 * @typedef {{ results: { id: string, killedBy: string | null, seconds: number, caught: [string, string[]][] }[], cases: import('./cases.mjs').KernelCase[] }} Results
 */

/**
 * @param {boolean} isAll
 * @returns {Promise<Results>}
 */
async function runAll(isAll) {
  const tree = copyOfTree();
  const begin = Date.now();
  /** @type {Results['results']} */
  const results = [];
  /** @type {Map<string, import('./cases.mjs').KernelCase>} */
  const cases = new Map();
  // Chromium and the copy outlast nobody: also where a person stops the run.
  process.on('exit', () => tree.remove());
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
  const rounds = roundsOf(faults);
  for (const [i, round] of rounds.entries()) {
    tree.plant(round);
    const { tests, seconds, output } = await runVitest(tree.dir, argsOf(round), isAll ? { TEST_ALL: '1' } : {});
    const failed = tests.filter(({ status }) => status === 'failed');
    for (const { title, ms } of tests) {
      const one = kernelCase(title, ms);
      if (one) cases.set(keyOf(one), { ...one, ms: Math.max(ms, cases.get(keyOf(one))?.ms ?? 0) });
    }
    console.log(
      `round ${i + 1} of ${rounds.length}: ${round.length} faults, ${tests.length} tests, ${seconds.toFixed(0)} s`,
    );
    if (tests.length === 0) console.log(output.slice(-2000));
    for (const fault of round) {
      const own = failed.filter((test) => finds(fault, test));
      const caught = isOfKernels(fault) ? caughtIn(own) : [];
      const killedBy =
        own.length > 0
          ? `${own.length} of ${tests.filter((test) => ran(test) && finds(fault, test)).length} tests, ${own[0].title}`
          : null;
      results.push({ id: fault.id, killedBy, seconds, caught });
      console.log(
        `  ${killedBy === null ? 'SURVIVED' : 'killed'} ${fault.id} (${fault.what})${killedBy === null ? '' : `: ${killedBy}`}`,
      );
    }
    for (const test of failed) {
      if (!round.some((fault) => finds(fault, test)))
        console.log(`  failed as well: ${test.file}, ${test.title}: ${test.message}`);
    }
  }
  console.log(`${((Date.now() - begin) / 60_000).toFixed(1)} minutes`);
  const all = { results, cases: [...cases.values()] };
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(join(ROOT, RESULTS_FILE), JSON.stringify(all));
  return all;
}

/** @param {import('./tree.mjs').TestResult} test */
function ran({ status }) {
  return status === 'failed' || status === 'passed';
}

/**
 * Whether a test is one that has to find the fault.
 *
 * @param {import('./faults.mjs').Fault} fault
 * @param {import('./tree.mjs').TestResult} test
 */
function finds(fault, { file, title }) {
  if (file !== fault.test || title === '(the file)') return false;
  if (!isOfKernels(fault)) return new RegExp(fault.title).test(title);
  const one = kernelCase(title, 0);
  return one !== null && reaches(fault, one.kernel);
}

/**
 * @param {readonly import('./tree.mjs').TestResult[]} failed
 * @returns {[string, string[]][]}
 */
function caughtIn(failed) {
  /** @type {Map<string, string[]>} */
  const caught = new Map();
  for (const { title } of failed) {
    const one = kernelCase(title, 0);
    if (one) caught.set(one.kernel, [...(caught.get(one.kernel) ?? []), keyOf(one)]);
  }
  return [...caught];
}

/**
 * The arguments of Vitest for a round.
 *
 * @param {readonly import('./faults.mjs').Fault[]} round
 */
function argsOf(round) {
  const files = [...new Set(round.map(({ test }) => test))];
  const names = round.flatMap((fault) =>
    isOfKernels(fault) ? fault.kernels.map((k) => `${k.replace('*', '\\w*')}: `) : fault.title,
  );
  const filter = names.includes('') ? [] : ['-t', `(${[...new Set(names)].join('|')})`];
  return ['--project', projectOf(round[0]), ...files, ...filter];
}

/** @param {Results} found */
function report({ results }) {
  const survivors = results.filter(({ killedBy }) => killedBy === null);
  const rate = (100 * (results.length - survivors.length)) / Math.max(1, results.length);
  console.log(
    `${results.length - survivors.length} of ${results.length} planted faults were found (${rate.toFixed(1)} %)`,
  );
  for (const { id, killedBy } of results) {
    const fault = FAULTS.find((one) => one.id === id);
    const expected = fault?.survives ?? (options.all ? null : fault?.foundLater) ?? null;
    if (killedBy !== null && expected !== null) console.log(`  ${id} is listed as one that survives, and was found`);
    if (killedBy !== null) continue;
    console.log(
      expected === null ? `  ${id} survived: ${fault?.test} has to find it` : `  ${id} survives: ${expected}`,
    );
    if (expected === null) process.exitCode = 1;
  }
}

/**
 * @param {string} file
 * @returns {Results}
 */
function readResults(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** @param {Results} found */
function choose({ results, cases }) {
  const seed = Number(options.seed);
  const caught = results.map(({ id, caught }) => ({ id, caught: new Map(caught) }));
  const killed = caught.filter((fault) => fault.caught.size > 0);
  const [a, b] = halves(killed, seed);
  const byA = chooseCases(cases, a);
  /** @type {(some: readonly unknown[], of: readonly unknown[]) => string} */
  const share = (some, of) => `${some.length} of ${of.length} (${((100 * some.length) / of.length).toFixed(1)} %)`;
  console.log(`all cases catch ${share(killed, caught)} of the planted faults of kernels`);
  console.log(
    `chosen by half A (seed ${seed}), the cases catch ${share(caughtBy(byA, a), a)} of A and ${share(caughtBy(byA, b), b)} of B`,
  );
  const chosen = chooseCases(cases, killed);
  console.log(`chosen by all, they catch ${share(caughtBy(chosen, killed), killed)}`);
  const lists = Object.values(chosen);
  /** @param {'agrees' | 'notFinite'} law */
  const count = (law) => lists.reduce((sum, laws) => sum + laws[law].length, 0);
  console.log(`${count('agrees')} cases that agree and ${count('notFinite')} that are not finite, of ${cases.length}`);
  writeFileSync(join(ROOT, CASES_FILE), JSON.stringify(chosen));
  spawnSync(process.execPath, [join(ROOT, 'node_modules/oxfmt/bin/oxfmt'), CASES_FILE], {
    cwd: ROOT,
    stdio: 'inherit',
  });
}
