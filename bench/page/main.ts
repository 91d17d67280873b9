// Runs the same benchmark workloads on the page and on the command line, and compares the results.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '../../e2e/static-server.ts';
import { chromiumPath } from '../../scripts/chromium.mjs';
import {
  ArgumentError,
  type GivenArguments,
  type Options,
  optionsHelp,
  readArguments,
  rejectOperands,
  runProgram,
} from '../../scripts/command-line.ts';
import type { BenchReport } from '../../src/core/report.ts';
import { checkOutput } from '../output-file.ts';
import { compareReports, comparisonText, differenceOf, TOLERANCE } from './compare.ts';
import { measureOnPage, openChromium } from './drive.ts';
import { commandLine, PAGE_WORKLOADS } from './workloads.ts';

const OPTIONS = {
  site: { value: 'FOLDER', help: 'the built site                              (default dist)' },
  chromium: {
    value: 'FILE',
    help: 'the browser                                 (default CHROMIUM_PATH, or the first that is found)',
  },
  libraries: { value: 'FOLDER', help: 'shared libraries for it                     (default: of the machine)' },
  part: { value: 'both|command-line|page', help: 'what to measure now                (default both)' },
  'command-line': {
    value: 'FILE',
    help: 'reports of the command line, written or read   (default .cache/command-line.json)',
  },
  page: { value: 'FILE', help: 'reports of the page, written                (default .cache/page.json)' },
} as const satisfies Options;

const USAGE = `Usage: node scripts/run.mjs bench/page/main.ts [option value]...

Measures the same workloads on the command line (.cache/bench.mjs) and through the built page in Chromium, and compares
speeds relative to dense. Exits with 1 where they differ by more than ${100 * TOLERANCE} %.

${optionsHelp(OPTIONS)}`;

type Given = GivenArguments<keyof typeof OPTIONS>;

/** Runs each workload in a separate process, as `npm run bench` does, and writes all reports to `file`. */
function onCommandLine(file: string): void {
  const bench = join(import.meta.dirname, '../bench.mjs');
  const reports = PAGE_WORKLOADS.flatMap((workload) => {
    execFileSync(process.execPath, [bench, ...commandLine(workload), '--json', file], { stdio: 'inherit' });
    return JSON.parse(readFileSync(file, 'utf8')) as readonly BenchReport[];
  });
  writeFileSync(file, `${JSON.stringify(reports, null, 2)}\n`);
}

/** Runs each workload on the built page in Chromium. */
async function onPage(given: Given): Promise<readonly BenchReport[]> {
  const executable = given.value('chromium') ?? chromiumPath();
  if (executable === undefined) throw new Error('Chromium: found none, expected --chromium or CHROMIUM_PATH');
  const site = await serveStatic(given.value('site') ?? 'dist', '/');
  const browser = await openChromium(executable, given.value('libraries'));
  try {
    const reports: BenchReport[] = [];
    for (const workload of PAGE_WORKLOADS) {
      reports.push(await measureOnPage(browser, site.url, workload));
      console.log(`page: ${workload.operation} ${workload.shape}, density ${workload.density}`);
    }
    return reports;
  } finally {
    await browser.close();
    await site.close();
  }
}

async function main(argv: readonly string[]): Promise<number> {
  const given = readArguments(OPTIONS, argv);
  rejectOperands(given);
  const part = given.value('part') ?? 'both';
  if (!['both', 'command-line', 'page'].includes(part)) {
    throw new ArgumentError(`--part: found '${part}', expected one of both, command-line, page`);
  }
  const file = given.value('command-line') ?? '.cache/command-line.json';
  const pageFile = given.value('page') ?? '.cache/page.json';
  if (part !== 'page') checkOutput('--command-line', file);
  if (part !== 'command-line') checkOutput('--page', pageFile);
  if (part !== 'page') onCommandLine(file);
  if (part === 'command-line') return 0;
  const pages = await onPage(given);
  writeFileSync(pageFile, `${JSON.stringify(pages, null, 2)}\n`);
  const others = JSON.parse(readFileSync(file, 'utf8')) as readonly BenchReport[];
  const compared = pages.flatMap((report, i) => compareReports(report, others[i]));
  console.log(comparisonText(compared));
  return compared.length > 0 && compared.every((comparison) => Math.abs(differenceOf(comparison)) <= TOLERANCE) ? 0 : 1;
}

process.exit(await runProgram('measure:page', USAGE, main));
