// npm test: installs what is missing, packages and browsers included, and runs every check there is.
// A stage that fails does not stop the next one. The last line is `N passed, N failed`; the exit code is 1 on a failure.
// Needs nothing but Node and npm: whatever comes from a package is imported after the installation.
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { freePort } from './free-port.mjs';
import { ensureOtherBrowsers } from './other-browsers.mjs';
import { installPackages, ROOT } from './packages.mjs';
import { add, counted, NOTHING, oneCheck, readPlaywright, readVitest, summary } from './test-counts.mjs';

const STAGE_LIMIT_MS = 25 * 60_000;

const FORMATS = 'src/formats';

/** Law 6, by far the longest of the tests on a software GPU. */
const KERNEL_CONTRACT = `${FORMATS}/contract.gpu.test.ts`;

/** About a minute, always with the same cases: a red run means a change. */
const FUZZ = [
  ['--seed', '1'],
  ['--matrices', '3500'],
  ['--mutants', '8000'],
  ['--addresses', '20000'],
  ['--reports', '4000'],
  ['--drafts', '500'],
  ['--records', '500'],
  ['--sets', '100'],
  ['--models', '500'],
  ['--decoders', '1000'],
  ['--talks', '100'],
  ['--folders', '300'],
  ['--answers', '300'],
].flat();

/**
 * @typedef {object} Stage
 * @property {string} title
 * @property {readonly string[]} command arguments of node: a script and its options
 * @property {Record<string, string>} [env]
 * @property {(exitCode: number) => import('./test-counts.mjs').Counts} count
 */

/**
 * Runs one stage. A stage that cannot be started or does not end in time has failed.
 *
 * @param {Stage} stage
 * @param {NodeJS.ProcessEnv} env
 * @param {number | 'inherit'} output where to: a file that is open, or where this program's own goes
 * @returns {Promise<number>} exit code
 */
function runStage(stage, env, output) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, stage.command, {
      cwd: ROOT,
      env: { ...env, ...stage.env },
      stdio: ['ignore', output, output],
    });
    // SIGTERM first, so that a test runner closes its browser.
    const late = setTimeout(() => {
      console.error(`${stage.title}: stopped after ${STAGE_LIMIT_MS / 60_000} minutes`);
      child.kill('SIGTERM');
    }, STAGE_LIMIT_MS);
    const tooLate = setTimeout(() => child.kill('SIGKILL'), STAGE_LIMIT_MS + 20_000);
    child.on('error', (error) => console.error(error.message));
    child.on('close', (code) => {
      clearTimeout(late);
      clearTimeout(tooLate);
      resolve(code ?? 1);
    });
  });
}

/**
 * Runs lanes at once, the stages of each in turn. What they print is shown stage by stage, of the first lane as it comes.
 *
 * @param {readonly (readonly Stage[])[]} lanes
 * @param {NodeJS.ProcessEnv} env
 * @param {string} folder for what the other lanes print until it is their turn
 * @returns {Promise<readonly (readonly number[])[]>} their exit codes
 */
async function runTogether(lanes, env, folder) {
  const running = lanes.map(async (lane, i) => {
    const codes = [];
    const printed = [];
    for (const [k, stage] of lane.entries()) {
      const title = `\n=== ${stage.title}`;
      if (i === 0) console.log(title);
      const path = join(folder, `output-${i}-${k}`);
      codes.push(await runStage(stage, env, i === 0 ? 'inherit' : openSync(path, 'w')));
      if (i > 0) printed.push(`${title}\n${readFileSync(path, 'utf8')}`);
    }
    return { codes, printed };
  });
  const ended = await Promise.all(running);
  for (const { printed } of ended) for (const text of printed) console.log(text);
  return ended.map(({ codes }) => codes);
}

/**
 * Script of an installed package, to be run by node.
 *
 * @param {string} path below node_modules
 */
const script = (path) => join(ROOT, 'node_modules', path);

/**
 * @param {string} results folder for the reports of the test runners
 * @param {readonly number[]} ports three that are free
 * @returns {readonly (readonly (readonly Stage[])[])[]} the lanes of one entry run at once, the stages of a lane in turn
 */
function stages(results, ports) {
  const tsc = script('typescript/bin/tsc');
  const vitest = script('vitest/vitest.mjs');
  /**
   * @param {string} title
   * @param {readonly string[]} projects
   * @param {readonly string[]} [files] which of their files
   */
  const vitestStage = (title, projects, files = []) => {
    const file = join(results, `${title}.json`);
    return {
      title,
      command: [
        vitest,
        'run',
        ...files,
        ...projects.flatMap((project) => ['--project', project]),
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
      ],
      count: counted(file, readVitest),
    };
  };
  /**
   * @param {string} project
   * @param {string} title
   * @param {number} port for the site that Playwright visits: one for each, since a stage that was stopped may leave its own taken
   * @param {readonly string[]} [options]
   */
  const playwrightStage = (project, title, port, options = []) => {
    const file = join(results, `${project}.json`);
    return {
      title,
      command: [script('@playwright/test/cli.js'), 'test', `--project=${project}`, '--reporter=list,json', ...options],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file, E2E_PORT: String(port) },
      count: counted(file, readPlaywright),
    };
  };
  const texts = [
    { title: 'lint', command: [script('oxlint/bin/oxlint'), '--deny-warnings'], count: oneCheck },
    { title: 'format', command: [script('oxfmt/bin/oxfmt'), '--check'], count: oneCheck },
    { title: 'imports', command: [join(ROOT, 'scripts', 'import-rules.mjs')], count: oneCheck },
  ];
  const programs = [
    { title: 'unused exports', command: [script('knip/bin/knip.js'), '--no-progress'], count: oneCheck },
    ...['pure', 'worker', 'app', 'node'].map((part) => ({
      title: `types of ${part}`,
      command: [tsc, '-p', `tsconfig.${part}.json`],
      count: oneCheck,
    })),
  ];
  const others = [
    vitestStage('unit tests', ['unit', 'components']),
    { title: 'build', command: [script('vite/bin/vite.js'), 'build'], count: oneCheck },
    { title: 'size of the first screen', command: [join(ROOT, 'scripts', 'check-size.mjs')], count: oneCheck },
    vitestStage('GPU tests of everything else', ['gpu'], ['--exclude', `${FORMATS}/**`]),
  ];
  const onThePage = [
    playwrightStage('site', 'browser tests', ports[0]),
    playwrightStage('browsers', 'Firefox and WebKit', ports[1]),
    playwrightStage('timing', 'timing of the page', ports[2], ['--workers=1']),
  ].map((stage) => [[stage]]);
  // A software GPU keeps one core busy: the kernels take about as long as the unit tests.
  const onGpu = [
    vitestStage('kernels', ['gpu'], [KERNEL_CONTRACT]),
    vitestStage('other GPU tests of formats', ['gpu'], [FORMATS, '--exclude', KERNEL_CONTRACT]),
    {
      title: 'bundle of the fuzzer',
      command: [script('vite/bin/vite.js'), 'build', '--config', 'fuzz/vite.config.ts', '--logLevel', 'warn'],
      count: oneCheck,
    },
    { title: 'fuzz', command: [join(ROOT, '.cache', 'fuzz.mjs'), ...FUZZ], count: oneCheck },
  ];
  return [[texts, programs], [others, onGpu], ...onThePage];
}

/** @returns {Promise<import('./test-counts.mjs').Counts>} */
async function runAll() {
  installPackages();
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env };
  let totals = NOTHING;
  try {
    env.CHROMIUM_PATH = await ensureChromium();
  } catch (error) {
    // Stages without a browser are still worth running; those that need one fail and are counted.
    console.error(error instanceof Error ? error.message : error);
    totals = add(totals, oneCheck(1));
  }
  ensureOtherBrowsers();
  const results = mkdtempSync(join(tmpdir(), 'sparsescope-test-'));
  /** @type {string[]} */
  const failed = [];
  try {
    for (const lanes of stages(results, [await freePort(), await freePort(), await freePort()])) {
      for (const [i, codes] of (await runTogether(lanes, env, results)).entries()) {
        for (const [k, code] of codes.entries()) {
          const { title, count } = lanes[i][k];
          const counts = count(code);
          if (counts.failed > 0) failed.push([`${title}: ${summary(counts)}`, ...counts.failures].join('\n    '));
          totals = add(totals, counts);
        }
      }
    }
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
  if (failed.length > 0) console.log(`\nFailed:\n${failed.map((line) => `  ${line}`).join('\n')}`);
  return totals;
}

let totals;
try {
  totals = await runAll();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  totals = oneCheck(1);
}
console.log(`\n${summary(totals)}`);
process.exitCode = totals.failed > 0 ? 1 : 0;
