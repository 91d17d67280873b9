import { sharedRounds } from '../../../core/bench/shared-rounds.ts';
import { type AnyListedFormat, resolvedParams } from '../../../core/format.ts';
import { quantile } from '../../../core/number/statistics.ts';
import { GEMM, SPMV } from '../../../core/operations/index.ts';
import type { BenchReport, BenchRow, Workload } from '../../../core/report.ts';
import { speedOf } from '../../../kit/words/speed-of.ts';
import type { Stored } from '../../../state/index.ts';

/** What is asked of reports: a matrix, and how many tokens it is multiplied with. */
export interface Asked {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly density: number;
  readonly tokens: number;
}

/** A format with its parameters, and with what a row's parameters are compared. */
export interface FormatQuery extends Stored {
  readonly spec: AnyListedFormat['params'];
}

/** The fastest right kernel of a format in a report. */
export interface TimedRow {
  readonly row: BenchRow;
  readonly report: BenchReport;
}

/** Times of A and B, from one report where one has both. */
export interface TimedPair {
  readonly a: TimedRow | null;
  readonly b: TimedRow | null;
}

/** How many times as fast A is, with its quantiles over rounds where they are known. */
export interface Speed {
  readonly ratio: number;
  readonly p10: number | null;
  readonly p90: number | null;
}

/** Patterns that stand for any matrix of their shape and density: the positions of their non-zeros do not matter here. */
const PATTERNS = ['uniform', 'n-of-m'];

/**
 * The newest times of a matrix, cold, among `reports` (newest first): of both in the same rounds where a report has both.
 * A report of another matrix answers where its non-zeros are as many and anywhere. O(reports × rows).
 */
export function timedPair(
  reports: readonly BenchReport[],
  asked: Asked,
  a: FormatQuery,
  b: FormatQuery | null,
): TimedPair {
  const found: { a: TimedRow | null; b: TimedRow | null } = { a: null, b: null };
  for (const report of exactFirst(reports, asked)) {
    const [ofA, ofB] = [fastest(report, a), b && fastest(report, b)];
    if (ofA && (ofB || b === null)) return { a: ofA, b: ofB };
    found.a ??= ofA;
    found.b ??= ofB;
  }
  return found;
}

/** Of all reports that answer, those of the very matrix first. */
function exactFirst(reports: readonly BenchReport[], asked: Asked): readonly BenchReport[] {
  const like = reports.filter((report) => isAsked(report, asked) && isLike(report.workload, asked));
  return [...like.filter((report) => isExact(report, asked)), ...like.filter((report) => !isExact(report, asked))];
}

/** Whether a report is of this very matrix, as far as its counts tell. */
export function isExact({ workload }: BenchReport, { nnz }: Asked): boolean {
  return workload.nnz === nnz;
}

/** Whether a report has the product that is asked for, cold. */
export function isAsked({ workload, rows }: BenchReport, { tokens }: Pick<Asked, 'tokens'>): boolean {
  return (
    workload.operation === (tokens === 1 ? SPMV.id : GEMM.id) &&
    (workload.sizes?.tokens ?? 1) === tokens &&
    (workload.memory === 'cold' || rows.some(({ where }) => where === 'cpu'))
  );
}

/** Whether the non-zeros of a run's matrix were anywhere: generated so, or stand-in weights, which are random. */
function isAnywhere({ source }: Workload): boolean {
  return PATTERNS.some((pattern) => source.startsWith(`${pattern}, `)) || source.includes(', stand-in weights');
}

/** Whether a run was on this matrix, or on one of its shape whose non-zeros are anywhere, whatever its density. */
function isOnShape(workload: Workload, asked: Omit<Asked, 'tokens'>): boolean {
  return (
    workload.rows === asked.rows && workload.cols === asked.cols && (workload.nnz === asked.nnz || isAnywhere(workload))
  );
}

/** Whether times of a run answer for a matrix: those of one with as many non-zeros. Generated ones miss their density slightly. */
export function isLike(workload: Workload, asked: Omit<Asked, 'tokens'>): boolean {
  const isNear =
    workload.nnz === asked.nnz || Math.abs(workload.density - asked.density) < Math.max(0.0005, 0.004 * asked.density);
  return isNear && isOnShape(workload, asked);
}

function fastest(report: BenchReport, query: FormatQuery): TimedRow | null {
  let best: BenchRow | null = null;
  const isMatch = isOf(query, report.workload);
  for (const row of report.rows) {
    if (row.draft || !row.verified.ok || !row.medianNs || !isMatch(row)) continue;
    if (best === null || row.medianNs < (best.medianNs ?? Number.POSITIVE_INFINITY)) best = row;
  }
  return best && { row: best, report };
}

/** Whether a row is of the format with these parameters on this shape; those that a report does not name match. */
export function isOf(
  query: FormatQuery,
  shape: { readonly rows: number; readonly cols: number },
): (row: { readonly format: string; readonly params?: BenchRow['params'] }) => boolean {
  const wanted = Object.entries(resolvedParams(query.spec, query.params, shape));
  return ({ format, params = {} }) =>
    format === query.format && wanted.every(([name, value]) => (params[name] ?? value) === value);
}

/** Why a format has no time although the newest report of this matrix tried it; null where it did not. */
export function refusalIn(reports: readonly BenchReport[], asked: Asked, query: FormatQuery): string | null {
  for (const report of exactFirst(reports, asked)) {
    const isMatch = isOf(query, report.workload);
    const wrong = report.rows.find((row) => !row.verified.ok && !row.draft && isMatch(row));
    if (wrong) return `${wrong.kernel} gives a wrong answer here and was not timed`;
    const refused = report.refused.find((refusal) => !refusal.draft && isMatch(refusal));
    if (refused) return refused.reason;
  }
  return null;
}

/**
 * How many times as fast A is as B. In one report by the rounds that both were timed in, or by what the report says of A
 * against this B; otherwise by medians.
 */
export function speedBetween(a: TimedRow, b: TimedRow): Speed {
  if (a.report === b.report) {
    const shared = sharedRounds(a.row, b.row);
    const ratios = shared.a.flatMap((ns, i) => (ns > 0 && shared.b[i] > 0 ? [shared.b[i] / ns] : []));
    if (ratios.length > 0) {
      return { ratio: quantile(ratios, 0.5), p10: quantile(ratios, 0.1), p90: quantile(ratios, 0.9) };
    }
    const speed = speedOf(a.row);
    const isAgainstB =
      speed?.reference === b.row.kernel && (speed.valueType ?? a.row.params.valueType) === b.row.params.valueType;
    if (speed && isAgainstB) return { ratio: speed.ratio, p10: speed.p10, p90: speed.p90 };
  }
  return { ratio: (b.row.medianNs ?? Number.NaN) / (a.row.medianNs ?? Number.NaN), p10: null, p90: null };
}

/** A against B on this shape, at one density. */
export interface ShapePoint extends Speed {
  readonly density: number;
  readonly aNs: number;
  readonly bNs: number;
}

/** Every density at which this shape was timed in both, ascending; of each the newest. O(reports × rows). */
export function speedsOnShape(
  reports: readonly BenchReport[],
  asked: Asked,
  a: FormatQuery,
  b: FormatQuery,
): readonly ShapePoint[] {
  const found = new Map<number, ShapePoint>();
  for (const report of reports) {
    const density = Number(report.workload.density.toPrecision(3));
    if (found.has(density) || !isAsked(report, asked) || !isOnShape(report.workload, asked)) continue;
    const [ofA, ofB] = [fastest(report, a), fastest(report, b)];
    if (!ofA || !ofB) continue;
    found.set(density, {
      ...speedBetween(ofA, ofB),
      density: report.workload.density,
      aNs: ofA.row.medianNs ?? 0,
      bNs: ofB.row.medianNs ?? 0,
    });
  }
  return [...found.values()].toSorted((one, other) => one.density - other.density);
}

/** Two neighbouring measurements further apart say nothing about what lies between them. */
const MAX_STEP = 0.4;

/** Where A passes B on a shape. */
interface Turnover {
  /** shares left at which it turns from faster to slower or back, ascending */
  readonly at: readonly number[];
  /** two neighbouring measurements, too far apart to say where, between which it turns */
  readonly between: readonly [low: number, high: number] | null;
  /** A is faster at the least share that was measured */
  readonly startsAhead: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * The shares at which the ranking of A and B turns over, by the logarithm of their ratio between two measurements; null
 * where nothing was measured. `points` ascend.
 */
export function turnover(points: readonly Pick<ShapePoint, 'density' | 'ratio'>[]): Turnover | null {
  const first = points.at(0);
  const last = points.at(-1);
  if (!first || !last) return null;
  const at: number[] = [];
  let between: readonly [number, number] | null = null;
  for (const [i, { density: high, ratio }] of points.slice(1).entries()) {
    const { density: low, ratio: before } = points[i];
    if (before > 1 === ratio > 1) continue;
    const share = Math.log(before) / (Math.log(before) - Math.log(ratio));
    if (high - low > MAX_STEP + 1e-9) between ??= [low, high];
    else at.push(low + share * (high - low));
  }
  return { at, between, startsAhead: first.ratio > 1, from: first.density, to: last.density };
}

/** A and B with one number of tokens. */
export interface TokensPoint extends TimedPair {
  readonly tokens: number;
}

/** The times of this matrix by tokens, ascending: those that a report has, and those that are `wanted`. */
export function timesByTokens(
  reports: readonly BenchReport[],
  asked: Asked,
  a: FormatQuery,
  b: FormatQuery | null,
  wanted: readonly number[],
): readonly TokensPoint[] {
  const measured = reports
    .filter(({ workload }) => workload.operation === GEMM.id && workload.rows === asked.rows)
    .map(({ workload }) => workload.sizes?.tokens ?? 1);
  return [...new Set([...wanted, ...measured])]
    .toSorted((one, other) => one - other)
    .map((tokens) => ({ tokens, ...timedPair(reports, { ...asked, tokens }, a, b) }))
    .filter((point) => wanted.includes(point.tokens) || point.a !== null || point.b !== null);
}
