/** `npm run bench`: verifies and times kernels on generated matrices, and prints a table for each. */
import { writeFileSync } from 'node:fs';
import { SparseScopeError } from '../src/core/errors.ts';
import type { BenchReport } from '../src/core/report.ts';
import { formats } from '../src/formats/registry.ts';
import { generate } from '../src/generate/generate.ts';
import { patterns } from '../src/generate/patterns.ts';
import { ArgumentError, type BenchArguments, parseArguments, USAGE } from './arguments.ts';
import { casesOf } from './cases.ts';
import { CommandLineJob, measureRun, OpenDevice, runsOf, specOf } from './measure.ts';
import { checkOutput } from './output-file.ts';
import { reportTable } from './table.ts';
import { forgetTuning, TUNING_FILE } from './tuning-file.ts';

async function measureAll(options: BenchArguments, job: CommandLineJob): Promise<BenchReport[]> {
  const reports: BenchReport[] = [];
  if (options.tuning === 'again') forgetTuning(TUNING_FILE);
  const device = new OpenDevice();
  if (options.where === 'gpu') await device.open(options.device);
  for (const run of runsOf(options)) {
    const matrix = generate(specOf(run, options), job);
    const cases = casesOf(matrix, formats, options);
    const report = await measureRun(run, options, { matrix, cases }, device, job);
    job.clear();
    console.log(`${reportTable(report)}\n`);
    reports.push(report);
    // After every run, so that its results are kept if a later one fails.
    if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(reports, null, 2)}\n`);
  }
  device.close();
  return reports;
}

async function main(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const options = parseArguments(argv, formats, patterns);
  if (options.json !== null) checkOutput('--json', options.json);
  const reports = await measureAll(options, new CommandLineJob());
  const wrong = reports.some((r) => r.rows.some((row) => !row.verified.ok) || r.refused.some((k) => k.failed));
  return wrong ? 1 : 0;
}

try {
  // Not process.exitCode: the device keeps the process alive.
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof SparseScopeError)) throw error;
  console.error(`bench: ${error.message}`);
  process.exit(error instanceof ArgumentError ? 2 : 1);
}
