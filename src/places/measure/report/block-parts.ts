/* A feed-forward block in a sweep over non-zeros per token: its parts, sentences on them, and points without a time. */

import { capitalised, countText } from '../../../core/story/words.ts';
import { BACKWARD, GATE, SAMPLED_PRODUCT, UP_DOWN } from '../../../core/operations/index.ts';
import type { BenchReport, Refusal } from '../../../core/report.ts';
import type { Words } from '../../../core/story/scene.ts';
import { ratio as ratioText } from '../../../kit/words/quantity.ts';
import { BLOCK_OPERATIONS, WHOLE_BLOCK } from '../../../kit/report/block-operations.ts';
import type { TitleOf } from '../../../kit/report/report-view.ts';
import { breakEven, positionOf, type Sweep, type SweepSeries, sweepOf } from '../../../kit/report/sweep-series.ts';

/** The gate, one of a block's three products of equal size, is computed densely: a block is at best 3 times as fast. */
export const BLOCK_LIMIT = 3;

/** The parts of a feed-forward block in the order in which they are shown. */
const PART_TITLES: Readonly<Record<string, string>> = {
  [WHOLE_BLOCK]: 'Whole block',
  [GATE.id]: 'Gate',
  [UP_DOWN.id]: 'Up and down',
  [BACKWARD.id]: 'Backward pass',
  [SAMPLED_PRODUCT.id]: 'Gradient of h',
};

/** What dense is called in sentences, by operation. */
export const DENSE_NAMES: ReadonlyMap<string, string> = new Map([
  [WHOLE_BLOCK, 'the dense pipeline'],
  [BACKWARD.id, 'the dense backward pass'],
]);

/** The whole block, one of its parts or its backward pass, by mean non-zeros per token. */
export interface BlockPart {
  readonly operation: string;
  readonly title: string;
  readonly sweep: Sweep;
}

/** The parts of the shown report's block with times in the sweep, the whole first; empty if it is not of a block. */
export function blockParts(reports: readonly BenchReport[], shown: BenchReport): readonly BlockPart[] {
  if (!BLOCK_OPERATIONS.includes(shown.workload.operation)) return [];
  return Object.entries(PART_TITLES).flatMap(([operation, title]): BlockPart[] => {
    const sweep = sweepOf(reports, { ...shown, workload: { ...shown.workload, operation } });
    if (sweep?.axis.of !== 'non-zeros' || sweep.series.length === 0) return [];
    return [{ operation, title, sweep }];
  });
}

/** Where each format is faster than dense, called `denseName`, and by how much at best. Not empty. */
export function blockWords({ axis, series }: Sweep, denseName: string, titleOf: TitleOf): readonly Words[] {
  return series.flatMap(({ format, points }, i): Words[] => {
    const name = `${i === 0 ? '' : ' '}${capitalised(titleOf(format))}`;
    const best = points.reduce((a, b) => (b.ratio > a.ratio ? b : a));
    const peak = `${ratioText(best.ratio)} at ${countText(best.x)}`;
    const faster = points.filter(({ ratio }) => ratio >= 1).length;
    const crossings = points.filter(({ ratio }, at) => at > 0 && ratio >= 1 !== points[at - 1].ratio >= 1).length;
    const from = ` from ${countText(points[0].x)} to ${countText(points[points.length - 1].x)} ${axis.title}`;
    const sentence = (verb: string, strong: string, rest: string): Words[] => [
      { text: `${name} is ${verb} than ${denseName} ` },
      { text: strong, strong: true },
      { text: rest },
    ];
    const even = breakEven(points, 'log');
    if (even && crossings === 1) {
      const at = `${even.faster} ${countText(Number(even.at.toPrecision(2)))} ${axis.title}`;
      return sentence('faster', at, `, and reaches ${peak}.`);
    }
    if (faster === 0) return sentence('slower', 'at every point', `${from}; it comes closest with ${peak}.`);
    const where = crossings === 0 ? 'at every point' : `at ${faster} of ${points.length} points`;
    return sentence('faster', where, `${from}, and reaches ${peak}.`);
  });
}

/** Neighbouring points whose fastest kernels have one value of a parameter, and their range of non-zeros per token. */
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
  readonly refusals: readonly Refusal[];
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
      .map((format) => ({ x, report, format, refusals: report.refused.filter((r) => r.format === format) }));
  });
}
