import { type AnyListedFormat, resolvedParams, type Shape } from '../../core/format.ts';
import { FORWARD, GEMM, SPMV } from '../../core/operations/index.ts';
import type { BenchReport, BenchRow, Workload } from '../../core/report.ts';
import { isNearDensity } from '../../core/matrix/index.ts';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import { specText } from '../../generate/spec.ts';
import { isTimedInBlock, placementOf, type FormatChoice } from '../../state/index.ts';
import { ratiosByRound } from '../../core/bench/shared-rounds.ts';
import { quantile } from '../../core/number/statistics.ts';
import { type Substitute, substituteOf } from '../words/ran-instead.ts';
import { deviceOfReport, untimedText } from './run-verdict.ts';
import { type RoundRatios, type Speed, speedFromTimes, speedOf } from '../words/speed-of.ts';

// The only look-up of a matrix's time in a format: Watch, Compare and Measure all use it, and so show the same time.

/** The matrix whose time is looked up in reports, with the number of tokens that it is multiplied by. */
export interface TimedMatrix extends Shape {
  readonly nnz: number;
  readonly density: number;
  readonly tokens: number;
  /** the names of exactly this matrix in reports; empty if it is not loaded yet */
  readonly names: readonly string[];
  /** the number of non-zeros is estimated, since only part of the random weights was generated */
  readonly isEstimated: boolean;
  /** every group has equally many non-zeros, as after N:M pruning */
  readonly isEven: boolean;
  /** the time is that of a feed-forward block whose activations the matrix contains: its rows are tokens */
  readonly isBlock?: true;
}

/** A format with its parameters, for comparison with the rows of reports. */
export interface FormatQuery extends FormatChoice {
  readonly spec: AnyListedFormat['params']; // the parameters that the format declares, with their defaults
}

/** A row of a report: the fastest correct kernel of a format, except from `verifiedRow`. */
export interface TimedRow {
  readonly row: BenchRow;
  readonly report: BenchReport;
}

/** The times of the formats A and B, from a single report if any has both. */
export interface TimedPair {
  readonly a: TimedRow | null;
  readonly b: TimedRow | null;
}

type MatrixFacts = Pick<MatrixSummary, 'name' | 'source' | 'rows' | 'cols' | 'nnz' | 'density' | 'sampledRows'>;

/** The open matrix, to look up times of `format`. Reports use the page's name for it, or its spec as text. */
export function timedMatrixOf(
  { name, source, rows, cols, nnz, density, sampledRows }: MatrixFacts,
  tokens: number,
  format?: Pick<AnyListedFormat, 'group'>,
): TimedMatrix {
  return {
    rows,
    cols,
    nnz,
    density,
    tokens,
    names: source.kind === 'generated' ? [name, specText(source.spec)] : [name],
    isEstimated: sampledRows !== undefined,
    isEven: placementOf(source) === 'even',
    ...(format && isTimedInBlock(format.group, tokens) && { isBlock: true }),
  };
}

/** The operation that multiplies by the matrix: a feed-forward block, SpMV for one token, or GEMM for several. */
export function timedOperation({ tokens, isBlock }: Pick<TimedMatrix, 'tokens' | 'isBlock'>): string {
  return isBlock ? FORWARD.id : tokens === 1 ? SPMV.id : GEMM.id;
}

/** Patterns whose times are used for any matrix of their shape and density. */
export const RANDOM_PATTERNS = ['uniform', 'n-of-m'] as const;

/**
 * The newest cold times (the matrix was in no cache) in `reports`, newest first: from a single report if any has both.
 * A report of another matrix counts if that has as many non-zeros, at random positions. O(reports × rows).
 */
export function timedPair(
  reports: readonly BenchReport[],
  matrix: TimedMatrix,
  a: FormatQuery,
  b: FormatQuery | null,
): TimedPair {
  const newest: { a: TimedRow | null; b: TimedRow | null } = { a: null, b: null };
  for (const report of matchingReports(reports, matrix)) {
    const [ofA, ofB] = [fastestRow(report, a), b && fastestRow(report, b)];
    if (ofA && (ofB || b === null)) return { a: ofA, b: ofB };
    newest.a ??= ofA;
    newest.b ??= ofB;
  }
  return newest;
}

/** Times of many formats. */
export interface TimesByFormat {
  /** by the keys of `queries` */
  readonly times: ReadonlyMap<string, TimedRow>;
  /** the report with the time of A, else of B, else of any format; preferred for every time; null without any time */
  readonly main: BenchReport | null;
}

/** Times of many formats: A and B by `timedPair`, others if possible from that report. O(reports × rows × queries). */
export function timesByFormat(
  reports: readonly BenchReport[],
  matrix: TimedMatrix,
  [a, b]: readonly [FormatQuery, FormatQuery | null],
  queries: ReadonlyMap<string, FormatQuery>,
): TimesByFormat {
  const pair = timedPair(reports, matrix, a, b);
  const ordered = matchingReports(reports, matrix);
  const reportOfPair = (pair.a ?? pair.b)?.report;
  const main =
    reportOfPair ??
    ordered.find((report) => [...queries.values()].some((query) => fastestRow(report, query) !== null)) ??
    null;
  const times = new Map<string, TimedRow>();
  for (const [key, query] of queries) {
    const ofPair = isSameQuery(query, a, matrix) ? pair.a : b && isSameQuery(query, b, matrix) ? pair.b : null;
    const timed = ofPair ?? firstTime(main === null ? [] : [main, ...ordered], query);
    if (timed) times.set(key, timed);
  }
  return { times, main };
}

/** The time in the first report that has a time of this format. */
function firstTime(reports: readonly BenchReport[], query: FormatQuery): TimedRow | null {
  for (const report of reports) {
    const timed = fastestRow(report, query);
    if (timed) return timed;
  }
  return null;
}

/** Whether two queries are of one format with equal parameters on this shape. */
function isSameQuery(one: FormatQuery, other: FormatQuery, shape: Shape): boolean {
  return (
    one.format === other.format &&
    rowTest(one, shape)({ ...other, params: resolvedParams(other.spec, other.params, shape) })
  );
}

/** Reports that count for a matrix: of it, then of matrices that are as even (`isEven`), then of others; newest first. */
function matchingReports(reports: readonly BenchReport[], matrix: TimedMatrix): readonly BenchReport[] {
  return shapeReports(reports, matrix).filter(({ workload }) => hasSameCount(workload, matrix));
}

/** Like `matchingReports`, of any density. */
export function shapeReports(reports: readonly BenchReport[], matrix: TimedMatrix): readonly BenchReport[] {
  const rankOf = ({ workload }: BenchReport): number =>
    isSameMatrix(workload, matrix) ? 0 : workload.source.startsWith('n-of-m, ') === matrix.isEven ? 1 : 2;
  return reports
    .filter((report) => isTimeOf(report, matrix) && isOnShape(report.workload, matrix))
    .map((report) => ({ report, rank: rankOf(report) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ report }) => report);
}

/** Whether a run was on exactly this matrix: with its name, or not random, and with as many non-zeros. */
export function isSameMatrix(
  workload: Workload,
  { rows, cols, nnz, names, isEstimated }: Omit<TimedMatrix, 'tokens'>,
): boolean {
  if (workload.rows !== rows || workload.cols !== cols) return false;
  const difference = Math.abs(workload.nnz - nnz);
  if (!names.includes(workload.source)) return difference === 0 && !hasRandomPositions(workload);
  return isEstimated ? difference < 0.005 * nnz : difference === 0;
}

/** Whether a report timed the product with this matrix for as many tokens, cold. */
function isTimeOf({ workload, rows }: BenchReport, matrix: Pick<TimedMatrix, 'tokens' | 'isBlock'>): boolean {
  const { tokens } = matrix;
  return (
    workload.operation === timedOperation(matrix) &&
    (workload.sizes?.tokens ?? 1) === tokens &&
    (workload.memory === 'cold' || rows.some(({ where }) => where === 'cpu'))
  );
}

/** Whether the non-zeros of a run's matrix were at random positions: generated so, or a model's random weights. */
function hasRandomPositions({ source, operation }: Workload): boolean {
  // The inputs of a block depend only on how many neurons fire for each token, not on which.
  if (operation === FORWARD.id) return true;
  return RANDOM_PATTERNS.some((pattern) => source.startsWith(`${pattern}, `)) || source.includes(', stand-in weights');
}

/** Whether a run was on this matrix, or on any matrix of its shape with non-zeros at random positions. */
function isOnShape(workload: Workload, matrix: Pick<TimedMatrix, 'rows' | 'cols' | 'nnz'>): boolean {
  return (
    workload.rows === matrix.rows &&
    workload.cols === matrix.cols &&
    (workload.nnz === matrix.nnz || hasRandomPositions(workload))
  );
}

/** Whether a run's times count for a matrix: `isOnShape`, and with as many non-zeros. */
export function hasSameCount(
  workload: Workload,
  matrix: Pick<TimedMatrix, 'rows' | 'cols' | 'nnz' | 'density'>,
): boolean {
  const hasAsMany = workload.nnz === matrix.nnz || isNearDensity(workload.density, matrix.density);
  return hasAsMany && isOnShape(workload, matrix);
}

/** The fastest correct kernel of a format in a report; not a draft, which a user wrote on the page. */
export function fastestRow(report: BenchReport, query: FormatQuery): TimedRow | null {
  let fastest: BenchRow | null = null;
  const isMatch = rowTest(query, report.workload);
  for (const row of report.rows) {
    if (row.draft || !row.verified.ok || !row.medianNs || !isMatch(row)) continue;
    if (fastest === null || row.medianNs < (fastest.medianNs ?? Number.POSITIVE_INFINITY)) fastest = row;
  }
  return fastest && { row: fastest, report };
}

/** Whether a row has the format and parameters of a query on this shape; parameters that it lacks count as equal. */
function rowTest(
  query: FormatQuery,
  shape: Shape,
): (row: { readonly format: string; readonly params?: BenchRow['params'] }) => boolean {
  const expected = Object.entries(resolvedParams(query.spec, query.params, shape));
  return ({ format, params = {} }) =>
    format === query.format && expected.every(([name, value]) => (params[name] ?? value) === value);
}

/** Why a format has no time: the first reason in `matchingReports`; null if they give none. */
export function rejectionIn(reports: readonly BenchReport[], matrix: TimedMatrix, query: FormatQuery): string | null {
  for (const report of matchingReports(reports, matrix)) {
    const reason = rejectionOf(report, query);
    if (reason !== null) return reason;
  }
  return null;
}

/** Why a format has no time in a report that tried it; null if it was not tried. */
export function rejectionOf(report: BenchReport, query: FormatQuery): string | null {
  const isMatch = rowTest(query, report.workload);
  const { rows, refused: rejected } = report;
  return untimedText({
    rows: rows.filter((row) => !row.draft && isMatch(row)),
    refused: rejected.filter((rejection) => !rejection.draft && isMatch(rejection)),
    deviceName: deviceOfReport(report),
  });
}

/** A verified row of a format from a run on exactly this matrix, on any device; incorrect kernels come first. */
export function verifiedRow(reports: readonly BenchReport[], matrix: TimedMatrix, query: FormatQuery): TimedRow | null {
  for (const report of reports) {
    if (!isTimeOf(report, matrix) || !isSameMatrix(report.workload, matrix)) continue;
    const isMatch = rowTest(query, report.workload);
    const rows = report.rows.filter((row) => !row.draft && isMatch(row));
    const row = rows.find(({ verified }) => !verified.ok) ?? rows.at(0);
    if (row) return { row, report };
  }
  return null;
}

/* Ratios of the times of two formats, A and B, for the pages Measure and Compare, which thus show the same ratios. */

/** How many times as fast A is as B, with the spread over the rounds that timed both, if one report has them. */
export function speedBetween(a: TimedRow, b: TimedRow): Speed {
  return speedFromTimes(a.row.medianNs, b.row.medianNs, a.report === b.report ? roundsBetween(a.row, b.row) : null);
}

/** The ratios of the rounds of two rows of one report, else those that the report has of `a` against `b`; null without. */
function roundsBetween(a: BenchRow, b: BenchRow): RoundRatios | null {
  const ratios = ratiosByRound(b, a);
  if (ratios.length > 0) {
    const [p10, low, ratio, high, p90] = [0.1, 0.25, 0.5, 0.75, 0.9].map((share) => quantile(ratios, share));
    return { ratio, p10, p90, quartiles: [low, high] };
  }
  const speed = speedOf(a);
  const isAgainstB = speed?.reference === b.kernel && (speed.valueType ?? a.params.valueType) === b.params.valueType;
  return isAgainstB ? speed : null;
}

/** A against B on one shape of matrix, at one density. */
export interface ShapePoint extends Speed {
  readonly density: number;
  readonly aNs: number;
  readonly bNs: number;
  /** what ran instead of a graphics card, a word next to the point; null: a card ran */
  readonly substitute: Substitute | null;
}

/** A against B at every density at which this shape was timed in both, ascending. O(reports × rows). */
export function speedsOnShape(
  reports: readonly BenchReport[],
  matrix: TimedMatrix,
  a: FormatQuery,
  b: FormatQuery,
): readonly ShapePoint[] {
  const byDensity = new Map<number, ShapePoint>();
  for (const report of shapeReports(reports, matrix)) {
    const density = Number(report.workload.density.toPrecision(3));
    if (byDensity.has(density)) continue;
    const [ofA, ofB] = [fastestRow(report, a), fastestRow(report, b)];
    if (!ofA || !ofB) continue;
    byDensity.set(density, {
      ...speedBetween(ofA, ofB),
      density: report.workload.density,
      aNs: ofA.row.medianNs ?? 0,
      bNs: ofB.row.medianNs ?? 0,
      substitute: substituteOf(report),
    });
  }
  return [...byDensity.values()].toSorted((one, other) => one.density - other.density);
}
