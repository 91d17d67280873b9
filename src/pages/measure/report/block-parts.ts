/* A feed-forward block in a sweep over non-zeros per token: its parts, and texts on them. */

import { capitalised, countText, type Words } from '../../../core/text/words.ts';
import { BACKWARD, GATE, SAMPLED_PRODUCT, UP_DOWN } from '../../../core/operations/index.ts';
import type { BenchReport } from '../../../core/report.ts';
import { ratio as ratioText } from '../../../kit/words/quantity.ts';
import { BLOCK_OPERATIONS, WHOLE_BLOCK } from '../../../kit/report/operation-words.ts';
import type { TitleOf } from '../../../kit/report/report-view.ts';
import { breakEven, type Sweep, sweepOf } from '../../../kit/report/sweep-series.ts';

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

/** The name of dense in texts, by operation. */
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

/** The parts of the shown report's block with times in the sweep, the whole first; empty for other reports. */
export function blockParts(reports: readonly BenchReport[], shown: BenchReport): readonly BlockPart[] {
  if (!BLOCK_OPERATIONS.includes(shown.workload.operation)) return [];
  return Object.entries(PART_TITLES).flatMap(([operation, title]): BlockPart[] => {
    const sweep = sweepOf(reports, { ...shown, workload: { ...shown.workload, operation } });
    if (sweep?.axis.of !== 'non-zeros' || sweep.series.length === 0) return [];
    return [{ operation, title, sweep }];
  });
}

/** Texts: where each format is faster than dense, called `denseName`, and by how much at best. Not empty. */
export function blockWords({ axis, series }: Sweep, denseName: string, titleOf: TitleOf): readonly Words[] {
  return series.flatMap(({ format, points }, i): Words[] => {
    const name = `${i === 0 ? '' : ' '}${capitalised(titleOf(format))}`;
    const best = points.reduce((a, b) => (b.ratio > a.ratio ? b : a));
    const peak = `${ratioText(best.ratio)} at ${countText(best.x)}`;
    const fasterCount = points.filter(({ ratio }) => ratio >= 1).length;
    const crossings = points.filter(({ ratio }, k) => k > 0 && ratio >= 1 !== points[k - 1].ratio >= 1).length;
    const range = ` from ${countText(points[0].x)} to ${countText(points[points.length - 1].x)} ${axis.title}`;
    const sentence = (verb: string, strong: string, rest: string): Words[] => [
      { text: `${name} is ${verb} than ${denseName} ` },
      { text: strong, strong: true },
      { text: rest },
    ];
    const even = breakEven(points, 'log');
    if (even && crossings === 1) {
      const crossing = `${even.faster} ${countText(Number(even.at.toPrecision(2)))} ${axis.title}`;
      return sentence('faster', crossing, `, and reaches ${peak}.`);
    }
    if (fasterCount === 0) return sentence('slower', 'at every point', `${range}; it comes closest with ${peak}.`);
    const where = crossings === 0 ? 'at every point' : `at ${fasterCount} of ${points.length} points`;
    return sentence('faster', where, `${range}, and reaches ${peak}.`);
  });
}
