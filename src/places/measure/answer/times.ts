import { sharedRounds } from '../../../core/bench/shared-rounds.ts';
import { quantile } from '../../../core/number/statistics.ts';
import { GEMM } from '../../../core/operations/index.ts';
import type { BenchReport } from '../../../core/report.ts';
import {
  type Asked,
  fastest,
  type FormatQuery,
  shapeReports,
  timedPair,
  type TimedPair,
  type TimedRow,
} from '../../../kit/report/matrix-times.ts';
import { speedOf } from '../../../kit/words/speed-of.ts';

/** How many times as fast A is, with its quantiles over rounds where they are known. */
export interface Speed {
  readonly ratio: number;
  readonly p10: number | null;
  readonly p90: number | null;
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

/** Every density at which this shape was timed in both, ascending; of each the report that would answer for it. O(reports × rows). */
export function speedsOnShape(
  reports: readonly BenchReport[],
  asked: Asked,
  a: FormatQuery,
  b: FormatQuery,
): readonly ShapePoint[] {
  const found = new Map<number, ShapePoint>();
  for (const report of shapeReports(reports, asked)) {
    const density = Number(report.workload.density.toPrecision(3));
    if (found.has(density)) continue;
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
