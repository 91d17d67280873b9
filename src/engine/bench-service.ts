import { densityText } from '../core/text/rounded.ts';
import { type BenchCase, type BenchOptions, referenceValueType } from '../core/bench/cases.ts';
import { runCpuBench } from '../core/bench/cpu.ts';
import { MAX_ROUNDS } from '../core/bench/round-counts.ts';
import { SpanRecorder } from '../core/bench/span-recorder.ts';
import { CancelledError, messageOf, SparseScopeError } from '../core/errors.ts';
import { type AnyFormat, resolvedParams } from '../core/format.ts';
import { type Job, withReport } from '../core/job.ts';
import { unsuitedReason } from '../core/kernel/kernel.ts';
import { completeSizes, type Operation, type Sizes } from '../core/operations/operation.ts';
import { isKernelOf, operationById, SPMV } from '../core/operations/index.ts';
import { referenceFormat } from '../formats/registry.ts';
import { mixWord } from '../core/encoded/checksum.ts';
import { density, type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { RepeatedMatrix } from '../core/matrix/repeated-matrix.ts';
import type { BenchReport } from '../core/report.ts';
import { type GenerateSpec, generateSteps } from '../generate/generate.ts';
import { specText } from '../generate/spec.ts';
import { runBench } from '../gpu/index.ts';
import type { BenchHost, BenchMatrix } from './bench/bench-host.ts';
import { encodeTimed, Encodings } from './matrix/encodings.ts';
import { sampleOf } from './matrix/random-weights.ts';
import { finishPaced } from './worker-pace.ts';
import type {
  BenchEntry,
  BenchRequest,
  GeneratedWorkload,
  OnReport,
  OpenWorkload,
  SweepAxis,
} from './bench/bench-types.ts';
import { MAX_REPEATED_CELLS, repeatedName } from '../core/bench/repeated-name.ts';
import type { ServiceJob } from './bridge/service-job.ts';
import { defineService } from './bridge/service.ts';
import type { EngineHost } from './host.ts';

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
 * One run: kernels are verified, timed and reported. Throws SparseScopeError, and CancelledError;
 * what was measured until then has gone to `onReport`. `before`: see `run` above. `generate`: makes the matrix, unless
 * the workload is the open matrix ('stage').
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
  const timed = (report: BenchReport): BenchReport => ({ ...report, timeline: timeline.spans });
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
    onReport: (report) => onReport(timed(report)),
    timeline,
    ...(host.threads && { perform: host.threads.perform.bind(host.threads) }),
    ...(before && { before }),
  };
  const cases = casesOf(host, request, target);
  if (request.where === 'cpu') return timed(await runCpuBench(cases, options, job, host));
  const context = await host.device.open();
  for (const [i, bench] of cases.entries()) {
    if (!bench.draft || !host.drafts) continue;
    const where = { context, target, sizes, pace: host };
    cases[i] = { ...bench, format: await host.drafts.checkedFormat(bench.whole, bench.params, where, job) };
  }
  const { tuning } = host;
  const onGpu = { ...options, roofs: true, rebuild: () => host.device.open(), timeSoftware: true };
  return timed(await runBench(context, cases, { ...onGpu, ...(tuning && { tuning }) }, job));
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
  const points = pointsOf(request, axis);
  let last: { readonly key: string; readonly target: BenchMatrix } | null = null;
  // Runs with one matrix make and encode it once. The encodings of a matrix with only one run are not kept.
  const generate = async (workload: GeneratedWorkload, runJob: Job): Promise<BenchMatrix> => {
    const key = JSON.stringify(workload);
    if (last?.key === key) return last.target;
    last = null;
    const isShared = points.filter((point) => JSON.stringify(point.request.workload) === key).length > 1;
    const target = await generated(host, workload, runJob, isShared);
    if (isShared) last = { key, target };
    return target;
  };
  for (const [index, { name, request: atPoint }] of points.entries()) {
    const earlier = before.at(index);
    if (earlier && !earlier.unfinished) continue;
    const part = `${name} (${index + 1} of ${points.length})`;
    const onPart = (report: BenchReport): void | Promise<void> => onReport(report, index);
    const report = await benchRun(host, atPoint, labelledJob(job, part), onPart, earlier, generate).catch(
      (error: unknown) => fail(part, error),
    );
    await onReport(report, index);
  }
}

/** Throws the error with the part of the sweep in which it happened. */
function fail(part: string, error: unknown): never {
  if (!(error instanceof Error) || error instanceof CancelledError) throw error;
  throw new SparseScopeError(`${part}: ${messageOf(error)}`);
}

/** A run of a sweep. */
interface SweepRun {
  /** what differs from the other runs, in words: '0.3 left' */
  readonly name: string;
  readonly request: BenchRequest;
}

/** The runs of a sweep: one per value of the axis, and per part of it. */
function pointsOf(request: BenchRequest, axis: SweepAxis): readonly SweepRun[] {
  switch (axis.of) {
    case 'density':
      return axis.values.map((value) => ({
        name: `${densityText(value)} left`,
        request: withSpec(request, (spec) => ({ ...spec, density: value })),
      }));
    case 'shape':
      return axis.values.map(({ rows, cols, entries, distinctRows }) => {
        const atShape = withSpec(request, (spec) => ({ ...spec, rows, cols }), distinctRows);
        return { name: `${rows} × ${cols}`, request: { ...atShape, entries } };
      });
    case 'size':
      return axis.values.map((value) => ({
        name: `${axis.name} ${value}`,
        request: { ...request, sizes: { ...request.sizes, [axis.name]: value } },
      }));
    case 'non-zeros':
      return axis.values.flatMap((mean) => {
        const atMean = withSpec(request, (spec) => ({ ...spec, density: mean / spec.cols }));
        return axis.parts.map((part) => ({
          name: `${part.operation}, ${mean} non-zeros per row`,
          request: { ...atMean, ...part },
        }));
      });
  }
}

/** The request with changed settings of its generated matrix. Throws SparseScopeError if it has none. */
function withSpec(
  request: BenchRequest,
  change: (spec: GenerateSpec) => GenerateSpec,
  distinctRows?: number,
): BenchRequest {
  const { workload } = request;
  if (workload.kind !== 'generated') {
    throw new SparseScopeError(
      'sweep: found the matrix on the stage, expected a generated one, of which any share can be left',
    );
  }
  const spec = change(workload.spec);
  return { ...request, workload: { ...workload, spec, ...(distinctRows === undefined ? {} : { distinctRows }) } };
}

/** The job, with the part of the sweep before everything that it reports. */
function labelledJob(job: Job, part: string): Job {
  return withReport(job, (progress) => job.report({ ...progress, what: `${part}: ${progress.what}` }));
}

/** Generates the matrix of a workload; `isKept`: its encodings are kept for later runs, as far as memory allows. */
async function generated(
  host: BenchHost,
  { spec, distinctRows }: GeneratedWorkload,
  job: Job,
  isKept = false,
): Promise<BenchMatrix> {
  if (distinctRows !== undefined && (!Number.isInteger(distinctRows) || distinctRows < 1)) {
    throw new SparseScopeError(`distinctRows: found ${distinctRows}, expected a whole number of at least 1`);
  }
  const isRepeated = distinctRows !== undefined && distinctRows < spec.rows;
  const bandSpec = isRepeated ? { ...spec, rows: distinctRows } : spec;
  const band = await finishPaced(generateSteps(bandSpec), job, host);
  const matrix = isRepeated ? new RepeatedMatrix(band, spec.rows) : band;
  const encodings = isKept ? new Encodings(matrix, host) : null;
  return {
    matrix,
    source: isRepeated ? `${specText(spec)}, ${distinctRows} rows repeated` : specText(spec),
    encode: (format, params, encodeJob) =>
      encodings?.encoding(format, params, encodeJob) ?? encodeTimed(format, matrix, params, encodeJob, host),
    isEncoded: (format, params) => encodings?.has(format, params) ?? false,
  };
}

/** A case with its whole format; a BenchCase has only a part of it. */
interface CaseWithFormat extends BenchCase {
  readonly whole: AnyFormat;
}

/**
 * The cases of the entries, and dense in each value type that they use and that it has a kernel for, so that every
 * kernel is compared with dense of its value type. Throws SparseScopeError without entries, and for a format that does
 * not exist or has no kernel of the operation.
 */
function casesOf(
  { formats, drafts }: Pick<BenchHost, 'formats' | 'drafts'>,
  { operation, entries, where }: BenchRequest,
  target: BenchMatrix,
): CaseWithFormat[] {
  const canCompute = (format: AnyFormat, valueType?: unknown): boolean =>
    where === 'cpu' ||
    format.kernels.some((kernel) => isKernelOf(kernel, operation) && unsuitedReason(kernel, { valueType }) === null);
  if (entries.length === 0) throw new SparseScopeError('run: found no format, expected at least one');
  const caseOf = ({ format: id, params: requestParams, kernels, draft, known }: BenchEntry): CaseWithFormat => {
    if (draft && !drafts)
      throw new SparseScopeError(`run: found a draft of ${draft.kernel}, expected none: nothing here tries drafts`);
    const format = draft ? drafts?.draftFormat(formats, draft) : formats.find((f) => f.id === id);
    if (!format || format.id !== id) {
      throw new SparseScopeError(`run: found '${id}', expected one of ${formats.map((f) => f.id).join(', ')}`);
    }
    if (!canCompute(format)) {
      const able = formats.filter((f) => canCompute(f)).map((f) => f.id);
      throw new SparseScopeError(
        `run: found '${id}', which has no kernel for '${operation}', expected one of ${able.join(', ')}`,
      );
    }
    const params = resolvedParams(format.params, requestParams, target.matrix);
    return {
      format,
      whole: format,
      params,
      kernels: draft ? 'all' : kernels,
      ...(known && { known }),
      ...(draft && { draft: { of: draft.kernel, ...draft.mark } }),
      encode: (job) => target.encode(format, params, job),
      isEncoded: () => target.isEncoded(format, params),
    };
  };
  const cases = entries.map(caseOf);
  const reference = formats.find((f) => f.id === referenceFormat.id);
  if (!reference || !canCompute(reference)) return cases;
  const measured = new Set(
    cases.filter((c) => c.format.id === reference.id && !c.draft).map((c) => c.params.valueType),
  );
  const valueTypes = new Set(cases.map((c) => referenceValueType(reference, c.params.valueType)));
  const references = [...valueTypes]
    .filter((valueType) => !measured.has(valueType) && canCompute(reference, valueType))
    .map((valueType) => caseOf({ format: reference.id, params: { valueType }, kernels: 'auto' }));
  return [...references, ...cases];
}
