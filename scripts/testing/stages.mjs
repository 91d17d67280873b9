// The stages of `npm test` and `npm run test:all`.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { labNames, partsOfLabs } from '../labs.mjs';
import { ROOT } from '../packages.mjs';

/**
 * @typedef {object} Stage
 * @property {string} title
 * @property {readonly string[]} command arguments of node: a script and its options
 * @property {readonly string[]} [after] titles of the stages that have to end first
 * @property {Record<string, string>} [env]
 * @property {boolean} [isShown] whether its output is printed even if it succeeds
 * @property {boolean} [hasTests] whether it writes results of tests (results-reporter.mjs); otherwise its exit code is one check
 */

const LABS = labNames();

/** The lab without which `npm test` checks the project: another after each commit, chosen by the hash of the commit alone. */
function labOfCommit() {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  // Without Git, or before the first commit, there is no hash, and the first lab is chosen.
  return LABS[(Number.parseInt(stdout?.slice(0, 8) ?? '', 16) || 0) % LABS.length];
}

/** Cases of each kind that the fuzzer tries, those of labs included. */
const FUZZ_CASES = {
  matrices: 3500,
  mutants: 8000,
  addresses: 20_000,
  reports: 4000,
  records: 440,
  sets: 100,
  models: 500,
  talks: 100,
  ...casesOfLabs(),
};

/** @returns {Record<string, number>} */
function casesOfLabs() {
  const texts = partsOfLabs('fuzz/cases.json').map((path) => readFileSync(join(ROOT, path), 'utf8'));
  return Object.fromEntries(texts.flatMap((text) => Object.entries(JSON.parse(text))));
}

/**
 * Options of V8 for tests in Node, where most functions run only a few times and all cores are busy. A later start of the
 * optimising compiler and garbage collection on one thread save a sixth of the CPU time. Most objects are short-lived, so a
 * young generation four times as large saves another seventh.
 */
const V8_OPTIONS = ['--interrupt-budget=600000', '--single-threaded-gc', '--max-semi-space-size=128'];

/** Makes programs written in Go collect garbage less often, which saves CPU time. Other programs ignore it. */
const RARE_GO_COLLECTION = { GOGC: '400' };

const REPORTER = join(ROOT, 'scripts', 'testing', 'results-reporter.mjs');

/**
 * Script of an installed package, to be run by node.
 *
 * @param {string} path below node_modules
 */
const script = (path) => join(ROOT, 'node_modules', path);

/**
 * The stages of `npm test`, or of `npm run test:all`.
 *
 * @param {object} choice
 * @param {boolean} choice.all
 * @param {number} choice.seed of random cases
 * @param {readonly number[]} choice.ports that are free, one for each stage that visits the built page
 * @returns {readonly Stage[]}
 */
export function stagesOf({ all, seed, ports }) {
  const vite = script('vite/bin/vite.js');
  /** @type {(title: string, command: readonly string[], after?: readonly string[]) => Stage} */
  const check = (title, command, after = []) => ({ title, command, after, env: RARE_GO_COLLECTION });
  /** @type {(title: string, project: string, options?: readonly string[]) => Stage} */
  const vitest = (title, project, options = []) => ({
    title,
    // One worker, since other stages run at the same time.
    command: [
      ...V8_OPTIONS,
      script('vitest/vitest.mjs'),
      'run',
      ...options,
      `--project=${project}`,
      '--reporter=default',
      `--reporter=${REPORTER}`,
    ],
    after: ['browsers'],
    env: { TEST_WORKERS: '1' },
    hasTests: true,
  });
  /** @type {(title: string, part: number, options: readonly string[], after: readonly string[]) => Stage} */
  const playwright = (title, part, options, after) => ({
    title,
    command: [script('@playwright/test/cli.js'), 'test', '--workers=1', `--reporter=list,${REPORTER}`, ...options],
    after,
    env: { E2E_PORT: String(ports[part]), E2E_PART: `part-${part}` },
    hasTests: true,
  });
  const fuzzCases = Object.entries(FUZZ_CASES).flatMap(([kind, count]) => [`--${kind}`, String(count)]);
  const fuzz = [
    check('bundle of the fuzzer', [vite, 'build', '--config', 'fuzz/vite.config.ts', '--logLevel', 'warn']),
    check('fuzz', [join(ROOT, '.cache', 'fuzz.mjs'), '--seed', String(seed), ...fuzzCases], ['bundle of the fuzzer']),
  ];
  /** The labs without each of which the project is checked. */
  const removedLabs = all || LABS.length === 0 ? LABS : [labOfCommit()];
  // The longest stages begin first, with the stages that they depend on. Next to two browsers, a stage of one thread would get
  // a third of a core, and the long stages would end minutes after all others; so only short stages run next to a browser stage.
  return [
    // Stages that need no browser begin while this one installs.
    { ...check('browsers', [join(ROOT, 'scripts', 'browsers.mjs'), ...(all ? ['--all'] : [])]), isShown: true },
    check('build', [vite, 'build']),
    // One page, which loads the modules once.
    vitest('GPU tests', 'gpu'),
    playwright('browser tests', 0, ['--project=site'], ['build', 'GPU tests']),
    // One process: each would transform and load all modules.
    vitest('unit tests', 'unit'),
    ...removedLabs.map((lab) =>
      check(
        `without ${lab}${all ? '' : ': types, imports, build'}`,
        [join(ROOT, 'scripts', 'without-lab.mjs'), lab, ...(all ? [] : ['--short'])],
        ['browsers'],
      ),
    ),
    vitest('component tests', 'components*'),
    playwright(all ? 'Firefox and WebKit' : 'Firefox', 1, ['--project=browsers'], ['browsers', 'build']),
    // Lint and types share one program that loads types once. A file is checked in the first project that contains it; in
    // test:all, in each.
    check('lint and types', [script('oxlint/bin/oxlint'), '--deny-warnings', '--type-check']),
    ...(all ? fuzz : []),
    check('unused exports', [script('knip/bin/knip.js'), '--no-progress']),
    ...(all ? [check('types of every project', [join(ROOT, 'scripts', 'types.mjs')])] : []),
    check('format', [script('oxfmt/bin/oxfmt'), '--check']),
    check('imports', [join(ROOT, 'scripts', 'import-rules.mjs')]),
    check('size of the first screen', [join(ROOT, 'scripts', 'check-size.mjs')], ['build']),
  ];
}

/** How many stages visit the built page, each with a port of its own. */
export const PORT_COUNT = 2;
