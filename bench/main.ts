import { writeFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
import { runCpuBench } from '../src/core/bench/cpu.ts';
import { referenceValueType } from '../src/core/bench/reference.ts';
import { SparseScopeError } from '../src/core/errors.ts';
import type { Job } from '../src/core/job.ts';
import { SUBGROUP_MATRIX } from '../src/core/kernel/subgroup-matrix.ts';
import { density } from '../src/core/matrix/index.ts';
import type { BenchReport } from '../src/core/report.ts';
import type { Sizes } from '../src/core/operations/operation.ts';
import { formats, referenceFormat } from '../src/formats/registry.ts';
import { generate, specText } from '../src/generate/generate.ts';
import { patterns } from '../src/generate/patterns.ts';
import { type GpuContext, type OpenOptions, runBench } from '../src/gpu/index.ts';
import { ArgumentError, type BenchArguments, parseArguments, USAGE } from './arguments.ts';
import { casesOf } from './cases.ts';
import { checkOutput } from './output-file.ts';
import { nodeRuntime, openNodeDevice } from './node-gpu.ts';
import { reportTable } from './table.ts';
import { forgetTuning, TUNING_FILE, tuningFile } from './tuning-file.ts';

/** Cancelled by Ctrl-C; progress goes to stderr on a terminal. */
class CommandLineJob implements Job {
  cancelled = false;
  #last = '';

  report({ what, done, total }: { what: string; done: number; total: number }): void {
    if (!process.stderr.isTTY) return;
    const line = `${what} ${Math.floor(done)} / ${Math.ceil(total)}`;
    if (line === this.#last) return;
    this.#last = line;
    process.stderr.write(`\r\u001B[K${line}`);
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  }
}

const DEVICES: Readonly<Record<BenchArguments['device'], OpenOptions>> = {
  full: {},
  // Subgroup matrices imply subgroups.
  'no-subgroups': { without: ['subgroups', 'subgroup-size-control', SUBGROUP_MATRIX] },
  minimum: { minimum: true },
};

interface Run {
  readonly rows: number;
  readonly cols: number;
  readonly density: number;
  readonly sizes: Sizes;
}

/** Every shape at every density with all sizes. */
function runsOf({ shapes, densities, sizes }: BenchArguments): readonly Run[] {
  return shapes.flatMap((shape) =>
    densities.flatMap((wanted) => sizes.map((each) => ({ ...shape, density: wanted, sizes: each }))),
  );
}

async function measureAll(options: BenchArguments, job: CommandLineJob): Promise<BenchReport[]> {
  const reports: BenchReport[] = [];
  if (options.tuning === 'again') forgetTuning(TUNING_FILE);
  const memory = tuningFile(TUNING_FILE);
  let context: GpuContext | null = options.where === 'gpu' ? await openNodeDevice(DEVICES[options.device]) : null;
  for (const { rows, cols, density: wanted, sizes } of runsOf(options)) {
    const { pattern, patternOptions, seed } = options;
    const spec = { pattern, rows, cols, density: wanted, seed, options: patternOptions };
    const matrix = generate(spec, job);
    const cases = casesOf(matrix, formats, options);
    const bench = {
      app: `sparsescope ${packageJson.version}`,
      workload: {
        operation: options.operation.id,
        ...(Object.keys(sizes).length === 0 ? {} : { sizes }),
        rows,
        cols,
        nnz: matrix.nnz,
        density: density(matrix),
        source: specText(spec),
        seed,
        memory: options.memory,
        rounds: options.rounds,
      },
      reference: referenceFormat.id,
      comparedWith: (valueType: unknown) => referenceValueType(referenceFormat, valueType),
    };
    const report =
      context === null
        ? await runCpuBench(cases, bench, job, {
            now: () => performance.now(),
            pause: () => new Promise((resolve) => void setImmediate(resolve)),
            runtime: nodeRuntime(),
          })
        : await runBench(
            context,
            cases,
            {
              ...bench,
              coldBytes: options.coldMiB * 2 ** 20,
              tuning: options.tuning === 'off' ? 'off' : memory,
              roofs: true,
              verifyOnly: options.check,
              timeSoftware: options.timeSoftware,
              rebuild: async () => (context = await openNodeDevice(DEVICES[options.device])),
            },
            job,
          );
    job.clear();
    console.log(`${reportTable(report)}\n`);
    reports.push(report);
    // After every run, so that its results are kept if a later one fails.
    if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(reports, null, 2)}\n`);
  }
  context?.destroy();
  return reports;
}

async function main(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const options = parseArguments(argv, formats, patterns);
  if (options.json !== null) checkOutput('--json', options.json);
  const job = new CommandLineJob();
  process.once('SIGINT', () => {
    job.cancelled = true;
  });
  const reports = await measureAll(options, job);
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
