import { version } from '../../package.json';
import { type BenchCase, type BenchOptions, referenceValueType } from '../core/bench/cases.ts';
import { MAX_ROUNDS, PROGRAM_ROUNDS } from '../core/bench/round-counts.ts';
import { SparseScopeError } from '../core/errors.ts';
import { type Job, NO_JOB } from '../core/job.ts';
import { density, type Matrix } from '../core/matrix/index.ts';
import { completeSizes } from '../core/operations/operation.ts';
import { operationById } from '../core/operations/index.ts';
import type { BenchReport } from '../core/report.ts';
import { DENSE_ID, params as denseParams } from '../formats/dense/params.ts';
import { GpuContext, runBench } from '../gpu/index.ts';
import {
  checkedChoice,
  checkedJob,
  checkedMatrix,
  checkedOptions,
  checkedWhole,
  checkType,
  isObject,
  wrong,
} from './arguments.ts';
import {
  type AnyKernelFormat,
  checkedFormat,
  checkedParams,
  type Codec,
  formatWithKernels,
  withLibraryError,
} from './codec.ts';

// `bench` of the package: verifies and times kernels on one matrix.

// oxlint-disable-next-line typescript/no-explicit-any -- formats of different types meet in one run
type AnyCodec = Omit<Codec<any, any>, 'params'> & { readonly params: object };

/** A format to measure: the format or its id, perhaps with parameters; missing ones take their default. */
export type BenchSubject =
  | string
  | AnyCodec
  | { readonly format: string | AnyCodec; readonly params?: Readonly<Record<string, unknown>> };

/** The settings of `bench`: what is measured and how long. All of them have a default. */
export interface BenchSettings {
  /** default: 'spmv', y = A x */
  readonly operation?: string;
  /** of the operation, such as { tokens: 256 }; the operation's defaults fill in the rest */
  readonly sizes?: Readonly<Record<string, number>>;
  /** samples of each kernel, from 1 to 10,000; default 20 */
  readonly rounds?: number;
  /** 'cold', the default, rotates copies so that no cache helps; 'warm' leaves arrays cached */
  readonly memory?: 'cold' | 'warm';
  /** 'auto', the default, times the fastest kernel of a short trial; 'all' every kernel that supports the matrix */
  readonly kernels?: 'auto' | 'all';
  /** of the inputs and the order of kernels, default 1 */
  readonly seed?: number;
  /** where the matrix is from, in words, for the report */
  readonly source?: string;
  /** also times kernels on a software adapter, where they are otherwise only verified */
  readonly timeSoftware?: boolean;
  /** called with the report so far */
  readonly onReport?: (report: BenchReport) => void;
  readonly job?: Job;
}

/**
 * Verifies and times kernels on one matrix: each against the f64 oracle before, during and after its timed runs, in
 * interleaved rounds of random order. Ratios need 'dense' among the formats. Times in the report are in nanoseconds,
 * speeds in 10^9 bytes per second; formats that could not run are in `refused` with the reason. Throws SparseScopeError
 * for an unknown format, parameter, setting or operation and for a format without a kernel for the operation, and
 * DeviceLostError if the GPU is lost.
 *
 * ```js
 * const report = await bench(device, a, [dense, macko]); // of sparsescope/dense/kernels and sparsescope/macko/kernels
 * ```
 */
export async function bench(
  device: GpuContext,
  matrix: Matrix,
  subjects: readonly BenchSubject[],
  settings?: BenchSettings,
): Promise<BenchReport> {
  return benchWith(withoutIds, device, matrix, subjects, settings);
}

/** For `bench` without the list of all formats. Throws SparseScopeError. */
const withoutIds: KernelsById = (id) => {
  throw wrong('subjects', id, `the format itself, of sparsescope/ID/kernels; ids are known to bench of 'sparsescope'`);
};

/** The format of an id with its kernels. Throws SparseScopeError for an unknown id. */
export type KernelsById = (id: string) => Promise<AnyKernelFormat>;

/** `bench` with a function that finds the format of an id. */
export async function benchWith(
  kernelsById: KernelsById,
  device: GpuContext,
  matrix: Matrix,
  subjects: readonly BenchSubject[],
  settings: BenchSettings = {},
): Promise<BenchReport> {
  checkDevice(device);
  checkedMatrix(matrix);
  checkSettings(settings);
  checkSubjects(subjects);
  const { kernels = 'auto', job = NO_JOB, timeSoftware = false, onReport } = settings;
  const operation = withLibraryError(() => operationById(settings.operation ?? 'spmv'));
  const cases: BenchCase[] = [];
  for (const subject of subjects) {
    const { format: formatOrId, params = {} } =
      typeof subject === 'object' && 'format' in subject ? subject : { format: subject };
    const format = await (typeof formatOrId === 'string' ? kernelsById(formatOrId) : formatWithKernels(formatOrId));
    requireKernel(format, operation.id);
    cases.push(caseOf(format, checkedParams(format, params, matrix), kernels, matrix));
  }
  const sizes = withLibraryError(() => completeSizes(operation, settings.sizes ?? {}));
  const options = {
    ...optionsOf(matrix, settings),
    reference: DENSE_ID,
    comparedWith: (valueType: unknown) => referenceValueType({ params: denseParams }, valueType),
    timeSoftware,
    roofs: true,
    ...(onReport && { onReport }),
  };
  const workload = { ...options.workload, ...(Object.keys(sizes).length > 0 && { sizes }) };
  return runBench(device, cases, { ...options, workload }, job);
}

/** Throws SparseScopeError unless the value is a device of `openDevice`. */
export function checkDevice(device: unknown): void {
  if (!(device instanceof GpuContext)) throw wrong('device', device, 'what openDevice returns');
}

/** Throws SparseScopeError unless there is a list of formats, each by its id, itself, or with parameters. */
function checkSubjects(subjects: unknown): void {
  if (!Array.isArray(subjects) || subjects.length === 0) {
    throw wrong('subjects', subjects, 'an array of one format or more, or their ids');
  }
  for (const [i, subject] of (subjects as readonly unknown[]).entries()) {
    const where = `subjects[${i}]`;
    if (typeof subject === 'string') continue;
    if (!isObject(subject) || !('format' in subject)) {
      checkedFormat(subject, where);
      continue;
    }
    checkedOptions(where, subject, ['format', 'params']);
    if (typeof subject['format'] !== 'string') checkedFormat(subject['format'], `${where}.format`);
  }
}

const SETTINGS: readonly (keyof BenchSettings)[] = [
  ...([
    'operation',
    'sizes',
    'rounds',
    'memory',
    'kernels',
    'seed',
    'source',
    'timeSoftware',
    'onReport',
    'job',
  ] as const),
];

/** Throws SparseScopeError for an unknown setting, or an invalid value. */
function checkSettings(settings: unknown): void {
  const options = checkedOptions('settings', settings, SETTINGS);
  const { sizes, rounds, memory, kernels, seed } = options;
  checkType('operation', options['operation'], 'string');
  if (sizes !== undefined && !isObject(sizes)) throw wrong('sizes', sizes, 'an object of whole numbers by name');
  for (const [name, size] of Object.entries(sizes ?? {})) checkedWhole(`sizes.${name}`, size, 0, 2 ** 31 - 1);
  if (rounds !== undefined) checkedWhole('rounds', rounds, 1, MAX_ROUNDS);
  if (memory !== undefined) checkedChoice('memory', memory, ['cold', 'warm']);
  if (kernels !== undefined) checkedChoice('kernels', kernels, ['auto', 'all']);
  if (seed !== undefined) checkedWhole('seed', seed, 0, 2 ** 32 - 1);
  checkType('source', options['source'], 'string');
  checkType('timeSoftware', options['timeSoftware'], 'boolean');
  checkType('onReport', options['onReport'], 'function');
  checkedJob(options['job']);
}

/** Throws SparseScopeError for a format without a kernel of an operation, such as a result of `declare`. */
export function requireKernel({ id, kernels }: AnyKernelFormat, operation: string): void {
  if (kernels.some((kernel) => kernel.operation === operation)) return;
  throw new SparseScopeError(`${id}: found no kernel for '${operation}', expected a format that has one`);
}

/** A format with parameters as a case of `runBench`, from a matrix or an encoded one. */
export function caseOf(
  format: AnyKernelFormat,
  params: Readonly<Record<string, unknown>>,
  kernels: BenchCase['kernels'],
  from: Matrix | { readonly encoded: Awaited<ReturnType<BenchCase['encode']>>['encoded'] },
): BenchCase {
  return {
    format,
    params,
    kernels,
    encode: (job) => {
      const start = performance.now();
      const encoded = 'encoded' in from ? from.encoded : format.encode(from, params, job);
      return Promise.resolve({ encoded, encodeMs: performance.now() - start });
    },
  };
}

/** Options of `runBench` from which a report names the application and describes the workload. */
export function optionsOf(
  m: Pick<Matrix, 'rows' | 'cols' | 'nnz'>,
  { operation = 'spmv', source = 'a program', seed = 1, memory = 'cold', rounds = PROGRAM_ROUNDS }: BenchSettings,
): Pick<BenchOptions, 'app' | 'workload'> {
  const { rows, cols, nnz } = m;
  return {
    app: `sparsescope ${version}`,
    workload: { operation, rows, cols, nnz, density: density(m), source, seed, memory, rounds },
  };
}
