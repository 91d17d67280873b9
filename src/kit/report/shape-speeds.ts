import { ratiosByRound } from '../../core/bench/shared-rounds.ts';
import { quantile } from '../../core/number/statistics.ts';
import type { BenchReport } from '../../core/report.ts';
import { type Substitute, substituteOf } from '../words/ran-instead.ts';
import { dividedTimes, type Speed, speedOf } from '../words/speed-of.ts';
import { type TimedMatrix, fastestRow, type FormatQuery, shapeReports, type TimedRow } from './matrix-times.ts';

/* Ratios of the times of two formats, A and B, for the pages Measure and Compare, which thus show the same ratios. */

/** How many times as fast A is as B: from rounds that timed both, else the report's ratio, else the medians. */
export function speedBetween(a: TimedRow, b: TimedRow): Speed {
  const quotient = dividedTimes(b.row.medianNs, a.row.medianNs);
  if (a.report === b.report) {
    const ratios = ratiosByRound(b.row, a.row);
    if (ratios.length > 0) {
      const [p10, low, ratio, high, p90] = [0.1, 0.25, 0.5, 0.75, 0.9].map((share) => quantile(ratios, share));
      return { ratio, p10, p90, quotient, quartiles: [low, high] };
    }
    const speed = speedOf(a.row);
    const isAgainstB =
      speed?.reference === b.row.kernel && (speed.valueType ?? a.row.params.valueType) === b.row.params.valueType;
    if (speed && isAgainstB) return { ratio: speed.ratio, p10: speed.p10, p90: speed.p90, quotient };
  }
  const ratio = (b.row.medianNs ?? Number.NaN) / (a.row.medianNs ?? Number.NaN);
  return { ratio, p10: null, p90: null, quotient };
}

/** A against B on one shape of matrix, at one density. */
export interface ShapePoint extends Speed {
  readonly density: number;
  readonly aNs: number;
  readonly bNs: number;
  /** the bytes of B over those of A */
  readonly byBytes: number;
  /** what ran in place of a graphics card, a word beside the point; null: a card ran */
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
      byBytes: ofB.row.bytes / ofA.row.bytes,
      substitute: substituteOf(report),
    });
  }
  return [...byDensity.values()].toSorted((one, other) => one.density - other.density);
}
