import { countText } from '../../../core/story/words.ts';
import { FORWARD, GATE, UP_DOWN } from '../../../core/operations/index.ts';
import type { BenchReport, Refusal } from '../../../core/report.ts';
import type { Words } from '../../../core/story/scene.ts';
import { ratio as ratioText } from '../../../kit/words/quantity.ts';
import { BLOCK_PARTS, WHOLE } from '../../../kit/report/block-parts.ts';
import type { TitleOf } from '../../../kit/report/report-view.ts';
import { breakEven, placeOf, type Sweep, type SweepSeries, sweepOf } from '../../../kit/report/sweep-series.ts';

/**
 * The dense pipeline of a gated block is three products of the same size. A format that packs the gate still makes one
 * of them: with no time for the others it would be three times as fast.
 */
export const BLOCK_LIMIT = 3;

const PART_TITLES: Readonly<Record<string, string>> = {
  [WHOLE]: 'Whole block',
  [GATE.id]: 'Gate',
  [UP_DOWN.id]: 'Up and down',
};

/** The whole block, or one of its parts, by mean non-zeros per token. */
export interface BlockPart {
  readonly operation: string;
  readonly title: string;
  readonly sweep: Sweep;
}

/**
 * The parts of a block that reports like `shown` timed at two or more means, the whole first; empty if `shown` is not
 * about a block.
 */
export function blockOf(reports: readonly BenchReport[], shown: BenchReport): readonly BlockPart[] {
  if (!BLOCK_PARTS.includes(shown.workload.operation)) return [];
  return [FORWARD.id, GATE.id, UP_DOWN.id].flatMap((operation): BlockPart[] => {
    const sweep = sweepOf(reports, { ...shown, workload: { ...shown.workload, operation } });
    if (sweep?.axis.of !== 'non-zeros' || sweep.series.length === 0) return [];
    return [{ operation, title: PART_TITLES[operation] ?? operation, sweep }];
  });
}

/** How far a format is faster than the dense pipeline for the whole block, and by how much. Not empty. */
export function blockWords({ axis, series }: Sweep, titleOf: TitleOf): readonly Words[] {
  return series.flatMap(({ format, points }, i): Words[] => {
    const name = `${i === 0 ? '' : ' '}${titleOf(format)}`;
    const best = points.reduce((a, b) => (b.ratio > a.ratio ? b : a));
    const peak = `${ratioText(best.ratio)} at ${countText(best.x)}`;
    const even = breakEven(points, 'log');
    if (even) {
      const at = `${even.faster} ${countText(Number(even.at.toPrecision(2)))} ${axis.title}`;
      return [
        { text: `${name} is faster than the dense pipeline ` },
        { text: at, strong: true },
        { text: `, and reaches ${peak}.` },
      ];
    }
    const from = `from ${countText(points[0].x)} to ${countText(points[points.length - 1].x)} ${axis.title}`;
    return best.ratio >= 1
      ? [
          { text: `${name} is faster than the dense pipeline ` },
          { text: 'at every point', strong: true },
          { text: ` ${from}, and reaches ${peak}.` },
        ]
      : [
          { text: `${name} is slower than the dense pipeline ` },
          { text: 'at every point', strong: true },
          { text: ` ${from}; it comes closest with ${peak}.` },
        ];
  });
}

/** Neighbouring points whose fastest kernel had the same value of a parameter. */
export interface ParamRun {
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
}

/** The parameters that differ between the points, by name. */
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

/** A point at which a format has no time although others do. */
export interface Gap {
  readonly x: number;
  readonly report: BenchReport;
  readonly format: string;
  /** why it did not run, once per parameter set tried; empty if it ran and was wrong */
  readonly refusals: readonly Refusal[];
}

/** The gaps in a sweep, by rising x, to explain why a line ends. */
export function gapsOf({ axis, reports, series }: Sweep): readonly Gap[] {
  const formats = new Set([
    ...series.map(({ format }) => format),
    ...reports.flatMap((report) => report.refused.map(({ format }) => format)),
  ]);
  return reports.flatMap((report) => {
    const x = placeOf(axis, report);
    return [...formats]
      .filter((format) => !series.some((s) => s.format === format && s.points.some((p) => p.x === x)))
      .map((format) => ({ x, report, format, refusals: report.refused.filter((r) => r.format === format) }));
  });
}
