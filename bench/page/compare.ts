import type { BenchReport, BenchRow } from '../../src/core/report.ts';

// Compares a benchmark of the page with one of the command line on the same device (`npm run bench:page`).

/** Tolerance for speeds relative to dense between the page and the command line. */
export const TOLERANCE = 0.05;

/** A kernel that both reports contain. */
export interface ComparedKernel {
  readonly kernel: string;
  readonly params: string;
  /** speed relative to dense in the same run */
  readonly page: number;
  readonly commandLine: number;
}

/** Kernels with a time in both reports, without dense, which is 1 in both. */
export function compareReports(page: BenchReport, commandLine: BenchReport): readonly ComparedKernel[] {
  const keyOf = ({ kernel, params }: BenchRow): string => {
    const names = Object.keys(params).toSorted();
    return JSON.stringify([kernel, ...names.map((name) => [name, params[name]])]);
  };
  const commandLineRatios = new Map(commandLine.rows.map((row) => [keyOf(row), row.vsDense?.ratio]));
  return page.rows.flatMap((row) => {
    const commandLineRatio = commandLineRatios.get(keyOf(row));
    const ratio = row.vsDense?.ratio;
    // A kernel that is its own reference has ratio 1 in both reports.
    if (ratio === undefined || commandLineRatio === undefined || (ratio === 1 && commandLineRatio === 1)) return [];
    const params = Object.values(row.params).join(' ');
    return [{ kernel: row.kernel, params, page: ratio, commandLine: commandLineRatio }];
  });
}

/** How much the page's ratio exceeds the command line's, relative to the latter: 0.05 is 5 % more. */
export function differenceOf({ page, commandLine }: ComparedKernel): number {
  return page / commandLine - 1;
}

/** A line per kernel; large differences are marked. */
export function comparisonText(kernels: readonly ComparedKernel[]): string {
  return kernels
    .map((compared) => {
      const difference = differenceOf(compared);
      const mark = Math.abs(difference) > TOLERANCE ? '  <-- too far apart' : '';
      const percent = `${difference < 0 ? '' : '+'}${(100 * difference).toFixed(1)} %`;
      const { kernel, params, page, commandLine } = compared;
      return `${`${kernel} ${params}`.padEnd(52)} page ${page.toFixed(3)}  command line ${commandLine.toFixed(3)}  ${percent}${mark}`;
    })
    .join('\n');
}
