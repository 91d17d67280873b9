// Measures the benchmark cases of the command line on the GPU or the CPU.

import { version } from '../package.json' with { type: 'json' };
import { type BenchCase, referenceValueType } from '../src/core/bench/cases.ts';
import { runCpuBench } from '../src/core/bench/cpu.ts';
import type { Job } from '../src/core/job.ts';
import { SUBGROUP_MATRIX } from '../src/core/kernel/subgroup-matrix.ts';
import { density, type Matrix } from '../src/core/matrix/index.ts';
import type { Sizes } from '../src/core/operations/operation.ts';
import type { BenchReport } from '../src/core/report.ts';
import { referenceFormat } from '../src/formats/registry.ts';
import { specText } from '../src/generate/spec.ts';
import type { GenerateSpec } from '../src/generate/spec.ts';
import { type GpuContext, type OpenOptions, runBench } from '../src/gpu/index.ts';
import type { BenchArguments } from './arguments.ts';
import { openNodeDevice } from './node-gpu.ts';
import { TUNING_FILE, tuningFile } from './tuning-file.ts';

const DEVICES: Readonly<Record<BenchArguments['device'], OpenOptions>> = {
  full: {},
  // Subgroup matrices imply subgroups.
  'no-subgroups': { without: ['subgroups', 'subgroup-size-control', SUBGROUP_MATRIX] },
  minimum: { minimum: true },
};

/** A device that stays open from run to run, and is opened again if it was lost. */
export class OpenDevice {
  #context: GpuContext | null = null;
  #opened: BenchArguments['device'] = 'full';

  async open(device: BenchArguments['device']): Promise<GpuContext> {
    if (this.#context === null || this.#opened !== device) {
      this.close();
      this.#context = await openNodeDevice(DEVICES[device]);
      this.#opened = device;
    }
    return this.#context;
  }

  async openAgain(): Promise<GpuContext> {
    this.#context = await openNodeDevice(DEVICES[this.#opened]);
    return this.#context;
  }

  close(): void {
    this.#context?.destroy();
    this.#context = null;
  }
}

/** The job of a program: cancelled by Ctrl-C; progress goes to stderr on a terminal. */
export class CommandLineJob implements Job {
  cancelled = false;
  #last = '';

  constructor() {
    process.once('SIGINT', () => {
      this.cancelled = true;
    });
  }

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

/** One shape at one density with one choice of sizes. */
export interface Run {
  readonly rows: number;
  readonly cols: number;
  readonly density: number;
  readonly sizes: Sizes;
}

/** Every shape at every density with all sizes. */
export function runsOf({ shapes, densities, sizes }: BenchArguments): readonly Run[] {
  return shapes.flatMap((shape) =>
    densities.flatMap((wanted) => sizes.map((size) => ({ ...shape, density: wanted, sizes: size }))),
  );
}

/** The description of the matrix that is generated for a run. */
export function specOf({ rows, cols, density: wanted }: Run, options: BenchArguments): GenerateSpec {
  const { pattern, patternOptions, seed } = options;
  return { pattern, rows, cols, density: wanted, seed, options: patternOptions };
}

/** Measures the cases of a matrix as the command line specifies. */
export async function measureRun(
  run: Run,
  options: BenchArguments,
  { matrix, cases }: { readonly matrix: Pick<Matrix, 'rows' | 'cols' | 'nnz'>; readonly cases: readonly BenchCase[] },
  device: OpenDevice,
  job: Job,
): Promise<BenchReport> {
  const { rows, cols, sizes } = run;
  const bench = {
    app: `sparsescope ${version}`,
    workload: {
      operation: options.operation.id,
      ...(Object.keys(sizes).length === 0 ? {} : { sizes }),
      rows,
      cols,
      nnz: matrix.nnz,
      density: density(matrix),
      source: specText(specOf(run, options)),
      seed: options.seed,
      memory: options.memory,
      rounds: options.rounds,
    },
    reference: referenceFormat.id,
    comparedWith: (valueType: unknown) => referenceValueType(referenceFormat, valueType),
  };
  if (options.where === 'cpu') {
    return runCpuBench(cases, bench, job, {
      now: () => performance.now(),
      pause: () => new Promise((resolve) => void setImmediate(resolve)),
      runtime: `Node ${process.versions.node}`,
    });
  }
  return runBench(
    await device.open(options.device),
    cases,
    {
      ...bench,
      coldBytes: options.coldMiB * 2 ** 20,
      tuning: options.tuning === 'off' ? 'off' : tuningFile(TUNING_FILE),
      roofs: true,
      verifyOnly: options.check,
      timeSoftware: options.timeSoftware,
      rebuild: () => device.openAgain(),
    },
    job,
  );
}
