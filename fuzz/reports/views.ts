// Computes everything that the page shows of a benchmark report, for the fuzz target of reports.

import type { BenchReport } from '../../src/core/report.ts';
import { formats } from '../../src/formats/registry.ts';
import { reportsToCsv } from '../../src/core/reports/report-csv.ts';
import { reportsToJson } from '../../src/state/index.ts';
import { DARK } from '../../src/render/index.ts';
import { blockParts, blockWords } from '../../src/pages/measure/report/block-parts.ts';
import { changingParams, gapsOf } from '../../src/pages/measure/report/sweep-gaps.ts';
import { liftingOf } from '../../src/papers/slidesparse/lifting.ts';
import { formulaOf, outputName, sparsityText, workText } from '../../src/kit/report/operation-words.ts';
import {
  kernelDetail,
  paramLabels,
  paramWords,
  rejectionDetail,
  distinguishingParams,
} from '../../src/kit/report/report-labels.ts';
import { payoffOf, payoffWords } from '../../src/papers/slidesparse/pays.ts';
import { reportSvg } from '../../src/pages/measure/report/report-svg.ts';
import { reportHeadline } from '../../src/kit/report/report-headline.ts';
import {
  differenceText,
  isUntimedSoftware,
  medianText,
  multiplyAddRate,
  nearestLimit,
  ratioScale,
  roundsBelowClock,
  sampleRatios,
  sortedRows,
} from '../../src/kit/report/report-view.ts';
import { breakEven, paramSweepsOf, sweepOf } from '../../src/kit/report/sweep-series.ts';
import { perSecond } from '../../src/kit/words/rates.ts';

const titleOf = (id: string): string => formats.find((f) => f.id === id)?.title ?? id;

/**
 * Calls every function that computes texts, rows and charts of imported benchmark reports for the page, without drawing
 * them. The fuzzer reports a function that throws.
 */
export function viewAll(reports: readonly BenchReport[]): void {
  reportsToCsv(reports);
  reportsToJson(reports);
  for (const report of reports) viewOne(report, reports);
}

function viewOne(report: BenchReport, reports: readonly BenchReport[]): void {
  const labelsOf = (id: string, params: Readonly<Record<string, unknown>>): string =>
    paramLabels(
      formats.find((f) => f.id === id),
      params,
      distinguishingParams(report, id),
    );
  differenceText(report, reports);
  reportHeadline(report, titleOf);
  formulaOf(report.workload.operation);
  outputName(report.workload.operation);
  sparsityText(report.workload);
  workText(report.workload);
  isUntimedSoftware(report);
  const rows = sortedRows(report);
  ratioScale(rows.flatMap((row) => sampleRatios(report, row)));
  for (const row of rows) {
    kernelDetail(row, labelsOf);
    medianText(report, row);
    nearestLimit(report, row);
    roundsBelowClock(row);
    perSecond(multiplyAddRate(row) ?? 0, 'FMA');
  }
  for (const rejection of report.refused) rejectionDetail(rejection, labelsOf);
  const sweep = sweepOf(reports, report);
  if (sweep) {
    liftingOf(sweep);
    gapsOf(sweep);
    for (const series of sweep.series) {
      breakEven(series.points, 'log');
      changingParams(series);
    }
  }
  for (const { operation, sweep: part } of blockParts(reports, report)) blockWords(part, operation, titleOf);
  const payoff = payoffOf(report);
  if (payoff) payoffWords(payoff);
  for (const { format, axis, values } of paramSweepsOf(report)) {
    const words = paramWords(
      formats.find((f) => f.id === format),
      axis.name,
    );
    values.forEach((_, x) => words.valueText(x));
  }
  reportSvg(report, DARK, { titleOf, labelsOf });
}
