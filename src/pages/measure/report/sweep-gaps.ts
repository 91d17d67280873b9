import type { BenchReport, Rejection } from '../../../core/report.ts';
import { positionOf, type Sweep, type SweepSeries } from '../../../kit/report/sweep-series.ts';

// The notes below the chart of a sweep: where the fastest parameters change, and which points have no time.

/** A value of a parameter, and the range of non-zeros per token in which the fastest kernels have this value. */
export interface ParamRun {
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
}

/** For each parameter that differs between the points, its name and the runs of equal values. */
export function changingParams({ points }: SweepSeries): ReadonlyMap<string, readonly ParamRun[]> {
  const changing = new Map<string, readonly ParamRun[]>();
  for (const name of Object.keys(points[0]?.params ?? {})) {
    const runs: ParamRun[] = [];
    for (const { x, params } of points) {
      const last = runs.at(-1);
      if (last && last.value === params[name]) runs[runs.length - 1] = { ...last, to: x };
      else runs.push({ value: params[name], from: x, to: x });
    }
    if (runs.length > 1) changing.set(name, runs);
  }
  return changing;
}

/** A number of non-zeros per token, x, at which a format has no time. */
export interface Gap {
  readonly x: number;
  readonly report: BenchReport;
  readonly format: string;
  /** why it did not run, once per parameter set; empty if it ran with an incorrect result */
  readonly rejections: readonly Rejection[];
}

/** The gaps in a sweep, by rising x. */
export function gapsOf({ axis, reports, series }: Sweep): readonly Gap[] {
  const formats = new Set([
    ...series.map(({ format }) => format),
    ...reports.flatMap((report) => report.refused.map(({ format }) => format)),
  ]);
  return reports.flatMap((report) => {
    const x = positionOf(axis, report);
    return [...formats]
      .filter((format) => !series.some((s) => s.format === format && s.points.some((p) => p.x === x)))
      .map((format) => ({ x, report, format, rejections: report.refused.filter((r) => r.format === format) }));
  });
}
