import { type BenchOptions, referenceValueType } from '../core/bench/cases.ts';
import { runCpuBench } from '../core/bench/cpu.ts';
import { MAX_ROUNDS } from '../core/bench/round-counts.ts';
import { SpanRecorder } from '../core/bench/span-recorder.ts';
import { CancelledError, SparseScopeError } from '../core/errors.ts';
import { messageOf } from '../core/error-messages.ts';
import { type Job, withReport } from '../core/job.ts';
import { completeSizes, type Operation, type Sizes } from '../core/operations/operation.ts';
import { operationById, SPMV } from '../core/operations/index.ts';
import { referenceFormat } from '../formats/registry.ts';
import { mixWord } from '../core/encoded/checksum.ts';
import { density, type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { RepeatedMatrix } from '../core/matrix/repeated-matrix.ts';
import type { BenchReport } from '../core/report.ts';
import { generateSteps } from '../generate/generate.ts';
import { specText } from '../generate/spec.ts';
import { runBench } from '../gpu/index.ts';
import type { BenchHost, BenchMatrix } from './bench/bench-host.ts';
import { encodeTimed, Encodings } from './matrix/encodings.ts';
import { sampleOf } from './matrix/random-weights.ts';
import { finishPaced } from './worker-pace.ts';
import type { BenchRequest, GeneratedWorkload, OnReport, OpenWorkload, SweepAxis } from './bench/bench-types.ts';
import { MAX_REPEATED_CELLS, repeatedName } from '../core/bench/repeated-name.ts';
import type { ServiceJob } from './bridge/service-job.ts';
import { defineService } from './bridge/service.ts';
import type { EngineHost } from './host.ts';
import { requestedCases } from './bench/request-cases.ts';
import { sweepRuns } from './bench/sweep-runs.ts';

/** The service that runs benchmarks, one at a time: meanwhile it and most other services reject requests with a message. */
export const bench = defineService('bench', (host: EngineHost) => ({
  /**
   * `onReport` receives the report after the first rounds of a kernel, about once a second, and when the run breaks
   * off, for any reason: the last report is then the result. Each format is encoded, verified and timed before the next
   * one is encoded; formats that encode slowly come last.
   *
   * `before`: the report of an interrupted run of the same request. Its rows stay, and only what they lack is
   * measured, in further rounds with dense. Rejects if it is of another matrix or another device.
   */
  run: (job: ServiceJob, request: BenchRequest, onReport: OnReport, before?: BenchReport): Promise<BenchReport> =>
    host.exclusively(() => benchRun(host, request, job, (report) => onReport(report, 0), before)),
  /**
   * Runs the request once for each value of the axis (what changes from run to run), and at each value for each of its
   * parts (operations of a block), in order. `onReport` receives every report while it grows, so that nothing is lost
   * if the sweep breaks off. Only 'size' allows a matrix that is not generated.
   *
   * `before`: the reports of a sweep that broke off, in its order; those without `unfinished` are not measured again.
   */
  sweep: (
    job: ServiceJob,
    request: BenchRequest,
    axis: SweepAxis,
    onReport: OnReport,
    before?: readonly BenchReport[],
  ): Promise<void> => host.exclusively(() => benchSweep(host, request, axis, job, onReport, before)),
  /** Forgets the settings of kernels (such as workgroup sizes) that trials found. Rejects where storage does. */
  forgetTuning: (_job: ServiceJob): Promise<void> => host.forgetTuning(),
  /** Sets whether the page is hidden: rounds measured meanwhile are dropped and repeated. */
  setHidden: (_job: ServiceJob, hidden: boolean): void => host.setHidden(hidden),
}));

/**
 * Verifies and times the kernels of a request, and returns the report. Throws SparseScopeError and CancelledError; what was
 * measured until then has gone to `onReport`. `before`: see `run` above. `generate`: makes the matrix, unless the workload is
 * the open matrix ('stage').
 */
export async function benchRun(
  host: BenchHost,
  request: BenchRequest,
  requestJob: Job,
  onReport: NonNullable<BenchOptions['onReport']>,
  before?: BenchReport,
  generate = (workload: GeneratedWorkload, job: Job) => generated(host, workload, job),
): Promise<BenchReport> {
  const { workload, rounds } = request;
  const timeline = new SpanRecorder(() => host.now());
  const job = timeline.foreground(requestJob);
  const withTimeline = (report: BenchReport): BenchReport => ({ ...report, timeline: timeline.spans });
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > MAX_ROUNDS) {
    throw new SparseScopeError(`rounds: found ${rounds}, expected a whole number from 1 to ${MAX_ROUNDS}`);
  }
  const { operation, sizes } = operationOf(request);
  const target = workload.kind === 'stage' ? await openTarget(host, workload, job) : await generate(workload, job);
  const { matrix, source } = target;
  const options: BenchOptions = {
    app: host.app,
    isHidden: () => host.isHidden(),
    workload: {
      operation: operation.id,
      ...(Object.keys(sizes).length === 0 ? {} : { sizes }),
      rows: matrix.rows,
      cols: matrix.cols,
      nnz: matrix.nnz,
      density: density(matrix),
      source,
      contents: contentsOf(matrix),
      seed: request.seed,
      memory: request.memory,
      rounds,
    },
    reference: referenceFormat.id,
    endsEarly: true,
    comparedWith: (valueType) => referenceValueType(referenceFormat, valueType),
    onReport: (report) => onReport(withTimeline(report)),
    timeline,
    ...(host.threads && { perform: host.threads.perform.bind(host.threads) }),
    ...(before && { before }),
  };
  const cases = requestedCases(host, request, target);
  if (request.where === 'cpu') return withTimeline(await runCpuBench(cases, options, job, host));
  const context = await host.device.open();
  for (const [i, bench] of cases.entries()) {
    if (!bench.draft || !host.drafts) continue;
    const where = { context, target, sizes, pace: host };
    cases[i] = { ...bench, format: await host.drafts.checkedFormat(bench.fullFormat, bench.params, where, job) };
  }
  const { tuning } = host;
  const onGpu = { ...options, roofs: true, rebuild: () => host.device.open(), timeSoftware: true };
  return withTimeline(await runBench(context, cases, { ...onGpu, ...(tuning && { tuning }) }, job));
}

/** The open matrix or, if the workload says so, a larger one that repeats it. Throws SparseScopeError. */
async function openTarget(host: BenchHost, { repeatedTo }: OpenWorkload, job: Job): Promise<BenchMatrix> {
  const open = await host.openMatrix(job);
  if (repeatedTo === undefined) return open;
  const { rows, cols } = repeatedTo;
  const cells = rows * cols;
  if (!Number.isInteger(rows) || !Number.isInteger(cols) || rows < 1 || cols < 1 || cells > MAX_REPEATED_CELLS) {
    throw new SparseScopeError(
      `repeatedTo: found ${rows} × ${cols}, expected whole numbers with a product of at most ${MAX_REPEATED_CELLS}`,
    );
  }
  const matrix = new RepeatedMatrix(open.matrix, rows, cols);
  return {
    matrix,
    source: repeatedName(open.source, repeatedTo),
    encode: (format, params, encodeJob) => encodeTimed(format, matrix, params, encodeJob, host),
    isEncoded: () => false,
  };
}

/** A hash of a matrix's entries; of a large matrix, the entries of evenly spaced rows. */
function contentsOf(m: Matrix): number {
  const { rows, cols, readRow } = sampleOf(m);
  const { columns, values } = rowBuffer(cols);
  const bits = new Int32Array(values.buffer);
  let hash = 0;
  for (let row = 0; row < rows; row++) {
    const count = readRow(row, { columns, values });
    for (let i = 0; i < count; i++) hash = mixWord(mixWord(hash, columns[i]), bits[i] + row);
  }
  return hash >>> 0;
}

/** The operation of a request and all its sizes. Throws SparseScopeError. */
function operationOf({ operation: id, sizes, where }: BenchRequest): { operation: Operation; sizes: Sizes } {
  try {
    const operation = operationById(id);
    if (where === 'cpu' && operation !== SPMV) {
      throw new RangeError(`operation: found '${id}' on the CPU, expected '${SPMV.id}', the only one that runs there`);
    }
    return { operation, sizes: completeSizes(operation, sizes) };
  } catch (error) {
    if (error instanceof RangeError) throw new SparseScopeError(error.message);
    throw error;
  }
}

/** Runs the request at each value of the axis, for each operation. Throws like `benchRun`, with the run that failed. */
async function benchSweep(
  host: BenchHost,
  request: BenchRequest,
  axis: SweepAxis,
  job: Job,
  onReport: OnReport,
  before: readonly BenchReport[] = [],
): Promise<void> {
  const runs = sweepRuns(request, axis);
  // Runs with the same matrix make and encode it once. The encodings of a matrix with only one run are not kept.
  let lastShared: { readonly key: string; readonly target: BenchMatrix } | null = null;
  const generate = async (workload: GeneratedWorkload, runJob: Job): Promise<BenchMatrix> => {
    const key = JSON.stringify(workload);
    if (lastShared?.key === key) return lastShared.target;
    lastShared = null;
    const isShared = runs.filter((run) => JSON.stringify(run.request.workload) === key).length > 1;
    const target = await generated(host, workload, runJob, isShared);
    if (isShared) lastShared = { key, target };
    return target;
  };
  for (const [index, { name, request: runRequest }] of runs.entries()) {
    const earlier = before.at(index);
    if (earlier && !earlier.unfinished) continue;
    const label = `${name} (${index + 1} of ${runs.length})`;
    const onRunReport = (report: BenchReport): void | Promise<void> => onReport(report, index);
    const report = await benchRun(host, runRequest, labelledJob(job, label), onRunReport, earlier, generate).catch(
      (error: unknown) => fail(label, error),
    );
    await onReport(report, index);
  }
}

/** Throws the error with the label of the run in which it happened. */
function fail(label: string, error: unknown): never {
  if (!(error instanceof Error) || error instanceof CancelledError) throw error;
  throw new SparseScopeError(`${label}: ${messageOf(error)}`);
}

/** The job, with the label of a run before everything that it reports. */
function labelledJob(job: Job, label: string): Job {
  return withReport(job, (progress) => job.report({ ...progress, what: `${label}: ${progress.what}` }));
}

/** Generates the matrix of a workload. `keepsEncodings`: for later runs, as far as memory allows. */
async function generated(
  host: BenchHost,
  { spec, distinctRows }: GeneratedWorkload,
  job: Job,
  keepsEncodings = false,
): Promise<BenchMatrix> {
  if (distinctRows !== undefined && (!Number.isInteger(distinctRows) || distinctRows < 1)) {
    throw new SparseScopeError(`distinctRows: found ${distinctRows}, expected a whole number of at least 1`);
  }
  const isRepeated = distinctRows !== undefined && distinctRows < spec.rows;
  const bandSpec = isRepeated ? { ...spec, rows: distinctRows } : spec;
  const band = await finishPaced(generateSteps(bandSpec), job, host);
  const matrix = isRepeated ? new RepeatedMatrix(band, spec.rows) : band;
  const encodings = keepsEncodings ? new Encodings(matrix, host) : null;
  return {
    matrix,
    source: isRepeated ? `${specText(spec)}, ${distinctRows} rows repeated` : specText(spec),
    encode: (format, params, encodeJob) =>
      encodings?.encoding(format, params, encodeJob) ?? encodeTimed(format, matrix, params, encodeJob, host),
    isEncoded: (format, params) => encodings?.has(format, params) ?? false,
  };
}
