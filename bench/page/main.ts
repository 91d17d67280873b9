import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '../../e2e/static-server.ts';
import { chromiumPath } from '../../scripts/chromium.mjs';
import type { BenchReport } from '../../src/core/report.ts';
import { messageOf } from '../../src/core/errors.ts';
import { checkOutput } from '../output-file.ts';
import { compareReports, comparisonText, differenceOf, TOLERANCE } from './compare.ts';
import { measureOnPage, openChromium } from './drive.ts';
import { commandLine, PAGE_WORKLOADS } from './workloads.ts';

const USAGE = `Usage: node scripts/run.mjs bench/page/main.ts [option value]...

Measures the same workloads on the command line (.cache/bench.mjs) and through the built page in Chromium, and compares
speeds relative to dense. Exits with 1 where they differ by more than ${100 * TOLERANCE} %.

  --site FOLDER          the built site                              (default dist)
  --chromium FILE        the browser                                 (default CHROMIUM_PATH, or the first that is found)
  --libraries FOLDER     shared libraries for it                     (default: those of the machine)
  --part both|command-line|page   what to measure now                (default both)
  --command-line FILE    reports of the command line, written or read   (default .cache/command-line.json)
  --page FILE            reports of the page, written                (default .cache/page.json)`;

function options(argv: readonly string[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (let i = 0; i < argv.length; i += 2) given.set(argv[i].replace(/^--/, ''), argv[i + 1] ?? '');
  return given;
}

/** Each workload in a separate process, as `npm run bench` runs it. */
function onCommandLine(file: string): void {
  const bench = join(import.meta.dirname, '../bench.mjs');
  const reports = PAGE_WORKLOADS.flatMap((workload) => {
    execFileSync(process.execPath, [bench, ...commandLine(workload), '--json', file], { stdio: 'inherit' });
    return JSON.parse(readFileSync(file, 'utf8')) as readonly BenchReport[];
  });
  writeFileSync(file, `${JSON.stringify(reports, null, 2)}\n`);
}

async function onPage(given: ReadonlyMap<string, string>): Promise<readonly BenchReport[]> {
  const executable = given.get('chromium') ?? chromiumPath();
  if (executable === undefined) throw new Error('Chromium: found none, expected --chromium or CHROMIUM_PATH');
  const site = await serveStatic(given.get('site') ?? 'dist', '/');
  const browser = await openChromium(executable, given.get('libraries'));
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
  if (argv.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const given = options(argv);
  const part = given.get('part') ?? 'both';
  const file = given.get('command-line') ?? '.cache/command-line.json';
  const pageFile = given.get('page') ?? '.cache/page.json';
  if (part !== 'page') checkOutput('--command-line', file);
  if (part !== 'command-line') checkOutput('--page', pageFile);
  if (part !== 'page') onCommandLine(file);
  if (part === 'command-line') return 0;
  const pages = await onPage(given);
  writeFileSync(pageFile, `${JSON.stringify(pages, null, 2)}\n`);
  const others = JSON.parse(readFileSync(file, 'utf8')) as readonly BenchReport[];
  const compared = pages.flatMap((report, i) => compareReports(report, others[i]));
  console.log(comparisonText(compared));
  return compared.length > 0 && compared.every((one) => Math.abs(differenceOf(one)) <= TOLERANCE) ? 0 : 1;
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  console.error(`measure:page: ${messageOf(error)}`);
  process.exit(2);
}
