import type { Placement } from '../../../core/format.ts';
import type { Arithmetic, BenchReport, BenchRow } from '../../../core/report.ts';
import { intensity, predict, type Prediction, type Roofs } from '../../../theory/roofline/roofs.ts';
import { reportsWithReadSpeed, REFERENCE_FORMAT } from '../../../state/index.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { hasSameCount } from '../../../kit/report/matrix-times.ts';
import type { Speed } from '../../../kit/words/speed-of.ts';
import { arithmeticOf, referenceOf, speedIn } from '../../../kit/report/report-view.ts';

/** The matrix whose kernels the roofline shows: the open matrix, or the matrix of a report. */
export interface RooflineMatrix {
  /** '' for the open matrix; else its shape and non-zeros: '4096x11008-22548438' */
  readonly key: string;
  readonly title: string;
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /** how its non-zeros are placed, if known */
  readonly placement?: Placement;
}

/** A kernel in a device's roofline, measured or predicted. */
export interface RoofPoint {
  readonly id: string;
  readonly format: string;
  /** '' if predicted */
  readonly kernelId: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly operation: string;
  /** null for operations without tokens */
  readonly tokens: number | null;
  readonly arithmetic: Arithmetic;
  /** type of the values of a product; null for the usual type, f16, and for operations without tokens */
  readonly valueType: string | null;
  /** position of its report among the reports with times of this matrix: kernels of the first have priority */
  readonly order: number;
  /** bytes that one run must move, and the part for x and y: 0 for operations without tokens */
  readonly bytes: number;
  readonly vectorBytes: number;
  /** useful flops: two per non-zero and token */
  readonly flop: number;
  readonly multiplyAdds: number;
  readonly flopPerByte: number;
  readonly prediction: Prediction;
  /** 10^9 useful flop per second: the roof's limit for this kernel, and the speed that it reaches */
  readonly roofGflops: number;
  readonly gflops: number;
  /** null if only predicted */
  readonly measured: {
    readonly ns: number;
    /** speed relative to the dense point with this id, from rounds of one report; null if not compared */
    readonly vsDense: { readonly speed: Speed; readonly id: string | null } | null;
  } | null;
}

/** The value type of every format by default. */
const USUAL_VALUE_TYPE = referenceFormat.params.valueType.default;

/** Products of a matrix with activations: every non-zero is multiplied once for each token. */
const PRODUCTS: ReadonlySet<string> = new Set(['spmv', 'gemm', 'gemm-i8']);

/** The least time that the roof allows, without the dispatch, in ns. */
export function minNs({ bytesNs, arithmeticNs }: Prediction): number {
  return Math.max(bytesNs, arithmeticNs ?? 0);
}

/** The share of the roof that a measured kernel reaches; null for a predicted kernel. */
export function shareOfRoof({ measured, prediction }: RoofPoint): number | null {
  return measured === null ? null : minNs(prediction) / measured.ns;
}

/** A matrix as a key: shape and non-zeros. */
export function keyOf({ rows, cols, nnz }: Pick<RooflineMatrix, 'rows' | 'cols' | 'nnz'>): string {
  return `${rows}x${cols}-${nnz}`;
}

/** The matrices of reports of GPUs with a read speed, each once, in the order of the reports. */
export function rooflineMatrices(reports: readonly BenchReport[]): readonly RooflineMatrix[] {
  const matrices = new Map<string, RooflineMatrix>();
  for (const { workload } of reportsWithReadSpeed(reports)) {
    const key = keyOf(workload);
    const { source, rows, cols, nnz } = workload;
    if (!matrices.has(key)) matrices.set(key, { key, title: source, rows, cols, nnz });
  }
  return [...matrices.values()];
}

/**
 * Every kernel timed on a matrix, once for each combination of parameters and tokens, from the newest report; for the
 * open matrix also kernels timed only on others of its shape and density. `reports`: of one GPU, newest first; `first`:
 * the reports whose times the page already shows, which precede all others. O(rows).
 */
export function measuredPoints(
  reports: readonly BenchReport[],
  rooflineMatrix: RooflineMatrix,
  roofs: Roofs,
  first: readonly BenchReport[] = [],
): readonly RoofPoint[] {
  const points = new Map<string, RoofPoint>();
  const timed = reportsWithReadSpeed(reports);
  const isSame = ({ workload }: BenchReport): boolean => keyOf(workload) === keyOf(rooflineMatrix);
  const density = rooflineMatrix.nnz / Math.max(1, rooflineMatrix.rows * rooflineMatrix.cols);
  const similar = timed.filter(
    (report) =>
      !isSame(report) && rooflineMatrix.key === '' && hasSameCount(report.workload, { ...rooflineMatrix, density }),
  );
  const usable = [...timed.filter(isSame), ...similar];
  const ordered = new Set([...first.filter((report) => usable.includes(report)), ...usable]);
  for (const [order, report] of [...ordered].entries()) {
    for (const row of report.rows) {
      const point = pointOf(row, report, roofs, order);
      if (point && !points.has(point.id)) points.set(point.id, point);
    }
  }
  return [...points.values()];
}

function idOf({ kernel, params }: BenchRow, operation: string, tokens: number | null): string {
  return [operation, kernel, ...Object.values(params), tokens ?? ''].join(' ');
}

/** A timed kernel as a point; null if it ran on a CPU, was wrong, or its multiply-adds are unknown. */
function pointOf(row: BenchRow, report: BenchReport, roofs: Roofs, order: number): RoofPoint | null {
  const { workload } = report;
  const { operation, sizes = {}, rows, cols, nnz } = workload;
  if (row.where !== 'gpu' || !row.verified.ok || !row.medianNs) return null;
  const isProduct = PRODUCTS.has(operation);
  if (!isProduct && row.multiplyAdds === undefined) return null;
  const tokens = isProduct ? (sizes.tokens ?? 1) : null;
  const flop = isProduct ? 2 * nnz * (tokens ?? 1) : 2 * (row.multiplyAdds ?? 0);
  // Dense also multiplies zeros.
  const isReference = isProduct && row.format === REFERENCE_FORMAT;
  const multiplyAdds = row.multiplyAdds ?? (isReference ? rows * cols * (tokens ?? 1) : flop / 2);
  const arithmetic = arithmeticOf(row);
  const prediction = predict({ bytes: row.bytes, multiplyAdds, arithmetic }, roofs);
  const [reference, speed] = [referenceOf(report, row), speedIn(report, row)];
  return {
    id: idOf(row, operation, tokens),
    format: row.format,
    kernelId: row.kernel,
    params: row.params,
    operation,
    tokens,
    arithmetic,
    valueType: isProduct ? unusualType(row.params) : null,
    order,
    bytes: row.bytes,
    vectorBytes: tokens === null ? 0 : Math.min(row.bytes, 4 * tokens * (rows + cols)),
    flop,
    multiplyAdds,
    flopPerByte: tokens === null ? flop / row.bytes : intensity(nnz, tokens, row.bytes),
    prediction,
    roofGflops: flop / minNs(prediction),
    gflops: flop / row.medianNs,
    measured: {
      ns: row.medianNs,
      vsDense: speed && { speed, id: reference ? idOf(reference, operation, tokens) : null },
    },
  };
}

/** `RoofPoint.valueType` of a product. */
function unusualType({ valueType }: RoofPoint['params']): string | null {
  return typeof valueType !== 'string' || valueType === USUAL_VALUE_TYPE ? null : valueType;
}

/** The expected bytes and multiply-adds of a format, from which its time is predicted. */
export interface FormatEstimate {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** bytes of its arrays */
  readonly matrixBytes: number;
  /** whether the bytes were counted in the arrays, and not computed by a formula */
  readonly isCounted: boolean;
  /** multiply-adds per token: the non-zeros, or all cells if zeros are multiplied too */
  readonly multiplyAdds: number;
}

/** A format's point with a predicted time: the roof's limit, plus an empty dispatch. */
export function predictedPoint(
  expected: FormatEstimate,
  rooflineMatrix: RooflineMatrix,
  tokens: number,
  roofs: Roofs,
): RoofPoint {
  const { rows, cols, nnz } = rooflineMatrix;
  const vectorBytes = 4 * tokens * (rows + cols);
  const bytes = expected.matrixBytes + vectorBytes;
  const flop = 2 * nnz * tokens;
  const multiplyAdds = expected.multiplyAdds * tokens;
  const prediction = predict({ bytes, multiplyAdds, arithmetic: 'f32' }, roofs);
  const operation = tokens === 1 ? 'spmv' : 'gemm';
  return {
    id: ['predicted', operation, expected.format, ...Object.values(expected.params), tokens].join(' '),
    format: expected.format,
    kernelId: '',
    params: expected.params,
    operation,
    tokens,
    arithmetic: 'f32',
    valueType: unusualType(expected.params),
    order: Number.POSITIVE_INFINITY,
    bytes,
    vectorBytes,
    flop,
    multiplyAdds,
    flopPerByte: intensity(nnz, tokens, bytes),
    prediction,
    roofGflops: flop / minNs(prediction),
    gflops: flop / prediction.ns,
    measured: null,
  };
}

/** A kernel's kind, as in the address: format, arithmetic unless f32, and `valueType`: 'macko', 'macko-i8', 'dense-i4'. */
export function choiceOf({
  format,
  arithmetic,
  valueType,
}: Pick<RoofPoint, 'format' | 'arithmetic' | 'valueType'>): string {
  return [format, ...(arithmetic === 'f32' ? [] : [arithmetic]), ...(valueType === null ? [] : [valueType])].join('-');
}

/** The kind of a format with these parameters, whose arithmetic is f32. */
export function choiceOfFormat(format: string, params: RoofPoint['params']): string {
  return choiceOf({ format, arithmetic: 'f32', valueType: unusualType(params) });
}

/** The first of the points of a kind; `points` begins with the fastest. Addresses of earlier versions lack the value type. */
export function chosenPoint(points: readonly RoofPoint[], choice: string): RoofPoint | null {
  return (
    points.find((point) => choiceOf(point) === choice) ??
    points.find((point) => point.format !== REFERENCE_FORMAT && choiceOf({ ...point, valueType: null }) === choice) ??
    null
  );
}

/**
 * The fastest measured kernel of each kind with this many tokens, else a prediction; sorted by time. Kernels with the
 * parameters of the page (`hasPageParams`) have priority, then kernels of the first report that has any.
 */
export function fastestOfFormats(
  points: readonly RoofPoint[],
  tokens: number,
  hasPageParams: (point: RoofPoint) => boolean = () => true,
): readonly RoofPoint[] {
  const best = new Map<string, RoofPoint>();
  const isBetter = (point: RoofPoint, other: RoofPoint): boolean => {
    if (hasPageParams(point) !== hasPageParams(other)) return hasPageParams(point);
    return point.order === other.order ? timeOf(point) < timeOf(other) : point.order < other.order;
  };
  for (const point of points) {
    if (point.tokens !== null && point.tokens !== tokens) continue;
    // Operations without tokens are listed next to the products of their format.
    const key = `${choiceOf(point)} ${point.tokens === null ? point.operation : ''}`;
    const bestSoFar = best.get(key);
    if (!bestSoFar || isBetter(point, bestSoFar)) best.set(key, point);
  }
  return [...best.values()].toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** The measured time, or else the predicted one. */
export function timeOf({ measured, prediction }: RoofPoint): number {
  return measured?.ns ?? prediction.ns;
}
