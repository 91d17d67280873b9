// `npm run mutants`: mutation testing. Puts small faults (mutants) into sources, and prints the mutants that no test detects.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonTestResults } from 'vitest/node';
import { shaderFile } from './shader-modules.ts';
import { SparseScopeError } from '../src/core/errors.ts';
import { Random } from '../src/core/number/random.ts';
import { formats } from '../src/formats/registry.ts';
import { shuffle } from '../src/generate/pattern-steps.ts';
import { ArgumentError, numberIn, type Options, optionsHelp, readArguments, runProgram } from './command-line.ts';
import { plansOf } from './kernel-plans.ts';
import { chooseCases, type ChosenCases, type KernelCase, kernelCase } from './mutants/choose-cases.ts';
import { type Mutant, mutantsOf } from './mutants/wgsl-mutants.ts';
import { projectCopy } from './project-copy.mjs';

const OPTIONS = {
  tests: {
    value: 'PATTERN',
    help: 'the tests that are tried, instead of the ones above; may be repeated',
    isRepeatable: true,
  },
  choose: {
    help: 'kernels only, with all of their cases: chooses the cases of npm test (src/formats/kernel-cases.json), in hours',
  },
  'at-most': { value: 'N', help: 'at most N mutants of each shader, drawn at random' },
} as const satisfies Options;

const USAGE = `Usage: npm run mutants -- WHAT... [option value]...

Changes sources by small faults, one at a time, in a temporary copy of the project, and prints those that no test finds.

  src/X.ts         by Stryker, against the tests of its folder
  shaders/X.wgsl   against law 6 of the kernels that use it
  FORMAT/KERNEL    all shaders of a kernel, against law 6 of it alone

${optionsHelp(OPTIONS)}

Exits with 1 when nothing could be tried, with 2 when the command line is wrong.`;

const ROOT = resolve('.');
/** The test of law 6 of the contract of formats: the outputs of kernels agree with the oracle. */
const LAW_6_TEST = 'src/formats/contract/kernels.gpu.test.ts';
/** The cases of kernels that `npm test` tries. */
const CASES_FILE = 'src/formats/kernel-cases.json';
/** The packages of Stryker, in the last version that runs on the oldest Node that package.json allows. */
const STRYKER_PACKAGES = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@9.6.1`);
/** The folder in which Stryker is installed when it is needed, so that it is no dependency; there it finds the project's Vitest. */
const STRYKER_FOLDER = join(ROOT, '.cache/stryker');

/** A mutant with its result. Lines and columns begin at 1. */
interface SourceMutant {
  readonly fileName: string;
  readonly location: Readonly<Record<'start' | 'end', { readonly line: number; readonly column: number }>>;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
}

/** The part of Stryker's module that is used. */
interface StrykerModule {
  readonly Stryker: new (options: object) => { runMutationTest(): Promise<readonly SourceMutant[]> };
}

/** Runs Stryker on TypeScript sources, and prints the number of surviving mutants. */
async function mutateSources(files: readonly string[], tests: readonly string[]): Promise<void> {
  const core = join(STRYKER_FOLDER, 'node_modules/@stryker-mutator/core/dist/src/index.js');
  if (!existsSync(core)) {
    const options = ['--prefix', STRYKER_FOLDER, '--no-save', '--legacy-peer-deps'];
    spawnSync('npm', ['install', ...options, ...STRYKER_PACKAGES], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
  }
  const { Stryker } = (await import(/* @vite-ignore */ pathToFileURL(core).href)) as StrykerModule;
  // Not Stryker's option testFiles: with it, a mutant of a constant of a module is switched on after the module has been
  // loaded, so that no test can find it.
  process.env.MUTANT_TESTS = JSON.stringify(
    tests.length > 0 ? tests : files.map((file) => `${dirname(file)}/**/*.test.{ts,tsx}`),
  );
  const run = (mutate: readonly string[], coverageAnalysis: 'perTest' | 'off', reporters: readonly string[]) =>
    new Stryker({
      mutate,
      testRunner: 'vitest',
      vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: false },
      coverageAnalysis,
      concurrency: 1,
      dryRunTimeoutMinutes: 60,
      reporters: [...reporters, 'progress'],
      clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
      tempDirName: '.cache/stryker/sandbox',
      ignorePatterns: ['.cache', 'dist', 'dist-lib', 'dist-package'],
      cleanTempDir: 'always',
      allowConsoleColors: false,
      disableTypeChecks: false,
      // Stryker would rewrite it with TypeScript's library interface, which TypeScript 7 does not have.
      tsconfigFile: 'none',
    }).runMutationTest();
  const mutants = await run(files, 'perTest', []);
  if (mutants.length === 0) throw new SparseScopeError(`${files.join(', ')}: found no mutant, expected one`);
  // The coverage of each test is incomplete for code that runs once for several tests, such as a module that the first of them
  // imports: its mutants were tried against that test alone. So mutants that survived are tried again, against all tests.
  const firstSurvivors = mutants.filter(isSurvivor);
  const keys = new Set(firstSurvivors.map(keyOf));
  const ranges = new Set(firstSurvivors.map(rangeOf));
  const retried = ranges.size > 0 ? await run([...ranges], 'off', ['clear-text']) : [];
  const survivors = retried.filter((mutant) => isSurvivor(mutant) && keys.has(keyOf(mutant)));
  console.log(`${survivors.length} of ${mutants.length} mutants survive`);
}

const isSurvivor = ({ status }: SourceMutant): boolean => status === 'Survived' || status === 'NoCoverage';

/** The source range of a mutant as in Stryker's option `mutate`, with columns from 0. */
function rangeOf({ fileName, location: { start, end } }: SourceMutant): string {
  const file = relative(ROOT, resolve(fileName)).replaceAll(sep, '/');
  return `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

/** The identity of a mutant in several runs of Stryker. */
const keyOf = (mutant: SourceMutant): string => [rangeOf(mutant), mutant.mutatorName, mutant.replacement].join('\n');

/** The result of a run of Vitest. A run that was stopped counts as failed: a mutant may loop forever. */
interface TestRun {
  readonly failed: boolean;
  /** tests that ran and passed */
  readonly passed: number;
  readonly cases: readonly (KernelCase & { readonly status: string })[];
  readonly seconds: number;
}

/** Runs tests of the project copy in `dir`, at most `maxSeconds`; `allCases`: all cases instead of those of `npm test`. */
function runTests(
  dir: string,
  args: readonly string[],
  { allCases, maxSeconds }: { readonly allCases: boolean; readonly maxSeconds: number },
): TestRun {
  const report = join(dir, '.mutants.json');
  rmSync(report, { force: true });
  const begin = performance.now();
  const vitest = [join(dir, 'node_modules/vitest/vitest.mjs'), 'run', '--project=gpu', ...args];
  const { status } = spawnSync(process.execPath, [...vitest, '--reporter=json', `--outputFile=${report}`], {
    cwd: dir,
    env: { ...process.env, TEST_ALL: allCases ? '1' : '' },
    stdio: 'ignore',
    timeout: Math.ceil(1000 * maxSeconds),
    killSignal: 'SIGKILL',
  });
  const { testResults, numPassedTests } = existsSync(report)
    ? (JSON.parse(readFileSync(report, 'utf8')) as JsonTestResults)
    : { testResults: [], numPassedTests: 0 };
  const cases = testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap((test) => {
      const parsed = kernelCase([...test.ancestorTitles, test.title], test.duration ?? 0);
      return parsed ? [{ ...parsed, status: test.status }] : [];
    }),
  );
  return { failed: status !== 0, passed: numPassedTests, cases, seconds: (performance.now() - begin) / 1000 };
}

/** The shader files that a kernel is made of. */
function filesOf(plans: ReturnType<typeof plansOf>[number]['plans']): ReadonlySet<string> {
  const parts = plans.flatMap(({ plan }) => plan.passes.flatMap(({ files }) => files));
  const files = parts.map(({ path }) => shaderFile(path.replace(/#.*/, ''), ROOT));
  return new Set(files.filter((file) => existsSync(join(ROOT, file))));
}

/** A shader with the mutants to try. */
interface ShaderMutants {
  readonly file: string;
  readonly mutants: readonly Mutant[];
}

/** The mutants of a shader, or `atMost` of them at random. */
function mutantsIn(file: string, atMost: number): ShaderMutants {
  const all = mutantsOf(readFileSync(join(ROOT, file), 'utf8'));
  const order = Uint32Array.from(all, (_, i) => i);
  shuffle(order, new Random(1));
  const drawn = new Set(order.slice(0, atMost));
  return { file, mutants: all.filter((_, i) => drawn.has(i)) };
}

/**
 * Runs the tests for every mutant, and prints mutants that no test finds. Returns the cases that pass without a mutant, and the
 * cases that find each mutant. `allCases`: tries all cases for each mutant, instead of those of `npm test` up to the first
 * failure.
 */
function mutateShaders(shaders: readonly ShaderMutants[], args: readonly string[], allCases: boolean) {
  const dir = projectCopy(ROOT);
  const bail = allCases ? [] : ['--bail=1'];
  const unmutated = runTests(dir, args, { allCases, maxSeconds: 3600 });
  const command = `vitest run --project=gpu ${args.join(' ')}`;
  if (unmutated.failed) throw new SparseScopeError(`found tests that fail without a mutant: ${command}`);
  if (unmutated.passed === 0) throw new SparseScopeError(`found no test that ran, expected one: ${command}`);
  const detected: (readonly KernelCase[])[] = [];
  let survivors = 0;
  for (const { file, mutants } of shaders) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    console.log(`${file}: ${mutants.length} mutants, ${unmutated.seconds.toFixed(0)} s each`);
    for (const { line, before, after, text: mutatedText } of mutants) {
      writeFileSync(join(dir, file), mutatedText);
      const maxSeconds = 60 + 3 * unmutated.seconds;
      const { failed, cases } = runTests(dir, [...args, ...bail], { allCases, maxSeconds });
      const failedCases = cases.filter(({ status }) => status === 'failed');
      // `chooseCases` compares cases by identity, so these are the objects of the unmutated run.
      detected.push(
        unmutated.cases.filter((candidate) =>
          failedCases.some(({ law, title }) => law === candidate.law && title === candidate.title),
        ),
      );
      if (failed) continue;
      survivors++;
      console.log(`  survives: ${file}:${line}: ${before} → ${after || 'nothing'}`);
    }
    writeFileSync(join(dir, file), text);
  }
  const count = shaders.reduce((sum, { mutants }) => sum + mutants.length, 0);
  if (count === 0)
    throw new SparseScopeError(
      `${shaders.map(({ file }) => file).join(', ') || 'the kernel'}: found no mutant, expected one`,
    );
  console.log(`${survivors} of ${count} mutants survive`);
  return { cases: unmutated.cases.filter(({ status }) => status === 'passed'), found: detected };
}

/** Arguments of Vitest for law 6 of these kernels. */
const law6Arguments = (kernels: readonly string[]): readonly string[] => [
  LAW_6_TEST,
  '-t',
  `(?:${kernels.join('|')}): `,
];

async function main(argv: readonly string[]): Promise<number> {
  const args = readArguments(OPTIONS, argv);
  const tests = args.all('tests');
  const choose = args.has('choose');
  const atMost = numberIn(args.value('at-most') ?? 'Infinity');
  if (!(atMost >= 1)) {
    throw new ArgumentError(`--at-most: found '${args.value('at-most')}', expected a number from 1 on`);
  }
  const kernels = plansOf(formats).map(({ id, plans }) => ({ id, files: filesOf(plans) }));
  const isKernel = (operand: string): boolean => kernels.some(({ id }) => id === operand);
  const unknownOperand = args.operands.find(
    (operand) => !isKernel(operand) && (choose || !existsSync(join(ROOT, operand))),
  );
  if (args.operands.length === 0 || unknownOperand !== undefined) {
    throw new ArgumentError(
      `found ${unknownOperand === undefined ? 'nothing' : `'${unknownOperand}'`}, expected ${choose ? '' : 'sources, shaders or '}kernels such as ${kernels[0].id}`,
    );
  }
  const sources = args.operands.filter((operand) => /\.tsx?$/.test(operand));
  const shaders = args.operands.filter((operand) => !sources.includes(operand));
  const usersOf = (operand: string): typeof kernels =>
    kernels.filter(({ id, files }) => id === operand || files.has(operand));
  const unused = shaders.find((operand) => usersOf(operand).length === 0 && tests.length === 0);
  if (unused !== undefined) throw new ArgumentError(`${unused}: found no kernel that uses it, expected --tests FILE`);
  if (sources.length > 0) await mutateSources(sources, tests);
  for (const operand of shaders) {
    const used = usersOf(operand);
    const files = isKernel(operand) ? [...used[0].files] : [operand];
    const { cases, found } = mutateShaders(
      files.map((file) => mutantsIn(file, atMost)),
      tests.length > 0 ? tests : law6Arguments(used.map(({ id }) => id)),
      choose,
    );
    if (!choose) continue;
    const recordedCases = JSON.parse(readFileSync(join(ROOT, CASES_FILE), 'utf8')) as Readonly<
      Record<string, ChosenCases>
    >;
    const chosen = { ...recordedCases, [operand]: chooseCases(cases, found) };
    writeFileSync(join(ROOT, CASES_FILE), JSON.stringify(chosen));
    spawnSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', CASES_FILE], { cwd: ROOT, stdio: 'inherit' });
    console.log(`${CASES_FILE}: ${JSON.stringify(chosen[operand])}`);
  }
  return 0;
}

await runProgram('mutants', USAGE, main);
