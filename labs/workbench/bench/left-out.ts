import { ArgumentError, runProgram } from '../../../scripts/command-line.ts';
import { SparseScopeError } from '../../../src/core/errors.ts';
import { type AnyFormat, type EncodedMatrix, resolvedParams } from '../../../src/core/format.ts';
import type { Job } from '../../../src/core/job.ts';
import type { KernelSpec } from '../../../src/core/kernel/kernel.ts';
import type { Matrix } from '../../../src/core/matrix/index.ts';
import { leftOutRules } from './left-out-rules.ts';
import { formats } from '../../../src/formats/registry.ts';
import { generate } from '../../../src/generate/generate.ts';
import { specText } from '../../../src/generate/spec.ts';
import { patterns } from '../../../src/generate/patterns.ts';
import { kernelSupport, type GpuContext } from '../../../src/gpu/index.ts';
import { type LeftOutTimes, timeLeftOut } from './left-out-times.ts';
import { type BenchArguments, parseArguments, USAGE } from '../../../bench/arguments.ts';
import { JsonOutput } from '../../../bench/output-file.ts';
import { openNodeDevice } from '../../../bench/node-gpu.ts';

/**
 * Times kernels without each of their parts, one line per kernel: microseconds of the whole, then of what remains. The
 * command line is the same as for `npm run bench`; the matrix is encoded with the first of its parameters, and nothing
 * is verified, since leaving out parts makes results wrong.
 */

/** The times of a kernel with its workload. */
interface LeftOutResult extends LeftOutTimes {
  readonly kernel: string;
  readonly workload: string;
  /** sizes of the operation, and named parameters */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Time for which a kernel runs before it is timed, as in a benchmark: an idle GPU is several times slower at first. */
const WARM_UP_MS = 400;
const NO_JOB: Job = { cancelled: false, report: () => {} };

/** Times the kernels of a format, and prints a line for each. */
async function timeFormat(
  context: GpuContext,
  format: AnyFormat,
  matrix: Matrix,
  options: BenchArguments,
  workload: string,
  say: (text: string) => void,
): Promise<LeftOutResult[]> {
  const results: LeftOutResult[] = [];
  const sets = options.params[format.id];
  for (const paramSet of sets.length > 0 ? sets : [{}]) {
    const params = resolvedParams(format.params, paramSet, matrix);
    const support = format.admits(matrix, params);
    if (!support.ok) {
      say(`${format.id}: ${support.reason}`);
      continue;
    }
    const encoded = format.encode(matrix, params);
    for (const sizes of options.sizes) {
      const inputs = options.operation.inputs(format.decode(encoded), sizes, options.seed);
      const kernels: readonly KernelSpec<EncodedMatrix>[] = format.kernels;
      const requested = kernels.filter(
        ({ id, operation }) => operation === options.operation.id && (options.kernels?.includes(id) ?? true),
      );
      for (const spec of requested) {
        const supported = kernelSupport(spec, encoded, context.facts, sizes);
        const text = `${spec.id} ${JSON.stringify({ ...sizes, ...paramSet })}`;
        try {
          if (!supported.ok) throw new RangeError(supported.reason);
          const times = await timeLeftOut(context, spec, encoded, inputs, {
            sizes,
            rules: leftOutRules(format),
            coldBytes: options.coldMiB * 2 ** 20,
            rounds: options.rounds,
            warmUpMs: WARM_UP_MS,
            job: NO_JOB,
          });
          say(`${text} ${lineOf(times)}`);
          results.push({ kernel: spec.id, workload, params: { ...sizes, ...paramSet }, ...times });
        } catch (error) {
          if (!(error instanceof SparseScopeError || error instanceof RangeError)) throw error;
          say(`${text}: ${error.message}`);
        }
      }
    }
  }
  return results;
}

/** The microseconds of a kernel, then without each part: '52.2 | reads of x 51.5 | barriers 51.4'. */
function lineOf({ wholeNs, parts }: LeftOutTimes): string {
  const us = (ns: number): string => (ns / 1000).toFixed(1);
  const texts = parts.map(({ name, share, reason }) =>
    share === null ? `${name}: ${reason}` : `${name} ${us(share * wholeNs)}`,
  );
  return [us(wholeNs), ...texts].join(' | ');
}

async function main(argv: readonly string[]): Promise<number> {
  const options = parseArguments(argv, formats, patterns);
  if (options.csv !== null) throw new ArgumentError('--csv: found it, expected --json alone');
  const json = new JsonOutput(options.json);
  const context = await openNodeDevice();
  const results: LeftOutResult[] = [];
  for (const { rows, cols } of options.shapes) {
    for (const density of options.densities) {
      const { pattern, seed, patternOptions } = options;
      const spec = { pattern, rows, cols, density, seed, options: patternOptions };
      const matrix = generate(spec);
      const workload = `${rows} × ${cols}, ${specText(spec)}`;
      json.print(`# ${workload}, ${options.operation.id}`);
      for (const format of formats) {
        // Unlike a benchmark, this program times dense kernels only if the user names the format.
        if (!(options.namedFormats.length > 0 ? options.namedFormats : options.formats).includes(format.id)) continue;
        for (const timing of await timeFormat(context, format, matrix, options, workload, (text) => json.print(text))) {
          results.push(timing);
        }
      }
    }
  }
  await json.save(results);
  await json.end();
  context.destroy();
  if (results.length > 0) return 0;
  throw new SparseScopeError(`found no kernel of ${options.operation.id} that was timed, expected at least one`);
}

const HELP = USAGE.replace('sparsescope bench', 'node scripts/run.mjs labs/workbench/bench/left-out.ts');
process.exit(await runProgram('left-out', HELP, main));
