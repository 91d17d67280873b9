/**
 * `npm run bench:page`: the cost of the built page and of its computations, next to the recorded figures. Times depend on
 * the machine, so no test judges them; ratios to a fixed piece of reference work of the same run depend on it far less.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import {
  ArgumentError,
  type Options,
  optionsHelp,
  readArguments,
  rejectOperands,
  runProgram,
} from '../../scripts/command-line.ts';
import { budgetTable, type Recorded, recordedFigures } from './budget-table.ts';
import { browserFile, FIGURES_FILE, figuresIn } from './figure.ts';
import { nodeFigures } from './node-figures.ts';

const OPTIONS = {
  record: { help: "records today's figures in bench/page/recorded.json" },
  page: { help: 'only the page' },
  node: { help: 'only encoders' },
} as const satisfies Options;

const USAGE = `Usage: npm run bench:page [-- option...]

Measures the built page in Chromium, and encoders in Node. Prints every figure beside the recorded one, both as
they are and in units of a fixed piece of reference work. Takes some minutes of an idle machine.

${optionsHelp(OPTIONS)}`;

/** The recorded figures. */
const RECORDED = resolve('bench/page/recorded.json');

/** The figures of this run, which the visits write one per line. */
const FIGURES = resolve('.cache/page-figures.jsonl');

/** Measures the page in Chromium. Playwright's test runner requires a separate process. */
function pageFigures(): ReturnType<typeof figuresIn> {
  mkdirSync(resolve('.cache'), { recursive: true });
  rmSync(FIGURES, { force: true });
  const runner = join('node_modules', '@playwright', 'test', 'cli.js');
  const { status } = spawnSync(process.execPath, [runner, 'test', '--config', 'bench/page/playwright.config.ts'], {
    stdio: 'inherit',
    env: { ...process.env, [FIGURES_FILE]: FIGURES },
  });
  if (status !== 0) throw new Error('the page: a visit failed');
  return figuresIn(readFileSync(FIGURES, 'utf8'));
}

/** Measures, prints the table, and records the figures if requested. */
function main(argv: readonly string[]): number {
  const line = readArguments(OPTIONS, argv);
  rejectOperands(line);
  const part = (['page', 'node'] as const).find((name) => line.has(name));
  if (line.has('page') && line.has('node'))
    throw new ArgumentError('--node: found it with --page, expected one of them');
  if (part !== undefined && line.has('record')) {
    throw new ArgumentError(`--record: found it with --${part}, expected it alone: all figures are recorded together`);
  }
  const figures = [
    ...(part === 'node' ? [] : pageFigures()),
    ...(part === 'page' ? [] : nodeFigures((line) => console.log(line))),
  ];
  const recorded = existsSync(RECORDED) ? (JSON.parse(readFileSync(RECORDED, 'utf8')) as Recorded) : null;
  console.log(`\n${budgetTable(figures, recorded)}`);
  if (line.has('record')) {
    const today: Recorded = {
      date: new Date().toISOString().slice(0, 10),
      browser: readFileSync(browserFile(FIGURES), 'utf8'),
      cores: availableParallelism(),
      figures: recordedFigures(figures),
    };
    writeFileSync(RECORDED, `${JSON.stringify(today, null, 2)}\n`);
  }
  return 0;
}

await runProgram('bench:page', USAGE, main);
