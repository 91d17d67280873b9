/** `npm run bench`: verifies and times kernels on generated matrices, and prints a table for each. */
import { runProgram } from '../scripts/command-line.ts';
import type { BenchReport } from '../src/core/report.ts';
import { formats } from '../src/formats/registry.ts';
import { generate } from '../src/generate/generate.ts';
import { patterns } from '../src/generate/patterns.ts';
import { reportsToCsv } from '../src/core/reports/report-csv.ts';
import { type BenchArguments, parseArguments, USAGE } from './arguments.ts';
import { casesOf, unverifiedRequests } from './cases.ts';
import { CommandLineJob, measureRun, OpenDevice, runsOf, specOf } from './measure.ts';
import { JsonOutput, OutputFile } from './output-file.ts';
import { reportTable } from './table.ts';
import { forgetTuning, TUNING_FILE } from './tuning-file.ts';

/** The files of --json and --csv. */
interface Outputs {
  readonly json: JsonOutput;
  readonly csv: OutputFile<readonly BenchReport[]>;
}

async function measureAll(
  options: BenchArguments,
  { json, csv }: Outputs,
  job: CommandLineJob,
): Promise<BenchReport[]> {
  const reports: BenchReport[] = [];
  if (options.tuning === 'again') forgetTuning(TUNING_FILE);
  const device = new OpenDevice();
  if (options.where === 'gpu') await device.open(options.device);
  for (const run of runsOf(options)) {
    const matrix = generate(specOf(run, options), job);
    const cases = casesOf(matrix, formats, options);
    const report = await measureRun(run, options, { matrix, cases }, device, job);
    job.clear();
    // Standard output contains nothing but data if one of the two is written there.
    (csv.isStandardOutput ? csv : json).print(`${reportTable(report)}\n`);
    reports.push(report);
    // After every run, so that its results are kept if a later one fails.
    await json.save(reports);
    await csv.save(reports);
  }
  device.close();
  return reports;
}

async function main(argv: readonly string[]): Promise<number> {
  const options = parseArguments(argv, formats, patterns);
  const outputs = {
    json: new JsonOutput(options.json),
    csv: new OutputFile('--csv', options.csv, reportsToCsv),
  };
  const reports = await measureAll(options, outputs, new CommandLineJob());
  await outputs.json.end();
  await outputs.csv.end();
  const missing = unverifiedRequests(reports, options, formats);
  for (const text of missing) console.error(`bench: ${text}`);
  const wrong = reports.some((r) => r.rows.some((row) => !row.verified.ok) || r.refused.some((k) => k.failed));
  return wrong || missing.length > 0 ? 1 : 0;
}

// Not process.exitCode: the device keeps the process alive.
process.exit(await runProgram('bench', USAGE, main));
